"""Hand an agent the one entry of the work history that bears on what it is about to do, or on an error it met.

Nothing is embedded. What a tool printed is never passed on: of an entry that a tool said only the command, its exit
status, the name of the error and what fixed it are written.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from palace.ai.tokens import estimate_tokens
from palace.config.checkout import find_checkout, key_of_folder
from palace.config.effective import Effective
from palace.db.database import UserSession
from palace.db.settings import ask_held_settings
from palace.db.users import ask_name
from palace.db.work import FoundText, find_text
from palace.errors import NotFound
from palace.hooks.git_changes import changed_since
from palace.hooks.hand_over_log import HandOverRecord, add_hand_over
from palace.hooks.sessions import Session, Sessions
from palace.hooks.tool_use import ToolUse
from palace.mining.redaction import rules_of
from palace.models import ProjectScope, Role, WorkEntry, WorkKind, WorkQuery
from palace.nlp.inert import inert
from palace.nlp.secrets import redact
from palace.nlp.secrets.numbers import with_accounts
from palace.nlp.sentences import split_sentences
from palace.nlp.work.commands import command_key
from palace.nlp.work.lasting import weight_of_lasting
from palace.nlp.work.names import OTHERS, calls_in, offers, own_sentences, own_text
from palace.opened import OpenPalace
from palace.operations.projects import ask_scope
from palace.operations.work import find_relevant
from palace.recall.pack import CLOSE, OPEN, date_in
from palace_hook.events import HookEvent

MOST_BYTES = 400
"""Bytes of a block, with its tags."""
LONGEST_TEXT = 280
"""Characters of a decision with the sentences around it."""
LONGEST_SHORT, LONGEST_ASKED = 80, 160
"""Characters of a decision that is shown with what it answers, and of that, its end."""
UNUSED = 3
"""Times that an entry is handed over without being used, at most."""
_SAID = frozenset({Role.USER, Role.ASSISTANT})
_AROUND = "'\"`.,;:()!?"
_ERROR = re.compile(r"\b(?:[A-Za-z]{1,40}(?:Error|Exception)|E[A-Z]{4,20}|[A-Z]{1,4}-?\d{3,5})\b")
_HANDING = Lock()
"""Held while a session's state is read and changed: an agent uses several tools at once."""


@dataclass(frozen=True, slots=True)
class Relevant:
    """What was found for the use of a tool, and the block for it."""

    silent: str = ""
    """Why nothing is handed over, in one line; "" where something is."""
    entry: WorkEntry | None = None
    drawer: FoundText | None = None
    block: str = ""
    text: str = ""
    """The words of the block."""
    where: ProjectScope = field(default_factory=lambda: ProjectScope(""))


@dataclass(frozen=True, slots=True)
class CachedPalace:
    """A palace as it was opened for an earlier event; each use checks, in its own statement, that it still holds.

    Safe to share between threads.
    """

    opened: OpenPalace
    wings: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Ids of the wings that may be recalled, by the project's key."""


@dataclass(slots=True)
class HandOver:
    """Answers one event around a tool, in a thread that may be abandoned; its fields hold the results."""

    opening: Callable[[], OpenPalace]
    cache: dict[str, CachedPalace]
    """By user."""
    event: HookEvent
    use: ToolUse
    known: Session
    sessions: Sessions
    block: str = ""
    step: str = "open"

    def run(self) -> None:
        """Find the entry that bears, and write it, unless the session has it already.

        Raises:
            PalaceError: a step failed.
        """
        began, use = time.monotonic(), self.use
        try:
            found = self._look_up()
        except NotFound:  # the user was deleted, and may have been created again
            self.cache.pop(self.sessions.user, None)
            found = self._look_up()
        if not found.block or found.drawer is None or found.entry is None:
            return
        with _HANDING:
            known = replace(self.sessions.load(self.event.session), folder=self.known.folder)
            if found.drawer.id in known.drawers:
                return
            self.sessions.save(self.event.session, known.with_drawers([found.drawer.id]))
        self.known, self.block = known, found.block
        others = tuple(Path(file).name for file in found.entry.files if not " ".join(use.files).endswith(file))
        spent = round((time.monotonic() - began) * 1000, 1)
        tokens = estimate_tokens(found.block)
        record = HandOverRecord(
            time.time(), self.event.session, found.drawer.id, found.where.wing_id or 0, tokens, spent
        )
        add_hand_over(self.sessions, replace(record, text=found.text, files=others))

    def _look_up(self) -> Relevant:
        user = self.sessions.user
        cached = self.cache.get(user) or self.cache.setdefault(user, CachedPalace(self.opening()))
        self.step = "bearing"
        return look_up(cached, self.use, self.event.harness, self.event.session, self.known)


def look_up(cached: CachedPalace, use: ToolUse, agent: str, session: str, known: Session) -> Relevant:
    """Return the entry that bears on the use of a tool in a session, with its block, or why there is none.

    Raises:
        DatabaseError: the palace cannot be read. NotFound: its user is another one now, or none.
    """
    key, opened = key_of_folder(known.folder), cached.opened
    # Commands and errors are stored without secrets.
    rules = rules_of(opened.settings)
    use = replace(use, command=redact(use.command, rules).text, error=redact(use.error, rules).text)

    def find(palace: UserSession) -> tuple[Effective, Relevant]:
        # What is asked goes with the first search, in one message.
        name, stored, scope = ask_name(palace), ask_held_settings(palace, agent), ask_scope(palace, key)
        wings = cached.wings.get(key, ())
        entry = _first(palace, use, wings, session)
        if name.get() != opened.user:
            raise NotFound(f"there is no user {opened.user!r} any more")
        where, effective = scope(), Effective.of(opened.settings, stored.get(), agent)
        if where.wing_ids != wings:
            cached.wings[key] = where.wing_ids
            entry = _first(palace, use, where.wing_ids, session)
        is_on = effective.enabled and opened.settings.hooks and effective.injection != "none"
        found = _found(palace, entry, use, where, known) if is_on else Relevant("memory is switched off for this agent")
        return effective, replace(found, where=where)

    effective, found = opened.run(find)
    if found.silent or found.entry is None or found.drawer is None:
        return found
    text = with_accounts(redact(_said(found.entry), rules_of(opened.settings)).text, effective.accounts)
    block = written(found.entry, text, _since(opened, found.entry, use, known.folder), opened)
    if estimate_tokens(block) > effective.injection_tokens:
        return replace(found, silent="it does not fit (`injection_tokens`)")
    return replace(found, block=block, text=text)


def _first(palace: UserSession, use: ToolUse, wings: Sequence[int], session: str) -> WorkEntry | None:
    """Return the first entry in some wings that bears; without wings nothing is searched."""
    return next(filter(None, (find_relevant(palace, each, wings) for each in _queries(use, session))), None)


def _found(palace: UserSession, entry: WorkEntry | None, use: ToolUse, where: ProjectScope, known: Session) -> Relevant:
    if not where.wing_ids:
        return Relevant("nothing was filed for this project yet, and no wing is listed for it")
    is_agents = entry is not None and entry.role is Role.ASSISTANT
    drawer = find_text(palace, entry.pointer, unused=UNUSED, with_commands=is_agents) if entry else None
    if entry is None or drawer is None or _is_of_another(entry, use, known.folder):
        return Relevant("no decision, failure or fix bears on it")
    if drawer.id in known.drawers:
        return Relevant("the session has it already")
    if drawer.is_never_used:
        return Relevant("it was handed over before, and never used")
    words = entry.text
    if entry.kind is WorkKind.DECISION:
        words = _around(entry.text, drawer.content)
        is_answer = entry.role is Role.USER and len(words) <= LONGEST_SHORT
        is_answer = is_answer and ("?" in drawer.before or offers(drawer.before))
        before = [each for each in own_sentences(drawer.before) if not any(calls_in(each))] if is_answer else []
        asked = " ".join(before)[-LONGEST_ASKED:].partition(" ")[2]
        words = f"{words} (answers: … {asked})" if asked else words
    if is_agents and any(calls_in(words)):
        words = _without_calls(words, drawer.commands)
        if not words and entry.kind is WorkKind.DECISION:
            return Relevant("it asks for a command that did not run in its session")
        entry = entry if words else replace(entry, role=Role.TOOL)
    return Relevant("", replace(entry, text=words or entry.text), drawer)


def written(entry: WorkEntry, text: str, since: str, opened: OpenPalace) -> str:
    """Write an entry as a block of one drawer on one line, of at most ``MOST_BYTES``; the text is shortened to fit."""
    when = date_in(entry.said_at, opened.settings.zone) if entry.said_at else "undated"
    who = entry.role.value if entry.role in _SAID else Role.TOOL.value
    head = f"{OPEN}\n{entry.pointer} | {', '.join(filter(None, (when, since)))} | {who} | "
    words = text.split()
    for count in range(len(words), 0, -1):
        shown = " ".join(words[:count]) + ("" if count == len(words) else " …")
        block = f"{head}{inert(shown)}\n{CLOSE}"
        if len(block.encode()) <= MOST_BYTES:
            return block
    return f"{head}…\n{CLOSE}"


def _queries(use: ToolUse, session: str) -> Iterable[WorkQuery]:
    """Yield a query for each file, or for the error or command, leaving out what the session itself did."""
    own = session or None
    yield from (WorkQuery(file=file, without_session=own) for file in use.files)
    if use.error or use.command:
        yield WorkQuery(error=use.error or None, command=use.command or None, without_session=own)


def _is_of_another(entry: WorkEntry, use: ToolUse, folder: str) -> bool:
    """Check whether a decision about a bare name means the file at the root of the checkout, not this one."""
    checkout, named = find_checkout(folder), entry.files[:1]
    if entry.kind is not WorkKind.DECISION or checkout is None or not named or "/" in named[0]:
        return False
    at_root = str(checkout.root / named[0])
    return at_root not in use.files and os.path.lexists(at_root)


def _around(sentence: str, message: str) -> str:
    """Return a sentence of a message with those of the writer's own that say most of what lasts, as far as they fit."""
    text = " ".join(own_text(message).split())
    if len(text) <= LONGEST_TEXT and OTHERS not in text:
        return text
    spans, at = split_sentences(text), text.find(sentence)
    shown = {n for n, span in enumerate(spans) if span.start < at + len(sentence) and span.end > at}
    if at < 0 or not shown:
        return sentence
    said = [text[span.start : span.end] for span in spans]
    for n in sorted(range(len(said)), key=lambda each: -weight_of_lasting(said[each])):
        if OTHERS not in said[n] and sum(len(said[each]) + 1 for each in shown | {n}) <= LONGEST_TEXT:
            shown.add(n)
    found = "".join(f"{said[n]} " if n + 1 in shown else f"{said[n]} … " for n in sorted(shown)).removesuffix(" … ")
    return sentence if OTHERS in found else found


def _without_calls(text: str, ran: Sequence[str]) -> str:
    """Return the sentences of an agent's text that ask for no command but those that ran in its session."""
    keys = [command_key(line).split() for line in ran]
    words = {word.strip(_AROUND) for line in ran for word in line.split()}

    def has_run(call: str) -> bool:
        asked = [word.strip(_AROUND) for word in command_key(call).split()]
        is_begun = any(key[: len(asked[:2])] == asked[: len(key[:2])] for key in keys)
        return is_begun and all(word in words for word in asked if not word.isalpha())

    return " ".join(each for each in own_sentences(text) if all(map(has_run, calls_in(each)))).strip()


def _said(entry: WorkEntry) -> str:
    """Return what an entry says: the words of a person or an agent, else what happened, in our words."""
    did = "fixed by" if entry.command else "changed then"
    fixed = f"{did}: {entry.fixed_by}" if entry.fixed_by and entry.fixed_by not in entry.text else ""
    if entry.kind is WorkKind.DECISION or (entry.role in _SAID and not fixed):
        return entry.text
    if entry.role in _SAID and entry.files:
        return f"{entry.text.rstrip('.')}; {fixed}"
    name = _ERROR.search(entry.error or "")
    status = [f"exit {entry.exit_status}"] if entry.exit_status else []
    why = ", ".join([*status, *([name[0]] if name else [])])
    what = f"`{entry.command}` failed" if entry.command else "this error was seen"
    what = f"{what} ({why})" if why else what
    if entry.role in _SAID:
        # What was run is short and goes first: the words may have to be cut.
        return f"{what}; {fixed}; {entry.text}"
    fixed = f"{did}: {entry.fixed_by}" if entry.fixed_by else "" if entry.kind is WorkKind.FAILURE else "it was fixed"
    return "; ".join(filter(None, (what, fixed)))


def _since(opened: OpenPalace, entry: WorkEntry, use: ToolUse, folder: str) -> str:
    """Return what became of the file that an entry is about since it was said; "" if that is unknown."""
    checkout, named = find_checkout(folder), entry.files[:1] or use.files[:1]
    if entry.said_at is None or checkout is None or not named:
        return ""
    path = next((each for each in use.files if Path(each).name == Path(named[0]).name), str(checkout.root / named[0]))
    return changed_since(path, entry.said_at, opened.settings.home_folder)
