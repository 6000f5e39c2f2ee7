"""Store memories: one that says the same as a known one becomes its new version, one that is alike is linked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial

from palace.db.database import UserSession
from palace.db.memories import find_same, get_memories, ids_of
from palace.errors import DatabaseRefused, Replaced
from palace.memories.comparing import Likeness, compare
from palace.memories.conflicts import Verdict, judge
from palace.mining.filing.conversation import ATTEMPTS
from palace.mining.note import Forgotten, Note, NoteRun
from palace.mining.pipeline import MineOptions
from palace.mining.redaction import Redactor, find_rules
from palace.models import (
    Memory,
    MemoryMaker,
    MemoryOrigin,
    MemoryPart,
    MemoryState,
    MemoryType,
    Role,
)
from palace.nlp.words import slugify
from palace.opened import OpenPalace
from palace.telemetry import memory

WING = "Memories"
"""The wing of memories that name none."""
UNTRUSTED = "no person said it"


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory that is to be stored."""

    content: str
    type: MemoryType
    wing: str | None = None
    evidence: tuple[bytes, ...] = ()
    """Identities of the drawers that it stands on."""
    importance: float = 0.5
    confidence: float = 1.0
    origin: MemoryOrigin = MemoryOrigin.PERSON
    maker: MemoryMaker = MemoryMaker.PERSON
    state: MemoryState = MemoryState.ACCEPTED
    expires_at: datetime | None = None
    said_at: datetime | None = None
    """When it was said, aware; None for now."""
    id: str | None = None
    """The caller's own id: another text under it is a new version; it is not compared with others."""
    only_there: bool = False
    """Whether memories of other wings are left alone."""

    @property
    def part(self) -> MemoryPart:
        """What is stored of it beside its text."""
        is_untrusted = self.type is MemoryType.INSTRUCTION and self.origin is not MemoryOrigin.PERSON
        state = MemoryState.PROPOSED if is_untrusted else self.state
        return MemoryPart(
            type=self.type,
            state=state,
            origin=self.origin,
            maker=self.maker,
            importance=self.importance,
            confidence=self.confidence,
            reason=UNTRUSTED if state is MemoryState.PROPOSED else None,
            evidence=self.evidence,
            expires_at=self.expires_at,
        )


def store(opened: OpenPalace, drafts: Sequence[Draft]) -> list[Memory]:
    """Store memories, in order; return each as it is stored now.

    One with the same text as a known one of its type in its wing, whatever its state, only adds its evidence. Raises
    the errors of ``Palace.note``.
    """
    opened.database.shared.check_schema()
    storing = Storing(opened)
    try:
        ids = storing.store(drafts)
    finally:
        storing.finish()
    return opened.run(lambda session: get_memories(session, ids))


def redactor_of(opened: OpenPalace) -> Redactor:
    """Return the redaction of memories by the user's rules."""
    rules = opened.run(lambda session: find_rules(session, opened.settings))
    return MineOptions(rules=rules).redactor(opened.database)


class Storing:
    """Stores memories in one run, which begins with the first one that is filed."""

    def __init__(self, opened: OpenPalace) -> None:
        self._opened = opened
        self._run: NoteRun | None = None
        self.new: frozenset[int] = frozenset()
        """The drawers that were filed, once it is finished."""

    @property
    def run_id(self) -> int | None:
        """The run; None where nothing was to be filed."""
        return None if self._run is None else self._run.run_id

    def store(self, drafts: Sequence[Draft], *, skips_forgotten: bool = False) -> list[int]:
        """Store memories as ``store`` does, and return their drawers; those that were forgotten may be skipped."""
        ids: list[int] = []
        with memory("upsert_memory", "memories.store") as observed:
            for draft in drafts:
                with suppress(Forgotten) if skips_forgotten else nullcontext():
                    ids.append(_store(self._opened, draft, self))
            observed.count(len(ids))
        return ids

    @cached_property
    def redactor(self) -> Redactor:
        """The redaction of what is stored."""
        return redactor_of(self._opened)

    def file(self, note: Note) -> int:
        """File a memory, and return its drawer."""
        if self._run is None:
            self._run = NoteRun(self._opened.work(), self.redactor, note.reader)
        return self._run.file(note)

    def finish(self) -> None:
        """Index what was filed, and end the run."""
        if self._run is not None:
            self.new = self._run.finish()


def _store(opened: OpenPalace, draft: Draft, storing: Storing) -> int:
    content = storing.redactor.stored(draft.content).text
    for _ in range(ATTEMPTS):
        known = None if draft.id else opened.run(partial(_find_same, draft=draft, content=content))
        if known is not None:
            return known
        # Another version may take the place of the memory that it says again, before it does.
        with suppress(Replaced):
            return storing.file(_note_of(opened, draft, content))
    raise DatabaseRefused("what says the same is being replaced again and again")


def _note_of(opened: OpenPalace, draft: Draft, content: str) -> Note:
    """Return the note that a draft is filed as; ``content`` is its text without secrets."""
    wing, zone = draft.wing or WING, opened.settings.zone
    likeness = Likeness() if draft.id else compare(opened, content, draft.type, wing, only_there=draft.only_there)
    part, moment = draft.part, draft.said_at or datetime.now(zone)
    is_accepted = part.state is MemoryState.ACCEPTED
    verdict = judge(likeness.rivals, draft.origin, moment) if is_accepted else Verdict()
    replaces: bytes | None = None
    # Two episodes are two events, however alike they are.
    is_event = draft.type is MemoryType.EPISODIC
    if likeness.same is not None and is_accepted and not is_event and _is_trusted(part, likeness.same.part):
        replaces, part = likeness.same.identity, _merged(likeness, part)
    else:
        same = () if likeness.same is None else (likeness.same,)
        part = replace(part, alike=tuple(each.identity for each in (*same, *likeness.alike)))
    part = replace(part, contradicts=verdict.contradicts)
    is_own = draft.maker is MemoryMaker.PERSON and draft.origin is MemoryOrigin.PERSON
    role = Role.USER if is_own else Role.ASSISTANT
    note = Note(draft.content, moment, wing, draft.id, zone, role=role, replaces=replaces, memory=part)
    settled = replace(note, supersedes=verdict.supersedes, superseded_by=verdict.superseded_by)
    return replace(settled, is_same_known=draft.id is None)


def _find_same(session: UserSession, draft: Draft, content: str) -> int | None:
    same = find_same(session, content, draft.part, slugify(draft.wing or WING))
    return None if same is None else ids_of(session, [same])[0]


def _is_trusted(newer: MemoryPart, former: MemoryPart) -> bool:
    """Check whether who is behind a memory is trusted as much as who is behind the one that it would replace."""
    trusted = list(MemoryOrigin)
    return trusted.index(newer.origin) <= trusted.index(former.origin)


def _merged(likeness: Likeness, part: MemoryPart) -> MemoryPart:
    """Return the part of a new version: pinned as the former one was, with the evidence of both."""
    assert likeness.same is not None
    former = likeness.same.part
    return replace(
        part,
        evidence=tuple(dict.fromkeys((*former.evidence, *part.evidence))),
        importance=max(former.importance, part.importance),
        is_pinned=former.is_pinned,
    )
