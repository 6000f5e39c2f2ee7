"""Several memories in one, and lessons from what was corrected or changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from palace.db.database import UserSession
from palace.db.drawers import get_drawers
from palace.db.memories import get_memories, get_parts, identities_of, list_contradicting
from palace.db.memory_life import list_corrected, with_superseded
from palace.db.memory_making import list_cited
from palace.db.standing import find_own
from palace.errors import BadRequest
from palace.memories.lessons import worded_lessons
from palace.memories.storing import WING, Draft, redactor_of, store
from palace.memories.wording import LONGEST as LONGEST_MERGED
from palace.memories.wording import merged_text, worded_text
from palace.mining.note import Note, file_note
from palace.models import (
    Drawer,
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

    It says all that they say, or what the model of the settings makes of that, and cites them as evidence; forgetting
    it brings them back.

    Raises:
        BadRequest: they are fewer than two, of several types, not all current and accepted, or too long together.
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
    worded = worded_text(opened, ordered) if model else None
    if worded is not None:
        part = replace(part, maker=MemoryMaker.MODEL)
    # A moment of its own tells it from the memory whose text it has.
    moment = (newest.drawer.dated_at + timedelta(microseconds=1)).astimezone(zone)
    note = Note(
        worded or merged_text(ordered),
        moment,
        newest.project,
        zone=zone,
        role=Role.ASSISTANT,
        memory=part,
        supersedes=identities,
    )
    return file_note(opened.work(), note, redactor_of(opened)).id


def groups_of_alike(memories: Sequence[Memory]) -> list[list[Memory]]:
    """Group current, accepted memories of a type and wing that are linked as alike, directly or through others.

    Episodes stay apart, as two are two events, and instructions, each of which applies alone; so does what contradicts
    anything. A group is cut where its texts would be too long for one memory.
    """
    apart = (MemoryType.EPISODIC, MemoryType.INSTRUCTION)
    may = {each.id: each for each in memories if each.type not in apart and not each.contradicts}
    group_of = {each: {each} for each in may}
    for each in may.values():
        for other in (may[pointer] for pointer in each.alike if pointer in may):
            is_near = (other.type, other.id.wing) == (each.type, each.id.wing)
            if is_near and other.id not in group_of[each.id]:
                joined = group_of[each.id] | group_of[other.id]
                group_of.update(dict.fromkeys(joined, joined))
    groups = {min(group): group for group in group_of.values()}
    cut = (part for _, group in sorted(groups.items()) for part in _cut([may[each] for each in sorted(group)]))
    return [part for part in cut if len(part) >= OFTEN]


def _cut(memories: Sequence[Memory]) -> Iterator[list[Memory]]:
    part: list[Memory] = []
    for each in memories:
        if part and sum(len(one.content) + 1 for one in (*part, each)) > LONGEST_MERGED:
            yield part
            part = []
        part.append(each)
    yield part


def reflect(opened: OpenPalace) -> list[Memory]:
    """Store lessons: what the person corrected twice after it was shown, and what changed twice.

    Where the settings name a model, it writes those that are new; what it fails at is written by rule.
    """
    corrected = opened.run(lambda session: dict(list_corrected(session, OFTEN)))
    noted = {each: f"Corrected {count} times, so ask before relying on it: " for each, count in corrected.items()} | {
        memory.drawer.id: f"Changed {count} times, so ask whether it still holds: "
        for memory, count in _changed(opened)
    }
    ids = list(noted)
    drawers = opened.run(lambda session: get_drawers(session, ids))
    identities = opened.run(lambda session: identities_of(session, ids))
    parts = opened.run(lambda session: get_parts(session, ids))
    own = opened.run(lambda session: find_own(session, ids, opened.names))
    drafts = [
        Draft(
            noted[each] + _quoted(drawer.content),
            MemoryType.REFLECTIVE,
            wing=WING,
            evidence=(identities[each],),
            origin=parts[each].origin if each in parts else _origin(drawer, is_own=each in own),
            maker=MemoryMaker.RULE,
        )
        for each, drawer in ((each, drawers[each]) for each in ids if each in drawers)
    ]
    if opened.effective().memory_model and drafts:
        cited = opened.run(lambda session: list_cited(session, list(identities.values())))
        drafts = worded_lessons(
            opened, [each for each in drafts if (each.evidence[0], MemoryType.REFLECTIVE) not in cited]
        )
    return store(opened, drafts)


def _origin(drawer: Drawer, *, is_own: bool) -> MemoryOrigin:
    if is_own:
        return MemoryOrigin.PERSON
    return MemoryOrigin.ASSISTANT if drawer.role is Role.ASSISTANT else MemoryOrigin.TOOL


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
