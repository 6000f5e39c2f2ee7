"""Memories that say otherwise than others: which of two holds, the pairs that a person decides, and the decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from palace.db.database import UserSession
from palace.db.filing import versions
from palace.db.memories import (
    Nearest,
    contradict,
    get_memories,
    get_parts,
    identities_of,
    list_contradicting,
    put_memories,
)
from palace.db.memory_life import has_newer_version, list_successors, supersede
from palace.errors import BadRequest, Replaced
from palace.models import Conflict, Memory, MemoryOrigin, MemoryState


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a new memory and of those that say otherwise, by their identities."""

    contradicts: tuple[bytes, ...] = ()
    """All that say otherwise."""
    supersedes: tuple[bytes, ...] = ()
    """Those whose place it takes."""
    superseded_by: bytes | None = None
    """The one that takes its place: it is newer, and the person said it."""


def judge(rivals: Sequence[Nearest], origin: MemoryOrigin, said_at: datetime) -> Verdict:
    """Decide by rule between a new memory and its rivals: the newer holds if the person said it.

    Else, and where the older one is pinned, a person decides.
    """
    is_own = origin is MemoryOrigin.PERSON
    older = tuple(each for each in rivals if each.said_at <= said_at and is_own and not each.part.is_pinned)
    newer = [each for each in rivals if each.said_at > said_at and each.part.origin is MemoryOrigin.PERSON]
    latest = max(newer, key=lambda each: each.said_at, default=None)
    return Verdict(
        tuple(each.identity for each in rivals),
        tuple(each.identity for each in older),
        latest.identity if latest else None,
    )


def list_conflicts(session: UserSession) -> tuple[Conflict, ...]:
    """List the pairs of accepted, current memories that contradict each other, the latest first."""
    memories = {each.id: each for each in get_memories(session, list_contradicting(session))}
    now = datetime.now(UTC)
    active = {pointer for pointer, each in memories.items() if each.is_active(now)}
    pairs = {frozenset((each, other)) for each in active for other in memories[each].contradicts if other in active}
    ordered = (sorted((memories[each] for each in pair), key=lambda each: each.drawer.dated_at) for pair in pairs)
    found = [Conflict(older, newer) for older, newer in ordered]
    return tuple(sorted(found, key=lambda each: (each.newer.drawer.dated_at, each.older.drawer.dated_at), reverse=True))


def settle(session: UserSession, kept: Memory) -> None:
    """Let a memory take the place of all that it contradicts; one that was superseded is current again.

    Raises:
        BadRequest: it contradicts nothing; ``Replaced``: it has a newer version.
    """
    if has_newer_version(session, kept.drawer.id):
        raise Replaced(f"{kept.id} has a newer version, {kept.superseded_by}: resolve that one")
    part = get_parts(session, [kept.drawer.id], holds=True)[kept.drawer.id]
    if not part.contradicts:
        raise BadRequest(f"{kept.id} contradicts no memory: there is nothing to resolve")
    identity = identities_of(session, [kept.drawer.id])[kept.drawer.id]
    # What took its place in several steps is of another opinion too.
    rivals = tuple(dict.fromkeys((*part.contradicts, *list_successors(session, identity))))
    part = replace(part, state=MemoryState.ACCEPTED, contradicts=rivals, expires_at=None, updated_at=datetime.now(UTC))
    versions.restore(session, [identity])
    put_memories(session, {kept.drawer.id: part})
    contradict(session, rivals, identity)
    supersede(session, rivals, identity)
