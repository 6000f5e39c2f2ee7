"""Follows the work of a session: calls and their results, failures, what fixed them, and decisions about files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from palace.mining.decisions import Decisions
from palace.mining.edits import Edits
from palace.mining.reruns import Reruns
from palace.models import ActionKind, FiledTurn, Role, Span, WorkAction
from palace.models.intake import repair
from palace.nlp.work.calls import MOST_FILES, PATCH, Operation, ToolCall, ToolResult, read_call, read_prose, read_result
from palace.nlp.work.commands import (
    added_words,
    command_key,
    has_same_goal,
    mends_spelling,
    reads_log,
    shows_texts,
)
from palace.nlp.work.errors import find_errors, telling_lines
from palace.nlp.work.lasting import CORRECTED
from palace.nlp.work.names import LONGEST_TURN, names_file, own_sentences

LONGEST_KEY, LONGEST_SUBJECT = 300, 500
MOST_WAITING = 40
"""Calls that wait for their results; an older one has none."""
MOST_REPLACED = 24
"""Errors of a command that wait for a better fix."""
MOST_LOGGED = 24
"""Errors in logs for which a later edit is looked for."""
LEAST_TOLD, LONGEST_TOLD = 5, 300
"""Words of a person's message that may have told what to do, at least; and the characters of it that are shown."""
MOST_ANSWERED = 2
"""Messages of the user after an error that is never gone, of which the first that may have told what to do counts."""
ECHOED = 600
"""Characters of an output that may say what it runs."""


class _Waiting(NamedTuple):
    """A call whose result has not come yet."""

    turn: FiledTurn
    call: ToolCall
    at: int
    """Number of its first action."""
    ran_at: int | None
    """Number of the action of its command."""


class _Logged(NamedTuple):
    """An error that a log showed."""

    at: int
    """Number of the action that showed it."""
    prompt: int
    turn: FiledTurn
    signature: str
    span: Span


@dataclass(slots=True)
class _Trace:
    """The actions of one conversation, in order."""

    actions: list[WorkAction | None] = field(default_factory=list)
    waiting: list[_Waiting] = field(default_factory=list)
    open: dict[str, list[int]] = field(default_factory=dict)
    """Numbers of the errors of each command that are not gone yet."""
    changes: list[tuple[int, int, str]] = field(default_factory=list)
    """Edits, as number of the action, drawer and command ("" for an edit); and commands that succeeded."""
    edits: Edits = field(default_factory=Edits)
    decisions: Decisions = field(init=False)
    seen: set[tuple[int, str, str]] = field(default_factory=set)
    has_results: bool = False
    """Whether results are filed: only then a call without one printed nothing."""
    usual: set[str] = field(default_factory=set)
    """Lines that commands printed which succeeded."""
    logged: list[_Logged] = field(default_factory=list)
    told: list[tuple[int, int, int]] = field(default_factory=list)
    """The user's messages that may have told what to do: number of the next action, drawer, number of the message."""
    tried: dict[int, tuple[str, int]] = field(default_factory=dict)
    """The command line of each error and the number of the user's message before it, by the error's number."""
    mended: dict[int, tuple[str, frozenset[str]]] = field(default_factory=dict)
    """The command of each error that an edit fixed, and the files that it changed."""
    redone: dict[int, int] = field(default_factory=dict)
    """The edit by which the fix of an error was changed again, by the error's number."""
    reruns: Reruns = field(default_factory=Reruns)
    tells_status: set[str] = field(default_factory=set)
    """Tools that gave an exit status when a command failed: a command of theirs without one succeeded."""
    replaced: dict[str, list[tuple[int, frozenset[str]]]] = field(default_factory=dict)
    """Errors of each command that still fails whose fix led to another error, by number, with the files changed."""

    def __post_init__(self) -> None:
        self.decisions = Decisions(self.edits)

    def add(self, action: WorkAction) -> None:
        key, subject = repair(action.key[:LONGEST_KEY])[0], repair(action.subject[:LONGEST_SUBJECT])[0]
        moved_from = action.moved_from and repair(action.moved_from)[0]
        self.actions.append(action._replace(key=key, subject=subject, moved_from=moved_from))

    @property
    def _looks_at_log(self) -> bool:
        """Whether a log showed an error after the user's last message or the one before."""
        return bool(self.logged) and self.logged[-1].prompt >= self.edits.prompt - 1

    def add_call(self, turn: FiledTurn, call: ToolCall) -> None:
        """Add what a call does; its result says later whether it succeeded."""
        at = len(self.actions)
        for touched in call.files:
            is_read = touched.operation is Operation.READ
            mark = (0 if is_read else self.edits.prompt, touched.operation, touched.path)
            # While an error is open, each change may be what fixes it.
            if mark in self.seen and (is_read or not (self.open or self._looks_at_log)):
                continue
            self.seen.add(mark)
            name = touched.path.replace("\\", "/").rpartition("/")[2]
            action = WorkAction(turn.drawer_id, ActionKind.FILE, name, touched.path, touched.operation)
            self.add(action._replace(moved_from=touched.moved_from))
        undone = len(self.edits.undone.get(self.edits.prompt, ()))
        changed = self.edits.add(turn, call, at)
        self._reopen(self.edits.undone.get(self.edits.prompt, [])[undone:], turn.drawer_id if changed else None)
        if changed:
            self.changes.append((at, turn.drawer_id, ""))
        for symbol in call.symbols:
            self.add(WorkAction(turn.drawer_id, ActionKind.SYMBOL, symbol, changed[0], Operation.EDIT))
        ran_at = None
        if call.command and PATCH not in call.command:
            ran_at = len(self.actions)
            self.add(WorkAction(turn.drawer_id, ActionKind.COMMAND, command_key(call.command), call.command, ""))
        if call.tool:
            self.waiting = [*self.waiting[-MOST_WAITING:], _Waiting(turn, call, at, ran_at)]

    def add_results(self, turns: Sequence[FiledTurn]) -> None:
        """Add results that follow each other: those of the last calls, as a call before them printed nothing."""
        matched: list[tuple[_Waiting, FiledTurn]] = []
        left = len(self.waiting)
        for turn in reversed(turns):
            tools = [each.call.tool for each in self.waiting[:left]]
            at = next((n for n in reversed(range(left)) if not turn.speaker or tools[n] == turn.speaker), None)
            if at is not None:
                matched.append((self.waiting[at], turn))
                left = at
        empty = [(each, replace(each.turn, content="", said_at=None)) for each in self.waiting]
        empty = [pair for pair in empty if self.has_results and all(pair[0] is not each for each, _ in matched)]
        self.waiting, self.has_results = [], self.has_results or bool(matched)
        for waiting, turn in sorted([*matched, *empty], key=lambda pair: pair[0].at):
            self.add_result(waiting, turn)

    def add_result(self, waiting: _Waiting, turn: FiledTurn) -> None:
        """Add the result of a call."""
        result = read_result(turn.content)
        if waiting.ran_at is not None:
            self._add_command_result(waiting, waiting.ran_at, turn, result)
        elif result.is_refused:
            self._take_back(waiting)

    def _reopen(self, undone: Sequence[str], by: int | None) -> None:
        """Count the errors whose fix is undone as open; ``by`` is the edit that changes it, None if it is gone."""
        for at, (key, files) in [*self.mended.items()] if undone else ():
            error = self.actions[at]
            if error and not files.isdisjoint(undone):
                del self.mended[at]
                self.open.setdefault(key, []).append(at)
                self.actions[at] = error._replace(operation="open", fixed_by=None)
                self.redone |= {at: by} if by else {}

    def _take_back(self, waiting: _Waiting) -> None:
        for at in range(waiting.at, len(self.actions)):
            action = self.actions[at]
            if action is not None and action.drawer_id == waiting.turn.drawer_id:
                self.actions[at] = None
        self.changes = [each for each in self.changes if each[1] != waiting.turn.drawer_id]
        self.edits.drop(waiting.turn.drawer_id, [each.path for each in waiting.call.files])

    def _errors(self, key: str, result: ToolResult, *, is_reliable: bool) -> dict[str, Span]:
        """Return the errors that a command printed, with their places; none of one that shows texts or succeeded."""
        if not reads_log(key) and (shows_texts(key) or (is_reliable and not result.exit_status)):
            return {}
        errors = find_errors(result.output, has_failed=result.exit_status not in (None, 0))
        return {each.signature: result.span(each.start, each.end) for each in errors}

    def _add_command_result(self, waiting: _Waiting, ran_at: int, turn: FiledTurn, result: ToolResult) -> None:
        command = self.actions[ran_at]
        if command is None or (result.is_refused and result.exit_status is None):
            return
        key, status = command.key, result.exit_status
        # Behind a filter, the exit status is the filter's.
        line, tool = waiting.call.command or "", waiting.call.tool or ""
        is_reliable = status is not None and (status != 0 or "|" not in line)
        self.tells_status |= {tool} if status else set()
        is_reliable |= status is None and tool in self.tells_status and not any(sign in line for sign in "|;&")
        errors = self._errors(key, result, is_reliable=is_reliable)
        if reads_log(key):
            logged = [_Logged(ran_at, self.edits.prompt, turn, signature, span) for signature, span in errors.items()]
            self.logged = [*self.logged, *logged][-MOST_LOGGED:]
            errors = {}
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
        found: dict[str, Span | None] = {**errors}
        lines = [] if shows_texts(key) else telling_lines(result.output, self.usual)
        if not has_failed:
            self.usual.update(line.signature for line in lines)
        elif not found:
            first = lines[-1] if lines else None
            name = first.signature if first else f"{key}: exit {status}"[:LONGEST_KEY]
            found[name] = result.span(*first[1:] if first else (0, min(len(result.output), 200)))
        # Lines beside the error have no place, so that they are no errors of their own.
        found |= {line.signature: None for line in lines if has_failed and line.signature not in found}
        is_again = key in self.open
        self._resolve(key, waiting, found)
        still = {action.key for at in self.open.get(key, ()) if (action := self.actions[at])}
        for signature, place in found.items():
            if signature not in still:
                self.open.setdefault(key, []).append(len(self.actions))
                self.tried[len(self.actions)] = line, self.edits.prompt
                self.add(WorkAction(turn.drawer_id, ActionKind.ERROR, signature, key, "open", status, span=place))
        if not has_failed:
            self._close_others(key, command.subject, waiting, result, is_again=is_again)
            self.reruns.add_run(line, self.edits.prompt)
            self.changes.append((ran_at, waiting.turn.drawer_id, key))

    def _close_others(self, key: str, line: str, waiting: _Waiting, result: ToolResult, *, is_again: bool) -> None:
        """Mark the errors of other commands that a successful one shows to be gone."""
        begins = command_key(line.partition("&&")[0])
        for other in [each for each in self.open if each != key]:
            is_echoed = " " in other and other in result.output[:ECHOED]
            if other == begins or has_same_goal(other, key) or mends_spelling(other, key) or is_echoed:
                self._resolve(other, waiting, {}, is_again=is_again or other == begins)

    def _resolve(
        self, key: str, waiting: _Waiting, found: Mapping[str, Span | None], *, is_again: bool = False
    ) -> None:
        """Mark the errors of a command that do not appear any more, with the last change before it ran again.

        Where nothing was changed, what the user said counts. If the command of this run had failed itself
        (``is_again``), running it instead of another one is no fix.
        """
        left, fixed, files, by = [], [], frozenset[str](), list[int]()
        opened = self.open.pop(key, [])
        known = {error.key for at in opened if (error := self.actions[at])}
        # A filter shows a part; and an output that has nothing new is of the same failure.
        is_part = bool(known & found.keys()) and ("|" in (waiting.call.command or "") or known >= found.keys())
        for at in opened:
            error = self.actions[at]
            if error is None or is_part or error.key in found:
                left.append(at)
                continue
            since = [each for each in self.changes if at < each[0] < waiting.at and each[2] != key]
            edits = [each for each in since if not each[2]]
            ran = [each[1] for each in since if not shows_texts(each[2])]
            line = waiting.call.command or ""
            added = added_words(self.tried[at][0], line)
            is_other = command_key(line) != key or any("=" in word for word in added)
            here = [waiting.turn.drawer_id] if (added or is_other) and not is_again else []
            said = [each for each in self.told if at < each[0] <= waiting.at][-1:]
            ran_then = [each[1] for each in since if each[1] in ran and (not said or each[0] >= said[0][0])]
            if mends_spelling(error.subject, command_key(line)):
                edits, ran, ran_then, here, said = [], [], [], [], []
            told = [each[1] for each in said]
            by = [each[1] for each in edits][-1:] or (here if is_other else ran_then[-1:] or here or told) or ran[-1:]
            self.actions[at] = error._replace(operation="fixed" if by else "gone", fixed_by=by[0] if by else None)
            fixed.append(at)
            files = self._files_of(edits[-1]) if edits else frozenset()
            if files:
                self.mended[at] = key, files
        if left:
            self.open[key] = left
        replaced = self.replaced.pop(key, [])
        for at, changed in replaced:
            action = self.actions[at]
            if by and changed & files and action:
                self.actions[at] = action._replace(fixed_by=by[0])
        if found:
            # While the command still fails, what fixed one error may have led to the next.
            self.replaced[key] = [*replaced, *((at, files) for at in fixed if files)][-MOST_REPLACED:]

    def _files_of(self, edit: tuple[int, int, str]) -> frozenset[str]:
        """Return the files that an edit changed."""
        at, drawer_id, _ = edit
        done = (each for each in self.actions[at : at + MOST_FILES] if each and each.drawer_id == drawer_id)
        return frozenset(each.subject for each in done if each.kind is ActionKind.FILE and each.operation != "read")

    def add_message(self, turn: FiledTurn) -> None:
        """Add the decisions of a message."""
        if turn.role is Role.USER:
            self.edits.prompt += 1
        chance = self.decisions.add(turn)
        words = " ".join(own_sentences(turn.content[:LONGEST_TOLD])) if chance >= CORRECTED else ""
        if len(words.split()) >= LEAST_TOLD and not words.startswith("["):
            self.told.append((len(self.actions), turn.drawer_id, self.edits.prompt))
            self.reruns.add_message(turn, self.edits.prompt)

    def finish(self) -> Iterator[WorkAction]:
        """Yield the actions, and the decisions with what they are about."""
        for seen in self.logged:
            if fix := self.edits.last_change_after(seen.at, seen.prompt):
                error = WorkAction(seen.turn.drawer_id, ActionKind.ERROR, seen.signature, "", "fixed", span=seen.span)
                self.add(error._replace(fixed_by=fix))
        for at in (each for opened in self.open.values() for each in opened):
            failed, prompt = self.actions[at], self.tried[at][1]
            told = (drawer for _, drawer, said in self.told if prompt < said <= prompt + MOST_ANSWERED)
            if failed and (by := self.redone.get(at) or next(told, None)):
                self.actions[at] = failed._replace(fixed_by=by)
        for action in (*self.decisions.finish(), *self.reruns.found):
            self.add(action)
        yield from (each for each in self.actions if each is not None)


def trace(turns: Sequence[FiledTurn]) -> list[WorkAction]:
    """Return the actions of a conversation's work, from its drawers in order; without tools, decisions about files."""
    found = _Trace()
    if not any(turn.is_tool for turn in turns):
        turns = [turn for turn in turns if len(turn.content) <= LONGEST_TURN and names_file(turn.content)]
    results: list[FiledTurn] = []
    for turn in turns:
        if not turn.is_tool:
            if results or turn.role is Role.ASSISTANT:
                found.add_results(results)
                results = []
            if turn.role in (Role.USER, Role.ASSISTANT):
                found.add_message(turn)
            continue
        call = read_call(turn.content, turn.speaker)
        if call is None and not found.waiting:
            call = read_prose(turn.content)
        if call is None:
            results.append(turn)
            continue
        if results:
            found.add_results(results)
            results = []
        found.add_call(turn, call)
    if results:
        found.add_results(results)
    return list(found.finish())
