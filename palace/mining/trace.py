"""Follows the work of a session: calls and their results, failures, what fixed them, and decisions about files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from palace.models import ActionKind, FiledTurn, Role, Span, WorkAction
from palace.nlp.work.calls import PATCH, Operation, ToolCall, ToolResult, read_call, read_prose, read_result
from palace.nlp.work.commands import command_key, shows_texts
from palace.nlp.work.errors import find_errors
from palace.nlp.work.names import find_decisions, is_file, named_in

LONGEST_KEY, LONGEST_SUBJECT = 300, 500
MOST_WAITING = 40
"""Calls that wait for their results; an older one has none."""
MOST_NEAR = 3
"""Files near a decision that names none."""
MOST_NAMES = 8


class _Waiting(NamedTuple):
    """A call whose result has not come yet."""

    turn: FiledTurn
    call: ToolCall
    at: int
    """Number of its first action."""
    ran_at: int | None
    """Number of the action of its command."""


@dataclass(slots=True)
class _Decision:
    turn: FiledTurn
    span: Span
    prompt: int
    """Number of the user's message that it is in, or follows."""
    names: list[str]


@dataclass(slots=True)
class _Trace:
    """The actions of one conversation, in order."""

    actions: list[WorkAction | None] = field(default_factory=list)
    waiting: list[_Waiting] = field(default_factory=list)
    open: dict[str, list[int]] = field(default_factory=dict)
    """Numbers of the errors of each command that are not gone yet."""
    changes: list[tuple[int, int, str]] = field(default_factory=list)
    """Edits, as number of the action, drawer and command ("" for an edit); and commands that succeeded."""
    decisions: list[_Decision] = field(default_factory=list)
    edited: dict[int, list[str]] = field(default_factory=dict)
    """Files that were changed after each message of the user."""
    seen: set[tuple[int, str, str]] = field(default_factory=set)
    prompt: int = 0
    calls: int = 0

    def add(self, action: WorkAction) -> None:
        key, subject = action.key[:LONGEST_KEY], action.subject[:LONGEST_SUBJECT]
        self.actions.append(action._replace(key=key, subject=subject))

    def called(self, turn: FiledTurn, call: ToolCall) -> None:
        """Add what a call does; its result says later whether it succeeded."""
        self.calls += 1
        at = len(self.actions)
        for touched in call.files:
            is_read = touched.operation is Operation.READ
            mark = (0 if is_read else self.prompt, touched.operation, touched.path)
            # While an error is open, each change may be what fixes it.
            if mark in self.seen and (is_read or not self.open):
                continue
            self.seen.add(mark)
            name = touched.path.replace("\\", "/").rpartition("/")[2]
            action = WorkAction(turn.drawer_id, ActionKind.FILE, name, touched.path, touched.operation)
            self.add(action._replace(moved_from=touched.moved_from))
        changed = [each.path for each in call.files if each.operation is not Operation.READ]
        if changed:
            self.changes.append((at, turn.drawer_id, ""))
            self.edited.setdefault(self.prompt, []).extend(changed)
        for symbol in call.symbols:
            self.add(WorkAction(turn.drawer_id, ActionKind.SYMBOL, symbol, changed[0], Operation.EDIT))
        ran_at = None
        if call.command and PATCH not in call.command:
            ran_at = len(self.actions)
            self.add(WorkAction(turn.drawer_id, ActionKind.COMMAND, command_key(call.command), call.command, ""))
        if call.tool:
            self.waiting = [*self.waiting[-MOST_WAITING:], _Waiting(turn, call, at, ran_at)]

    def returned(self, turn: FiledTurn) -> None:
        """Add the result of the first call that waits for one, of the same tool if the result names it."""
        tools = [each.call.tool for each in self.waiting]
        index = tools.index(turn.speaker) if turn.speaker in tools else 0 if tools and not turn.speaker else None
        if index is None:
            return
        waiting, result = self.waiting.pop(index), read_result(turn.content)
        if waiting.ran_at is not None:
            self._ran(waiting, waiting.ran_at, turn, result)
        elif result.is_refused:
            self._take_back(waiting)

    def _take_back(self, waiting: _Waiting) -> None:
        for at in range(waiting.at, len(self.actions)):
            action = self.actions[at]
            if action is not None and action.drawer_id == waiting.turn.drawer_id:
                self.actions[at] = None
        self.changes = [each for each in self.changes if each[1] != waiting.turn.drawer_id]

    def _ran(self, waiting: _Waiting, ran_at: int, turn: FiledTurn, result: ToolResult) -> None:
        command = self.actions[ran_at]
        if command is None or (result.is_refused and result.exit_status is None):
            return
        key, status = command.key, result.exit_status
        # Behind a filter, the exit status is the filter's.
        is_told = status is not None and (status != 0 or "|" not in (waiting.call.command or ""))
        errors = [] if shows_texts(key) or (is_told and status == 0) else find_errors(turn.content)
        # grep and diff end with 1 where they find nothing, or something.
        has_failed = bool(errors) or (status not in (None, 0) and not (shows_texts(key) and status == 1))
        took = result.duration_ms
        if took is None and waiting.turn.said_at and turn.said_at and turn.said_at >= waiting.turn.said_at:
            took = round((turn.said_at - waiting.turn.said_at).total_seconds() * 1000)
        self.actions[ran_at] = command._replace(
            operation="failed" if has_failed else "succeeded",
            exit_status=status,
            duration_ms=None if took is None else min(took, 2**31 - 1),
        )
        found = {error.signature: Span(error.start, error.end) for error in errors}
        if has_failed and not found:
            found = {f"{key}: exit {status}"[:LONGEST_KEY]: Span(0, min(len(turn.content), 200))}
        self._resolve(key, waiting, found)
        still = {action.key for at in self.open.get(key, ()) if (action := self.actions[at])}
        for signature, span in found.items():
            if signature not in still:
                self.open.setdefault(key, []).append(len(self.actions))
                self.add(WorkAction(turn.drawer_id, ActionKind.ERROR, signature, key, "open", status, span=span))
        if not has_failed:
            for other in [each for each in self.open if each != key]:
                if key.startswith(f"{other} -"):  # with a further option
                    self._mend(other, waiting.turn.drawer_id)
                elif key.endswith((f"&& {other}", f"; {other}")):
                    self._resolve(other, waiting, {})
            self.changes.append((ran_at, waiting.turn.drawer_id, key))

    def _resolve(self, key: str, waiting: _Waiting, found: dict[str, Span]) -> None:
        """Mark the errors of a command that do not appear any more, with the last change before it ran again."""
        left = []
        for at in self.open.pop(key, ()):
            error = self.actions[at]
            if error is None or error.key in found:
                left.append(at)
                continue
            since = [each for each in self.changes if at < each[0] < waiting.at and each[2] != key]
            edits = [each for each in since if not each[2]]
            changes = edits or [each for each in since if not shows_texts(each[2])]
            operation = "fixed" if changes else "gone"
            self.actions[at] = error._replace(operation=operation, fixed_by=changes[-1][1] if changes else None)
        if left:
            self.open[key] = left

    def _mend(self, key: str, drawer_id: int) -> None:
        """Mark the errors of a command as fixed by what a drawer did."""
        for at in self.open.pop(key):
            if error := self.actions[at]:
                self.actions[at] = error._replace(operation="fixed", fixed_by=drawer_id)

    def said(self, turn: FiledTurn) -> None:
        """Add the decisions of a message."""
        self.prompt += turn.role is Role.USER
        for span in find_decisions(turn.content, turn.role):
            names = list(dict.fromkeys(named_in(turn.content[span.start : span.end])))[:MOST_NAMES]
            self.decisions.append(_Decision(turn, span, self.prompt, names))

    def finish(self) -> Iterator[WorkAction]:
        """Yield the actions, and the decisions with the files and symbols that they are about."""
        yield from (each for each in self.actions if each is not None)
        if not self.calls:
            return
        for decision in self.decisions:
            near = self.edited.get(decision.prompt) or self.edited.get(decision.prompt - 1) or []
            names = decision.names or list(dict.fromkeys(near))[:MOST_NEAR]
            for name in names:
                key = name.replace("\\", "/").rpartition("/")[2] if not decision.names or is_file(name) else name
                operation = "named" if decision.names else "near"
                action = WorkAction(decision.turn.drawer_id, ActionKind.DECISION, key, name, operation)
                yield action._replace(key=key[:LONGEST_KEY], subject=name[:LONGEST_SUBJECT], span=decision.span)


def trace(turns: Sequence[FiledTurn]) -> list[WorkAction]:
    """Return the actions of a conversation's work, from its drawers in order; none without tools."""
    found = _Trace()
    if not any(turn.is_tool for turn in turns):
        return []
    for turn in turns:
        if not turn.is_tool:
            if turn.role in (Role.USER, Role.ASSISTANT):
                found.said(turn)
            continue
        call = read_call(turn.content, turn.speaker)
        if call is None and not found.waiting:
            call = read_prose(turn.content)
        if call is not None:
            found.called(turn, call)
        else:
            found.returned(turn)
    return list(found.finish())
