"""The work of coding agents' sessions: its history of a file, command, error or symbol, and its most relevant entry."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Any

from palace.config.checkout import find_checkout, home_folder
from palace.config.project_keys import folder_of, path_within
from palace.db.database import UserSession
from palace.db.work import Lookup, find_actions, find_former_path, list_runs
from palace.mining.redaction import find_rules
from palace.models import (
    ActionKind,
    FoundAction,
    ProjectScope,
    Role,
    Scope,
    WorkEntry,
    WorkHere,
    WorkHistory,
    WorkKind,
    WorkQuery,
)
from palace.models.intake import repair
from palace.nlp.secrets import redact
from palace.nlp.work.commands import Need, added_words, command_key, is_as_narrow, rewrites_files
from palace.nlp.work.errors import (
    LONGEST_LINE,
    SAME_SHARE,
    find_errors,
    is_same_message,
    normalised,
    share_of_words,
    telling_lines,
    words_of,
)
from palace.nlp.work.names import LONGEST_TURN, is_file, limits, own_sentences
from palace.opened import OpenPalace
from palace.operations.projects import project_scope

LATEST = Lookup(newest=600, limit=300)
"""What is looked at to say what the latest sessions were about."""
MOST_LATELY, MOST_OPEN = 12, 8
MOST_LOOKED_AT = 40
"""Actions among which the one that bears most is chosen, the newest."""
MOST_COUNTED = 2000
"""Actions of which a history is made; what is left out of it is counted in entries."""
MOST_MOVES = 5
"""How often a file's former path is followed."""
MOST_TOGETHER = 3
"""Decisions of one session that are handed over together."""
LONGEST_WORDS = 300
LEAST_USUAL = 2
"""Runs of a program after which an option that they all had is usual."""
LEAST_ALIKE = 4
"""The part of an error's words that another one has at least to be looked at: one in so many."""
COMMON = 3
"""A line of so many failures tells nothing of one."""
TAKEN_BACK = "taken back on"
_NEVER = datetime.min.replace(tzinfo=UTC)
_DONE = {"edit": "edited", "create": "created", "delete": "deleted", "move": "moved"}


def work(opened: OpenPalace, query: WorkQuery, scope: Scope) -> WorkHistory:
    """Return the decisions, failures, fixes and edits that a query is about, in order of time."""

    def find(session: UserSession) -> tuple[list[FoundAction], int]:
        rules = find_rules(session, opened.settings)
        command, error = (text and redact(text, rules).text for text in (query.command, query.error))
        asked = _Asked.of(replace(query, command=command, error=error))
        return asked.find(session, scope, limit=MOST_COUNTED, is_person=True)

    found, more = opened.run(find)
    entries = _entries(found)
    return WorkHistory(query, tuple(entries[-query.limit :]), more + max(0, len(entries) - query.limit))


def work_here(opened: OpenPalace, folder: str | os.PathLike[str] | None, scope: Scope) -> WorkHere:
    """Return what the latest sessions in a folder's project were about, what stands open, and what failed last.

    Without a folder, of the sessions in a scope.
    """
    project = ProjectScope("") if folder is None else project_scope(opened, folder)
    if folder is not None and not project.wing_ids:
        return WorkHere(project.key)
    within = scope if folder is None else project.scope
    found, _ = opened.run(lambda session: find_actions(session, LATEST, within))
    entries = _entries(found)
    lately = [each for each in entries if each.kind is not WorkKind.FAILURE]
    failures = [each for each in entries if each.kind is WorkKind.FAILURE]
    still = _entries([each for each in found if each.operation == "open" and not each.is_past])
    latest = {(each.wing, each.command): each.pointer for each in still}
    open_ = [each for each in still if latest[each.wing, each.command] == each.pointer]
    newest = tuple(lately[: -MOST_LATELY - 1 : -1]), tuple(open_[: -MOST_OPEN - 1 : -1])
    return WorkHere(project.key, *newest, failures[-1] if failures else None)


def find_relevant(session: UserSession, query: WorkQuery, wings: Sequence[int]) -> WorkEntry | None:
    """Return the entry in some wings that matters most for a file, command, error or symbol; None if none clearly does.

    It is how an error was fixed that was seen before; a decision that names the very file or symbol, or that a person
    made about it; or of a command its failure that still stands, or the command that had to run before it. Takes one
    statement and embeds nothing.
    """
    asked, scope = _Asked.of(query), Scope(wing_ids=tuple(wings))
    if not wings or not (asked.looked_up or asked.command):
        return None
    found, _ = asked.find(session, scope, limit=MOST_LOOKED_AT)
    solved = [each for each in found if each.kind is ActionKind.ERROR and each.fix and each.key in asked.errors]
    if solved:
        return _fix(next((each for each in solved if each.subject == asked.command), solved[0]))
    if failed := _failed_before(found, asked):
        return _fix(failed)
    if decided := _decided(found):
        return decided
    return None if asked.command is None or asked.errors else _about_command(session, found, asked)


def _decided(found: Sequence[FoundAction]) -> WorkEntry | None:
    """Return the latest decision that names the file or symbol, else one that a person made beside it.

    Those from before a decision was taken back are left out; what its session decided about it before is added.
    """
    over = {each.pointer for each in found if each.kind is ActionKind.DECISION and _is_over(each, found)}
    decided = [each for each in found if each.kind is ActionKind.DECISION and each.pointer not in over]
    since = list(takewhile(lambda each: each.operation != "off", decided))
    beside = (_of_operation(since, each) for each in ("named", "near", "said"))
    decisions = next(filter(None, beside), [])
    if not decisions:
        return None
    last = _decision(decisions[0])
    before = [_decision(each).text for each in decisions[1:] if each.pointer.of_room == decisions[0].pointer.of_room]
    texts = dict.fromkeys([last.text, *before])
    return replace(last, text=" … ".join(texts)) if 1 < len(texts) <= MOST_TOGETHER else last


def _is_over(decision: FoundAction, found: Sequence[FoundAction]) -> bool:
    """Check whether a decision held for a time only, and its file was changed in a later session."""
    later = (
        each for each in found if each.kind is ActionKind.FILE and each.pointer.of_room != decision.pointer.of_room
    )
    at = decision.said_at or _NEVER
    return limits(decision.said or "") and any((each.said_at or _NEVER) > at for each in later)


def _of_operation(decisions: Sequence[FoundAction], operation: str) -> list[FoundAction]:
    found = [each for each in decisions if each.operation == operation]
    return [each for each in found if operation != "near" or each.role is Role.USER]


def _about_command(session: UserSession, found: Sequence[FoundAction], asked: _Asked) -> WorkEntry | None:
    """Return the last failure of a command if it still stands, or how it was made to work, unless it is run so."""
    failed = next((each for each in found if each.kind is ActionKind.ERROR and each.subject == asked.command), None)
    if failed and failed.operation == "open" and not failed.is_past:
        return _failure(failed)
    if failed is None:
        return next((_fix(each) for each in found if _needs_again(session, each, asked)), None)
    if not failed.fix_command or failed.fix_files or rewrites_files(failed.fix_command):
        return None
    line = asked.query.command or ""
    is_new = command_key(failed.fix_command) != asked.command or added_words(line, failed.fix_command)
    return _fix(failed) if is_new and not _ran_without(session, failed, asked) else None


def _ran_without(session: UserSession, failed: FoundAction, asked: _Asked) -> bool:
    """Check whether a command succeeded in a later session without what made it succeed before."""
    fix = failed.fix_command or ""
    need = Need.of(failed.subject, fix) if command_key(fix) == asked.command else None
    runs = list_runs(session, asked.program or "", failed.pointer, command_key(fix))
    later = [each for each in runs if each.is_later and not each.is_of_session and each.key == asked.command]
    return any(not (need.is_met(each.line) if need else each.is_after_fix) for each in later)


def _needs_again(session: UserSession, failed: FoundAction, asked: _Asked) -> bool:
    """Check whether a command needs what another run of its program needed, and no run since has done without.

    That is another command, where the failed one named nothing that this one does not name; or a variable or an
    option, also where the last runs of the program all had it.
    """
    if failed.kind is not ActionKind.ERROR or not failed.fix_command or failed.fix_files:
        return False
    line, is_same = asked.query.command or "", is_as_narrow(asked.query.command or "", failed.subject)
    runs = list_runs(session, asked.program or "", failed.pointer, command_key(failed.fix_command))
    if any(each.key == asked.command for each in runs):
        return False
    since = [each for each in runs if each.is_later]
    alike = [each for each in since if is_as_narrow(each.line, failed.subject)]
    if command_key(failed.fix_command).partition(" ")[0] != asked.program:
        return is_same and all(each.is_of_session for each in alike)
    need = Need.of(failed.subject, failed.fix_command)
    if need is None or need.is_met(line):
        return False
    is_usual = len(since) >= LEAST_USUAL and all(need.is_met(each.line) for each in since)
    return is_usual or (is_same and all(need.is_met(each.line) for each in alike))


def _failed_before(found: Sequence[FoundAction], asked: _Asked) -> FoundAction | None:
    """Return the solved failure with the same message in other names, else the one with most of its telling lines."""
    failures = [each for each in found if each.kind is ActionKind.ERROR]
    solved = [each for each in failures if each.fix]
    if same := [each for each in solved if any(is_same_message(each.key, one) for one in asked.messages)]:
        return same[0]
    best, most = None, SAME_SHARE
    seen = Counter(key for key, _ in {(each.key, each.pointer) for each in failures})
    rare = {key for key in asked.lines if seen[key] < COMMON}
    for each in solved:
        shared = {one.key for one in found if (one.pointer, one.fix) == (each.pointer, each.fix)} & rare
        share = share_of_words(each.lines, shared)
        if share > most:
            best, most = each, share
    return best


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a query looks up."""

    query: WorkQuery
    path: str | None
    """The file's path in its project, or its absolute path where that is unknown."""
    roots: tuple[str, ...]
    """Folders of the project, if the file was named by an absolute path."""
    command: str | None
    errors: tuple[str, ...]
    lines: tuple[str, ...]
    """All lines by which an error may be known again."""

    @classmethod
    def of(cls, query: WorkQuery) -> _Asked:
        """Read the texts of a query."""
        names = ("file", "command", "error", "symbol")
        texts: dict[str, Any] = {name: repair(text)[0] for name in names if (text := getattr(query, name))}
        query = replace(query, **texts)
        path, roots = _in_project(query.file) if query.file else (None, ())
        errors = tuple(each.signature for each in find_errors(query.error or ""))
        lines = tuple(each.signature for each in telling_lines(query.error or ""))
        if query.error and not errors and not lines:
            errors = (normalised(query.error.strip()[:LONGEST_LINE].partition("\n")[0]),)
        return cls(query, path, roots, command_key(query.command) if query.command else None, errors, lines)

    @property
    def messages(self) -> tuple[str, ...]:
        """What the error says: the messages that are known as such, else its last line."""
        return self.errors or self.lines[-1:]

    @property
    def program(self) -> str | None:
        """The program that the command runs."""
        return self.command.partition(" ")[0] if self.command else None

    @property
    def looked_up(self) -> list[tuple[ActionKind, str]]:
        """Return the kinds and keys that the index is asked for."""
        names = _of_file(self.path) if self.path else []
        symbol = self.query.symbol.strip().removesuffix("()") if self.query.symbol else None
        symbols = [(kind, symbol) for kind in (ActionKind.SYMBOL, ActionKind.DECISION)] if symbol else []
        names += [(ActionKind.DECISION, self.command)] if self.command else []
        return [*names, *symbols, *((ActionKind.ERROR, each) for each in dict.fromkeys(self.errors + self.lines))]

    def find(
        self, session: UserSession, scope: Scope, *, limit: int, is_person: bool = False
    ) -> tuple[list[FoundAction], int]:
        """Return the actions, newest first.

        For a person, also those of a file under its former paths, of commands that begin so, and, where no error is
        the same, of errors that have most of its words.
        """
        query, paths = self.query, [self.path]
        lookup = Lookup(since=query.since, without=query.without_session, limit=limit)
        is_part = is_person and self.command is not None
        about = lookup._replace(keys=self.looked_up, path=self.path, command=self.command, is_part=is_part)
        about = about._replace(program=None if query.error else self.program)
        if not is_person:
            alike = words_of(self.messages[0]) if self.messages else ()
            about = about._replace(words=alike, least=LEAST_ALIKE)
        found, more = find_actions(session, about, scope)
        words = words_of([*self.errors, *self.lines][0]) if query.error and is_person else ()
        if words and not any(each.kind is ActionKind.ERROR for each in found):
            found, more = find_actions(session, about._replace(words=words), scope)
        while is_person and paths[-1] and len(paths) <= MOST_MOVES:
            former = find_former_path(session, _name(paths[-1]), paths[-1], scope)
            if former is None or former in paths:
                break
            paths.append(former)
            earlier, further = find_actions(session, lookup._replace(keys=_of_file(former), path=former), scope)
            found, more = found + earlier, more + further
        if is_part and not query.error:
            found = [each for each in found if each.kind is not ActionKind.ERROR or self._is_of_command(each)]
        return [each for each in found if self._is_about(each)], more

    def _is_of_command(self, found: FoundAction) -> bool:
        """Check whether what failed is the command, goes on behind it, or names the same in another order."""
        line, failed = self.query.command or "", found.subject
        return f"{failed} ".startswith(f"{self.command} ") or is_as_narrow(line, failed) or is_as_narrow(failed, line)

    def _is_about(self, found: FoundAction) -> bool:
        """Check that an absolute path lies in a folder of the project, or in one that may be another checkout of it."""
        if found.kind is not ActionKind.FILE or not self.roots or not self.path or not found.subject.startswith("/"):
            return True
        if any(found.subject.startswith(f"{root}/") for root in self.roots):
            return found.subject in {f"{root}/{self.path}" for root in self.roots}
        before = _name(found.subject.removesuffix(f"/{self.path}"))
        return "/" in self.path or any(_name(root) in before or "worktrees" in found.subject for root in self.roots)


def _in_project(file: str) -> tuple[str, tuple[str, ...]]:
    """Return a file's path in its checkout, and the folders of the checkout; as it is where that is not known."""
    path = file.replace("\\", "/")
    if not path.startswith("/"):
        return path.removeprefix("./"), ()
    root = next((each for each in PurePosixPath(path).parents if os.path.lexists(each / ".git")), None)
    if root is None:
        return path, ()
    main = find_checkout(root)
    roots = {str(root), str(main.root) if main else str(root)}
    return str(PurePosixPath(path).relative_to(root)), tuple(sorted(roots))


def _of_file(path: str) -> list[tuple[ActionKind, str]]:
    name = _name(path)
    wider = [*(f"{each}/" for each in path.split("/")[:-1] if each), f"*.{name.rpartition('.')[2]}"]
    return [(ActionKind.FILE, name), *((ActionKind.DECISION, each) for each in (name, *wider))]


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _entries(found: Sequence[FoundAction]) -> list[WorkEntry]:
    """Return the entries of actions, given newest first, in order of time.

    Of a file that a session changed several times it is the last, of a run its first error; an edit that fixed an error
    is the fix alone.
    """
    made: dict[object, WorkEntry] = {}
    failed = {each.pointer for each in found if each.kind is ActionKind.ERROR and each.said}
    for each in reversed(found):
        room = each.pointer.of_room
        if each.kind is ActionKind.DECISION:
            if each.operation == "off":
                made |= {at: _taken_back(one, each) for at, one in made.items() if one.kind is WorkKind.DECISION}
            made[each.pointer, each.said] = _decision(each)
        elif each.kind is ActionKind.ERROR:
            if each.said or each.pointer not in failed:
                made.setdefault(each.pointer, _failure(each))
            if each.fix:
                made[each.fix, each.subject] = _fix(each)
        else:
            made[room, each.key, each.subject, each.operation] = _edit(each)
    fixes = {entry.pointer for entry in made.values() if entry.kind is WorkKind.FIX}
    entries = (entry for entry in made.values() if entry.kind is not WorkKind.EDIT or entry.pointer not in fixes)
    return sorted(entries, key=lambda entry: entry.said_at or _NEVER)


def _entry(kind: WorkKind, found: FoundAction, text: str, **more: Any) -> WorkEntry:
    about = {"pointer": found.pointer, "role": found.role, "said_at": found.said_at, **more}
    return WorkEntry(kind, text, wing=found.wing, session=found.session, **about)


def _within(found: FoundAction, *paths: str) -> tuple[str, ...]:
    """Return paths in the project, on this machine or another."""
    roots = [*found.projects, *(folder_of(key, home_folder()) for key in found.projects)]
    return tuple(path_within(each, roots) for each in paths)


def _decision(found: FoundAction) -> WorkEntry:
    files = _within(found, found.subject) if is_file(found.subject) else ()
    return _entry(WorkKind.DECISION, found, " ".join((found.said or "").split()), files=files)


def _taken_back(entry: WorkEntry, by: FoundAction) -> WorkEntry:
    """Mark an earlier decision about the same file as taken back."""
    name = "/" + (entry.files[0] if entry.files else "")
    is_same = name.endswith(f"/{by.subject}") or f"/{by.subject}".endswith(name)
    if not is_same or by.said_at is None or TAKEN_BACK in entry.text:
        return entry
    return replace(entry, text=f"{entry.text} ({TAKEN_BACK} {by.said_at:%Y-%m-%d})")


def _edit(found: FoundAction) -> WorkEntry:
    if found.kind is ActionKind.SYMBOL:
        files = _within(found, found.subject)
        return _entry(WorkKind.EDIT, found, f"edited {found.key} in {files[0]}", files=files)
    files = _within(found, *filter(None, (found.moved_from, found.subject)))
    return _entry(WorkKind.EDIT, found, f"{_DONE[found.operation]} {' to '.join(files)}", files=files)


def _failure(found: FoundAction) -> WorkEntry:
    status = f" with exit status {found.exit_status}" if found.exit_status else ""
    what = f"`{found.subject}` failed{status}" if found.subject else "an error in a log"
    return _entry(WorkKind.FAILURE, found, what, **_about_error(found))


def _fix(found: FoundAction) -> WorkEntry:
    """Return how an error was fixed, in the assistant's words if it said any."""
    files = _within(found, *found.fix_files)
    by = ", ".join(files) or found.fix_command or ""
    words = " ".join(own_sentences((found.words or "")[:LONGEST_TURN])).strip()
    told = f"`{found.subject}` no longer failed after {by}" if found.subject else f"changed after it was seen: {by}"
    role = (Role.ASSISTANT if by else Role.USER) if words else Role.TOOL
    more = {"pointer": found.fix, "said_at": found.fix_said_at, "role": role, "fixed_by": by, "files": files}
    return _entry(WorkKind.FIX, found, words[:LONGEST_WORDS] or told, **_about_error(found), **more)


def _about_error(found: FoundAction) -> dict[str, Any]:
    error = (found.said or found.key).strip()[:LONGEST_WORDS]
    return {"command": found.subject or None, "exit_status": found.exit_status, "error": error or None}
