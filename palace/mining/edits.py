"""The files that a session changed, what it undid again, and which of the user's messages it did so after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from palace.models import FiledTurn
from palace.nlp.work.calls import Operation, ToolCall
from palace.nlp.work.commands import put_back

MOST_LINES = 4000
"""Lines of a file that are known again."""
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
    _lines: dict[str, dict[tuple[bool, int], int]] = field(default_factory=dict)
    """The message after which each line of each file was added (True) or removed; lines by their hash."""

    def add(self, turn: FiledTurn, call: ToolCall, at: int) -> list[str]:
        """Add what a call changes, whose first action has the number ``at``; return the paths that it changes."""
        self.touched.update(each.path.replace("\\", "/") for each in call.files)
        changed = [each.path for each in call.files if each.operation is not Operation.READ]
        now = self.prompt
        earlier = (path for path, lines in self._lines.items() if min(lines.values(), default=now) < now)
        undone = put_back(call.command, earlier) if call.command else []
        done = ((False, call.removed), (True, call.added))
        marks = [(is_added, hash(line)) for is_added, lines in done for line in lines]
        for path in changed:
            known = self._lines.setdefault(path, {})
            # What the agent changes again by itself is no answer to a message.
            before = (known.get((not is_added, line), now) for is_added, line in marks)
            undone += [path] * any(prompt < now for prompt in before)
            if len(known) < MOST_LINES:
                known.update((mark, now) for mark in marks)
        if undone:
            self.undone.setdefault(now, []).extend(undone)
        if changed:
            self.edited.setdefault(now, []).extend(changed)
            self._calls.append((at, turn.drawer_id, now))
        return changed

    def drop(self, drawer_id: int, paths: Sequence[str]) -> None:
        """Forget the change of some files by a call that was refused."""
        for _, drawer, prompt in self._calls:
            for path in paths if drawer == drawer_id else ():
                for found in (self.edited, self.undone):
                    found[prompt] = [each for each in found.get(prompt, []) if each != path]
        self._calls = [each for each in self._calls if each[1] != drawer_id]

    def last_change_after(self, at: int, prompt: int) -> int | None:
        """Return the drawer of the last change after an action, up to the next message of the user; None without one.

        Changes after further messages count as long as each changes one of these files again.
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
