"""Follows the work of a session: calls and their results, failures, what fixed them, and decisions about files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from palace.models import ActionKind, FiledTurn, Role, Span, WorkAction
from palace.models.intake import repair
from palace.nlp.statements import telling_words
from palace.nlp.work.calls import MOST_FILES, PATCH, Operation, ToolCall, ToolResult, read_call, read_prose, read_result
from palace.nlp.work.commands import (
    added_words,
    command_key,
    has_same_goal,
    mends_spelling,
    reads_log,
    shows_texts,
    undoes,
)
from palace.nlp.work.errors import find_errors, telling_lines
from palace.nlp.work.lasting import (
    CHOSEN,
    CORRECTED,
    LASTS,
    LONGEST_ESTIMATED,
    After,
    probability_of_lasting,
    weight_of_lasting,
)
from palace.nlp.work.names import (
    LONGEST_TURN,
    OTHERS,
    best_sentence,
    confirms,
    covered_in,
    find_choice,
    find_decisions,
    find_proposals,
    folders_in,
    is_elsewhere,
    is_file,
    limits,
    named_in,
    names_file,
    offers,
    own_sentences,
    own_text,
    takes_back,
)

LONGEST_KEY, LONGEST_SUBJECT = 300, 500
MOST_WAITING = 40
"""Calls that wait for their results; an older one has none."""
MOST_NEAR = 3
"""Files near a decision that names none."""
MOST_NAMES = 8
MOST_REPLACED = 24
"""Errors of a command that wait for a better fix."""
MOST_LOGGED = 24
"""Errors in logs for which a later edit is looked for."""
LEAST_TOLD, ECHOED = 5, 600
"""Words of a person's message that may have told what to do, and the beginning of an output that may say what it runs."""
KEPT_FOLDERS = 2
"""Folders in front of a file that a decision names, to know it from others of its name."""


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
    among: frozenset[str] | None
    """The files that it can be about if it names none: those touched before; None for any."""
    is_agreed: bool
    """Whether a person said it or agreed to it; otherwise it counts only if what it is about was changed then."""
    chance: float | None = None
    """If it is none by its words, the probability that it lasts."""

    @property
    def said(self) -> str:
        return self.turn.content[self.span.start : self.span.end]


@dataclass(slots=True)
class _Trace:
    """The actions of one conversation, in order."""

    logged: list[tuple[int, int, FiledTurn, str, Span]] = field(default_factory=list)
    """Errors that logs show, after the numbers of the action and of the user's message before."""
    told: list[tuple[int, int]] = field(default_factory=list)
    """The user's messages of some words, as number of the next action and drawer."""

    actions: list[WorkAction | None] = field(default_factory=list)
    waiting: list[_Waiting] = field(default_factory=list)
    open: dict[str, list[int]] = field(default_factory=dict)
    """Numbers of the errors of each command that are not gone yet."""
    changes: list[tuple[int, int, str]] = field(default_factory=list)
    """Edits, as number of the action, drawer and command ("" for an edit); and commands that succeeded."""
    decisions: list[_Decision] = field(default_factory=list)
    edits: list[tuple[int, int, int]] = field(default_factory=list)
    """Edits, as number of the action, drawer and number of the user's message."""
    added: dict[str, set[str]] = field(default_factory=dict)
    removed: dict[str, set[str]] = field(default_factory=dict)
    """Lines that were added to each file, and those that were removed."""
    undone: dict[int, list[str]] = field(default_factory=dict)
    """Files in which something that was done before was undone after each message of the user."""
    edited: dict[int, list[str]] = field(default_factory=dict)
    """Files that were changed after each message of the user."""
    seen: set[tuple[int, str, str]] = field(default_factory=set)
    has_results: bool = False
    """Whether results are filed: only then a call without one printed nothing."""
    usual: set[str] = field(default_factory=set)
    """Lines that commands printed which succeeded."""
    tried: dict[int, str] = field(default_factory=dict)
    """The command line of each error, by its number."""
    touched: set[str] = field(default_factory=set)
    """Files that were read or changed."""
    replaced: dict[str, list[tuple[int, frozenset[str]]]] = field(default_factory=dict)
    """Errors of each command that still fails whose fix led to another error, by number, with the files changed."""
    proposed: tuple[FiledTurn, list[Span]] | None = None
    """The assistant's last message, and what it proposed there."""
    prompt: int = 0
    calls: int = 0

    def add(self, action: WorkAction) -> None:
        key, subject = repair(action.key[:LONGEST_KEY])[0], repair(action.subject[:LONGEST_SUBJECT])[0]
        moved_from = action.moved_from and repair(action.moved_from)[0]
        self.actions.append(action._replace(key=key, subject=subject, moved_from=moved_from))

    def add_call(self, turn: FiledTurn, call: ToolCall) -> None:
        """Add what a call does; its result says later whether it succeeded."""
        self.calls += 1
        at = len(self.actions)
        self.touched.update(touched.path.replace("\\", "/") for touched in call.files)
        for touched in call.files:
            is_read = touched.operation is Operation.READ
            mark = (0 if is_read else self.prompt, touched.operation, touched.path)
            # While an error is open, each change may be what fixes it.
            if mark in self.seen and (is_read or not (self.open or self.logged)):
                continue
            self.seen.add(mark)
            name = touched.path.replace("\\", "/").rpartition("/")[2]
            action = WorkAction(turn.drawer_id, ActionKind.FILE, name, touched.path, touched.operation)
            self.add(action._replace(moved_from=touched.moved_from))
        changed = [each.path for each in call.files if each.operation is not Operation.READ]
        undone = [path for path in self.added if call.command and undoes(call.command, path)]
        for path in changed:
            added, removed = self.added.setdefault(path, set()), self.removed.setdefault(path, set())
            undone += [path] * bool(added & call.removed or removed & call.added)
            added.update(call.added)
            removed.update(call.removed)
        if undone:
            self.undone.setdefault(self.prompt, []).extend(undone)
        if changed:
            self.changes.append((at, turn.drawer_id, ""))
            self.edited.setdefault(self.prompt, []).extend(changed)
            self.edits.append((at, turn.drawer_id, self.prompt))
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

    def _take_back(self, waiting: _Waiting) -> None:
        for at in range(waiting.at, len(self.actions)):
            action = self.actions[at]
            if action is not None and action.drawer_id == waiting.turn.drawer_id:
                self.actions[at] = None
        self.changes = [each for each in self.changes if each[1] != waiting.turn.drawer_id]

    def _add_command_result(self, waiting: _Waiting, ran_at: int, turn: FiledTurn, result: ToolResult) -> None:
        command = self.actions[ran_at]
        if command is None or (result.is_refused and result.exit_status is None):
            return
        key, status = command.key, result.exit_status
        # Behind a filter, the exit status is the filter's.
        is_reliable = status is not None and (status != 0 or "|" not in (waiting.call.command or ""))
        is_log = reads_log(command.subject)
        is_read = not shows_texts(key) and not (is_reliable and status == 0)
        errors = find_errors(result.output, has_failed=status not in (None, 0)) if is_read or is_log else []
        if is_log:
            self.logged += [(ran_at, self.prompt, turn, each.signature, result.span(*each[1:])) for each in errors]
            errors = []
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
        found: dict[str, Span | None] = {error.signature: result.span(error.start, error.end) for error in errors}
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
                self.tried[len(self.actions)] = waiting.call.command or ""
                self.add(WorkAction(turn.drawer_id, ActionKind.ERROR, signature, key, "open", status, span=place))
        if not has_failed:
            begins = command_key(command.subject.partition("&&")[0])
            for other in [each for each in self.open if each != key]:
                is_echoed = " " in other and other in result.output[:ECHOED]
                if other == begins or has_same_goal(other, key) or mends_spelling(other, key) or is_echoed:
                    self._resolve(other, waiting, {}, is_again=is_again or other == begins)
            self.changes.append((ran_at, waiting.turn.drawer_id, key))

    def _resolve(
        self, key: str, waiting: _Waiting, found: Mapping[str, Span | None], *, is_again: bool = False
    ) -> None:
        """Mark the errors of a command that do not appear any more, with the last change before it ran again.

        Where nothing was changed, what the user said counts. If the command of this run had failed itself
        (``is_again``), running it instead of another one is no fix.
        """
        left, fixed, files, by = [], [], frozenset[str](), list[int]()
        for at in self.open.pop(key, ()):
            error = self.actions[at]
            if error is None or error.key in found:
                left.append(at)
                continue
            since = [each for each in self.changes if at < each[0] < waiting.at and each[2] != key]
            edits = [each for each in since if not each[2]]
            ran = [each[1] for each in since if not shows_texts(each[2])]
            line = waiting.call.command or ""
            added = added_words(self.tried[at], line)
            is_other = command_key(line) != key or any("=" in word for word in added)
            here = [waiting.turn.drawer_id] if (added or is_other) and not is_again else []
            said = [each for each in self.told if at < each[0] <= waiting.at][-1:]
            ran_then = [each[1] for each in since if each[1] in ran and (not said or each[0] >= said[0][0])]
            if mends_spelling(error.subject, command_key(line)):
                edits, ran, ran_then, here, said = [], [], [], [], []
            told = [drawer_id for _, drawer_id in said]
            by = [each[1] for each in edits][-1:] or (here if is_other else ran_then[-1:] or here or told) or ran[-1:]
            self.actions[at] = error._replace(operation="fixed" if by else "gone", fixed_by=by[0] if by else None)
            fixed.append(at)
            files = self._files_of(edits[-1]) if edits else frozenset()
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

    def _fixed_in_logs(self) -> Iterator[WorkAction]:
        """Yield the errors that logs showed before files were changed, with the last change that went on with these."""
        for ran_at, prompt, turn, signature, span in self.logged[-MOST_LOGGED:]:
            files, last, fix = set[str](), prompt, None
            for at, drawer_id, then in self.edits:
                is_next = then == last or (then == last + 1 and (not files or not files.isdisjoint(self.edited[then])))
                if at > ran_at and is_next:
                    last, fix = then, drawer_id
                    files.update(self.edited[then])
            if fix is not None:
                yield WorkAction(turn.drawer_id, ActionKind.ERROR, signature, "", "fixed", span=span, fixed_by=fix)

    def _files_of(self, edit: tuple[int, int, str]) -> frozenset[str]:
        """Return the files that an edit changed."""
        at, drawer_id, _ = edit
        done = (each for each in self.actions[at : at + MOST_FILES] if each and each.drawer_id == drawer_id)
        return frozenset(each.subject for each in done if each.kind is ActionKind.FILE and each.operation != "read")

    def add_message(self, turn: FiledTurn) -> None:
        """Add the decisions of a message."""
        is_user = turn.role is Role.USER
        self.prompt += is_user
        if is_user and len(turn.content.split()) >= LEAST_TOLD:
            self.told.append((len(self.actions), turn.drawer_id))
        before, spans = self.proposed if is_user and self.proposed else (None, [])
        if before and confirms(turn.content):
            self.decisions += [self._decision(before, span, is_agreed=True) for span in spans]
        self.proposed = None if is_user else (turn, find_proposals(turn.content))
        about = _answered(before.content, turn.content) if before else []
        is_offered = before is not None and offers(before.content)
        chance = self._chance(turn.content, before) if is_user else 0.0
        is_lasting = chance >= (CHOSEN if self.edited.get(self.prompt - 1) else LASTS)
        needs_file = not (is_offered or about or is_lasting)
        decided = find_decisions(turn.content, turn.role, needs_file=needs_file)
        for span in decided:
            decision = self._decision(turn, span, is_agreed=is_user)
            decision.names += [] if any(map(is_file, decision.names)) else about
            self.decisions.append(decision)
        if decided or not is_user or (spans and confirms(turn.content)):
            return
        choice = find_choice(turn.content) if is_offered and chance >= CHOSEN else None
        if choice:
            self.decisions.append(self._decision(turn, choice, is_agreed=True, among=frozenset(self.touched)))
        elif chance >= CORRECTED and (said := best_sentence(turn.content, _weight)):
            self.decisions.append(replace(self._decision(turn, said, is_agreed=True), chance=chance))

    def _chance(self, text: str, before: FiledTurn | None) -> float:
        """Return the probability that a person's own words last; 0 for a document."""
        own = own_text(text).replace(OTHERS, " ").strip() if len(text) <= LONGEST_TURN else ""
        return probability_of_lasting(own, self._after(before)) if 0 < len(own) <= LONGEST_ESTIMATED else 0.0

    def _after(self, before: FiledTurn | None) -> After:
        """Return what a person's message follows."""
        if self.edited.get(self.prompt - 1):
            return After.EDIT
        if before is None:
            return After.START if self.prompt == 1 else After.SAID
        return After.ASKED if "?" in before.content else After.SAID

    def _decision(
        self, turn: FiledTurn, span: Span, *, is_agreed: bool, among: frozenset[str] | None = None
    ) -> _Decision:
        said = turn.content[span.start : span.end]
        bare = {name for path in self.touched if "." not in (name := path.rpartition("/")[2])}
        names = list(dict.fromkeys([*named_in(said), *(each for each in _words(said) if each in bare)]))[:MOST_NAMES]
        return _Decision(turn, span, self.prompt, names, among, is_agreed)

    def _whole(self, name: str) -> str:
        """Return the end of the path of the one file of a name that was read or changed; the name where none is."""
        there = {path for path in self.touched if f"/{path}".endswith(f"/{name.removeprefix('./')}")}
        return (
            "/".join(there.pop().split("/")[-max(KEPT_FOLDERS + 1, name.count("/") + 1) :]) if len(there) == 1 else name
        )

    def finish(self) -> Iterator[WorkAction]:
        """Yield the actions, and the decisions with the files and symbols that they are about."""
        for action in self._fixed_in_logs():
            self.add(action)
        yield from (each for each in self.actions if each is not None)
        for decision in filter(self._counts, self.decisions):
            prompts = (decision.prompt, decision.prompt + 1, decision.prompt - 1)
            near = next((edited for each in prompts if (edited := self.edited.get(each))), [])
            near = self._corrected(decision) or near
            if folders := folders_in(decision.said if decision.chance is None else decision.turn.content):
                near = [path for path in near if any(f"/{folder}/" in f"/{path}" for folder in folders)]
                decision.names += [f"{folder}/" for folder in folders]
            if decision.among is not None and len(set(near)) > 1:
                near = [each for each in near if each.replace("\\", "/") in decision.among]
            is_apart = any(map(is_file, decision.names)) or (
                is_elsewhere(decision.said) and not self._corrected(decision)
            )
            near = [] if is_apart else list(dict.fromkeys(near))[:MOST_NEAR]
            for name in [*map(self._whole, decision.names), *_covered(decision.turn.content, near), *near]:
                key = name.replace("\\", "/").rpartition("/")[2] if name in near or is_file(name) else name
                key = f"{name.rstrip('/').rpartition('/')[2]}/" if name.endswith("/") else key
                is_agreed = decision.is_agreed and decision.turn.role is Role.ASSISTANT
                operation = "near" if name in near and not is_agreed else "named"
                if decision.turn.role is Role.USER and takes_back(decision.said):
                    operation = "off"
                elif decision.chance is not None:
                    operation = "said"
                action = WorkAction(decision.turn.drawer_id, ActionKind.DECISION, key, name, operation)
                yield action._replace(key=key[:LONGEST_KEY], subject=name[:LONGEST_SUBJECT], span=decision.span)

    def _counts(self, decision: _Decision) -> bool:
        """Check whether a decision is a person's, or was agreed to, or one of its files was changed next."""
        changed = [path for near in (0, 1) for path in self.edited.get(decision.prompt + near, ())]
        files = [name for name in decision.names if is_file(name)]
        done = [path for path in changed for name in files if f"/{path}".endswith(f"/{name.removeprefix('./')}")]
        if decision.chance is not None and decision.chance < LASTS and not self._corrected(decision):
            return False
        return decision.is_agreed or bool(done if files else changed)

    def _corrected(self, decision: _Decision) -> list[str]:
        """Return the files in which a user's message had something undone that was done before it."""
        return self.undone.get(decision.prompt, []) if decision.turn.role is Role.USER else []


def _weight(sentence: str) -> float:
    """Return how much a sentence of a message tells; most if it says until when."""
    return weight_of_lasting(sentence) + (math.inf if limits(sentence) else 0)


def _covered(said: str, near: Sequence[str]) -> list[str]:
    """Return the folders of some files, and their endings as ``*.md``, in all of which something holds by a message.

    Of a folder the end of its path.
    """
    named = {each.casefold() for each in covered_in(said)}
    found = [f"*.{path.rpartition('.')[2]}" for path in near if path.rpartition(".")[2].casefold() in named]
    for path in near:
        folders = path.replace("\\", "/").split("/")[:-1]
        whole = (n for n, each in enumerate(folders) if {each.casefold(), each.casefold().removesuffix("s")} & named)
        found += ["/".join([*folders[max(0, n - 1) : n + 1], ""]) for n in whole]
    return list(dict.fromkeys(found))


def _words(text: str) -> list[str]:
    return [each.strip("`'\".,:;!?()") for each in text.split()]


def _answered(said: str, answer: str) -> list[str]:
    """Return the files in what an assistant said that a person's answer is about, by a word that both have."""
    words = telling_words(answer)
    sentences = [each for each in own_sentences(said) if names_file(each)]
    about = [each for each in sentences if telling_words(each) & words] or sentences[:1] * (len(sentences) == 1)
    return list(dict.fromkeys(name for each in about for name in named_in(each) if is_file(name)))[:MOST_NEAR]


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
