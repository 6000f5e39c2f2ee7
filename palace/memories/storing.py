"""Store memories: one that says the same as a known one becomes its new version, one that is alike is linked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from palace.db.database import UserSession
from palace.db.memories import get_memories, get_parts, list_same, put_memories
from palace.memories.comparing import Likeness, compare
from palace.mining.note import Note, file_notes
from palace.mining.pipeline import MineOptions
from palace.mining.redaction import find_rules
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

    @property
    def part(self) -> MemoryPart:
        """What is stored of it beside its text."""
        is_proposed = self.type is MemoryType.INSTRUCTION and self.origin is not MemoryOrigin.PERSON
        state = MemoryState.PROPOSED if is_proposed else self.state
        return MemoryPart(
            type=self.type,
            state=state,
            origin=self.origin,
            maker=self.maker,
            importance=self.importance,
            confidence=self.confidence,
            reason=UNTRUSTED if is_proposed else None,
            evidence=self.evidence,
            expires_at=self.expires_at,
        )


def store(opened: OpenPalace, drafts: Sequence[Draft]) -> list[Memory]:
    """Store memories, in order; return each as it is stored now.

    One with the same text as a known one of its type in its wing, whatever its state, only adds its evidence. Raises
    the errors of ``Palace.note``.
    """
    opened.database.shared.check_schema()
    ids: list[int] = []
    with memory("upsert_memory", "memories.store") as observed:
        for draft in drafts:
            ids.append(_store(opened, draft))
        observed.count(len(ids))
    return opened.run(lambda session: get_memories(session, ids))


def _store(opened: OpenPalace, draft: Draft) -> int:
    zone = opened.settings.zone
    known = None if draft.id else opened.run(lambda session: _find_same(session, draft))
    if known is not None:
        return known
    likeness = Likeness() if draft.id else compare(opened, draft.content, draft.type, draft.wing or WING)
    part = draft.part
    replaces: bytes | None = None
    if likeness.same is not None and part.state is MemoryState.ACCEPTED:
        replaces, part = likeness.same.identity, _merged(likeness, part)
    else:
        part = replace(part, alike=tuple(each.identity for each in likeness.alike))
    moment = draft.said_at or datetime.now(zone)
    role = Role.USER if draft.maker is MemoryMaker.PERSON else Role.ASSISTANT
    wing = None if replaces else draft.wing or WING
    note = Note(draft.content, moment, wing, draft.id, zone, role=role, replaces=replaces, memory=part)
    rules = opened.run(lambda session: find_rules(session, opened.settings))
    redactor = MineOptions(rules=rules).redactor(opened.database)
    return file_notes(opened.work(), [note], redactor)[0].id


def _find_same(session: UserSession, draft: Draft) -> int | None:
    """Return a known memory with the text of a draft, to which its evidence is added; None without one."""
    same = list_same(session, draft.content, draft.type, slugify(draft.wing or WING))
    if not same:
        return None
    part = get_parts(session, same[:1])[same[0]]
    evidence = tuple(dict.fromkeys((*part.evidence, *draft.evidence)))
    if evidence != part.evidence:
        put_memories(session, {same[0]: replace(part, evidence=evidence, updated_at=datetime.now(UTC))})
    return same[0]


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
