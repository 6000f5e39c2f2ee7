"""What to file of a conversation, given what is filed already. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from palace.mining.filing.identity import is_distinctive, leading_known, turn_identities
from palace.records import Conversation, KnownTurn


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """A turn to file: its place in the conversation, and whether it stands beside one it replaced."""

    position: int
    identity: bytes
    is_revision: bool


def plan_turns(
    identities: Sequence[bytes],
    known: Sequence[KnownTurn],
    elsewhere: frozenset[bytes] = frozenset(),
    replaced: Mapping[bytes, frozenset[bytes]] = MappingProxyType({}),
) -> tuple[PlannedTurn, ...]:
    """Plan the turns that are not filed yet, in order.

    One is a revision when a filed turn that the conversation no longer holds stands at its place or after it: the
    source was edited there, or took another branch. So is one that the source says took the place of a filed one:
    ``replaced`` gives what each turn took the place of. What is filed elsewhere is left there.
    """
    have = {turn.identity for turn in known} | elsewhere
    now = set(identities)
    last_displaced = max((turn.position for turn in known if turn.identity not in now), default=-1)
    planned: dict[bytes, PlannedTurn] = {}
    for position, identity in enumerate(identities):
        if identity not in have and identity not in planned:
            is_successor = not have.isdisjoint(replaced.get(identity, ()))
            is_revision = is_successor or position <= last_displaced
            planned[identity] = PlannedTurn(position, identity, is_revision=is_revision)
    return tuple(planned.values())


def replaced_turns(conversation: Conversation, identities: Sequence[bytes]) -> dict[bytes, frozenset[bytes]]:
    """Give, for each turn that took the place of others, by its identity, those of the others."""
    by_id = {turn.source_id: identity for turn, identity in zip(conversation.turns, identities, strict=True)}
    found: dict[bytes, set[bytes]] = {}
    for turn, identity in zip(conversation.turns, identities, strict=True):
        if turn.replaced_by is not None and turn.replaced_by in by_id:
            found.setdefault(by_id[turn.replaced_by], set()).add(identity)
    return {identity: frozenset(others) for identity, others in found.items()}


@dataclass(frozen=True, slots=True)
class Opening:
    """A filed conversation that begins as the one at hand does."""

    conversation_id: int
    identity: str
    known: Sequence[KnownTurn]


def choose_opening(
    conversation: Conversation, opening: str, candidates: Sequence[Opening], claimed: frozenset[int]
) -> str:
    """Decide which filed conversation one without a source id is, and give its identity; a new one if none.

    It is the one whose turns it shares longest, if one continues the other or they share at least two turns. An
    edit of the second turn looks like another conversation with the same opening; it counts as an edit when the
    opening is distinctive, and only one conversation that this run has not met yet (``claimed``) begins so.
    """
    best, best_shared = None, 0
    single = []
    for candidate in candidates:
        identities = turn_identities(conversation, candidate.identity)
        shared = leading_known(identities, {turn.identity for turn in candidate.known})
        continues = shared in (len(identities), len(candidate.known))
        if (continues or shared >= 2) and shared >= best_shared:
            best, best_shared = candidate.identity, shared
        if shared == 1 and candidate.conversation_id not in claimed:
            single.append(candidate.identity)
    if best is not None:
        return best
    if len(single) == 1 and is_distinctive(conversation.turns[0]):
        return single[0]
    taken = {candidate.identity for candidate in candidates}
    numbered = (f"{opening}#{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (opening, *numbered) if name not in taken)
