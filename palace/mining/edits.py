"""The files that a session changed, what it undid again, and which of the user's messages it did so after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from palace.models import FiledTurn
from palace.nlp.work.calls import Operation, ToolCall
from palace.nlp.work.commands import undoes

KEPT_FOLDERS = 2
"""Folders in front of a file that a decision names, to know it from others of its name."""


@dataclass(slots=True)
class Edits:
    """The changes of one conversation so far, in order."""

    prompt: int = 0
    """Number of the user's last message, from 1."""
    edited: dict[int, list[str]] = field(default_factory=dict)
    """Files that were changed after each message of the user."""
    undone: dict[int, list[str]] = field(default_factory=dict)
    """Files in which something that was done before was undone after each message of the user."""
    touched: set[str] = field(default_factory=set)
    """Files that were read or changed."""
    _calls: list[tuple[int, int, int]] = field(default_factory=list)
    """Changes, as number of the action, drawer and number of the user's message."""
    _added: dict[str, set[str]] = field(default_factory=dict)
    _removed: dict[str, set[str]] = field(default_factory=dict)
    """Lines that were added to each file, and those that were removed."""

    def add(self, turn: FiledTurn, call: ToolCall, at: int) -> list[str]:
        """Add what a call changes, whose first action has the number ``at``; return the paths that it changes."""
        self.touched.update(each.path.replace("\\", "/") for each in call.files)
        changed = [each.path for each in call.files if each.operation is not Operation.READ]
        undone = [path for path in self._added if call.command and undoes(call.command, path)]
        for path in changed:
            added, removed = self._added.setdefault(path, set()), self._removed.setdefault(path, set())
            undone += [path] * bool(added & call.removed or removed & call.added)
            added.update(call.added)
            removed.update(call.removed)
        if undone:
            self.undone.setdefault(self.prompt, []).extend(undone)
        if changed:
            self.edited.setdefault(self.prompt, []).extend(changed)
            self._calls.append((at, turn.drawer_id, self.prompt))
        return changed

    def last_of_fight(self, at: int, prompt: int) -> int | None:
        """Return the drawer of the last change of what was begun after an action and a message; None without one.

        The user's next message goes on with it where a file is changed again after it.
        """
        files, last, drawer = set[str](), prompt, None
        for number, drawer_id, then in self._calls:
            goes_on = then == last or (then == last + 1 and (not files or not files.isdisjoint(self.edited[then])))
            if number > at and goes_on:
                last, drawer = then, drawer_id
                files.update(self.edited[then])
        return drawer

    def near(self, prompt: int) -> Sequence[str]:
        """Return the files that were changed after a message of the user, else after the next, else before it."""
        return next((found for each in (prompt, prompt + 1, prompt - 1) if (found := self.edited.get(each))), ())

    def whole(self, name: str) -> str:
        """Return the end of the path of the one file of a name that was read or changed; the name where none is."""
        there = {path for path in self.touched if f"/{path}".endswith(f"/{name.removeprefix('./')}")}
        longest = max(KEPT_FOLDERS + 1, name.count("/") + 1)
        return "/".join(there.pop().split("/")[-longest:]) if len(there) == 1 else name
