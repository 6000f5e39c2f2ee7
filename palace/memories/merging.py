"""Several memories in one, and lessons from what was corrected or changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from palace.db.database import UserSession
from palace.db.drawers import get_drawers
from palace.db.memories import get_memories, get_parts, identities_of, list_contradicting
from palace.db.memory_life import list_corrected, with_superseded
from palace.errors import BadRequest
from palace.memories.storing import WING, Draft, redactor_of, store
from palace.memories.wording import merged_text
from palace.mining.note import Note, file_note
from palace.models import (
    Memory,
    MemoryMaker,
    MemoryOrigin,
    MemoryPart,
    MemoryState,
    MemoryType,
    Role,
)
from palace.opened import OpenPalace

OFTEN = 2
"""How often something is corrected, or changes, before a lesson is drawn."""
LONGEST = 300
"""Most characters of what a lesson quotes."""


def consolidate(opened: OpenPalace, memories: Sequence[Memory]) -> int:
    """Put one memory in the place of several; return its drawer.

    It has the newest text, or that of the model of the settings, and cites them as evidence; forgetting it brings
    them back.

    Raises:
        BadRequest: they are fewer than two, of several types, or not all current and accepted.
    """
    memories = list({each.id: each for each in memories}.values())
    if len(memories) < OFTEN or len({each.type for each in memories}) > 1:
        raise BadRequest("only two or more memories of one type can be put together")
    if any(each.superseded_by or each.state is not MemoryState.ACCEPTED for each in memories):
        raise BadRequest("only current, accepted memories can be put together")
    newest = max(memories, key=lambda each: (each.drawer.dated_at, each.drawer.id))
    ids = [each.drawer.id for each in memories]
    parts = list(opened.run(lambda session: get_parts(session, ids)).values())
    found = opened.run(lambda session: identities_of(session, ids))
    identities = tuple(found[each] for each in ids)
    trusted = list(MemoryOrigin)
    part = MemoryPart(
        type=newest.type,
        origin=max((each.origin for each in parts), key=trusted.index),
        maker=MemoryMaker.RULE,
        importance=max(each.importance for each in parts),
        confidence=max(each.confidence for each in parts),
        is_pinned=any(each.is_pinned for each in parts),
        evidence=identities,
    )
    zone, model = opened.settings.zone, opened.effective().memory_model
    ordered = [each.content for each in sorted(memories, key=lambda each: (each.drawer.dated_at, each.drawer.id))]
    worded = merged_text(opened, model, ordered) if model else None
    if worded is not None:
        part = replace(part, maker=MemoryMaker.MODEL)
    # A moment of its own tells it from the memory whose text it has.
    moment = (newest.drawer.dated_at + timedelta(microseconds=1)).astimezone(zone)
    note = Note(
        worded or newest.content,
        moment,
        newest.project,
        zone=zone,
        role=Role.ASSISTANT,
        memory=part,
        supersedes=identities,
    )
    return file_note(opened.work(), note, redactor_of(opened)).id


def reflect(opened: OpenPalace) -> list[Memory]:
    """Store lessons: what the person corrected twice after it was shown, and what changed twice."""
    corrected = opened.run(lambda session: dict(list_corrected(session, OFTEN)))
    drawers = opened.run(lambda session: get_drawers(session, list(corrected)))
    lessons = [
        (f"Corrected {corrected[drawer_id]} times, so ask before relying on it: {_quoted(drawer.content)}", drawer_id)
        for drawer_id, drawer in drawers.items()
    ]
    for memory, changes in _changed(opened):
        lessons.append(
            (f"Changed {changes} times, so ask whether it still holds: {_quoted(memory.content)}", memory.drawer.id)
        )
    ids = [drawer_id for _, drawer_id in lessons]
    identities = opened.run(lambda session: identities_of(session, ids))
    drafts = [
        Draft(
            text,
            MemoryType.REFLECTIVE,
            wing=WING,
            evidence=(identities[drawer_id],),
            maker=MemoryMaker.RULE,
        )
        for text, drawer_id in lessons
    ]
    return store(opened, drafts)


def _changed(opened: OpenPalace) -> list[tuple[Memory, int]]:
    """List the current facts that took the place of others at least twice, with how often."""
    types = (MemoryType.SEMANTIC, MemoryType.INSTRUCTION)
    # Only what contradicts something took the place of anything else.
    current = opened.run(lambda session: get_memories(session, list_contradicting(session)))
    likely = [each for each in current if each.type in types]

    def chains_of(session: UserSession) -> list[list[int]]:
        return [with_superseded(session, [each.drawer.id]) for each in likely]

    chains = opened.run(chains_of)
    counted = [(each, len(chain) - 1) for each, chain in zip(likely, chains, strict=True)]
    return [(each, changes) for each, changes in counted if changes >= OFTEN]


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[:LONGEST].rsplit(" ", 1)[0] + " …"
