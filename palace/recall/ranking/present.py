"""The present in front: of drawers that say the same kind of thing, the newest. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from palace.recall.intent import Intent
from palace.recall.ranking.fuse import Fused
from palace.records import Compared


@dataclass(frozen=True, slots=True)
class Present:
    """When two drawers say the same kind of thing: alike, and both with the query's words."""

    drawers: int = 30
    """How many of the best are looked at; 0 for none."""
    alike: float = 0.65
    """The likeness (cosine) of what they say from which on they do."""
    behind: float = 0.2
    """By how much the newer may be less similar to the query."""
    words: float = 0.5
    """The share of the query's words, by their rarity, that each holds, the newer as many as the older."""


def asked_of(ranked: Sequence[Fused], intent: Intent, present: Present) -> list[int]:
    """List the drawers, by id, of which the newest is to stand in front: the best ones, said by the person.

    None where the query asks for another time than the present.
    """
    if intent.asks_past or intent.windows:
        return []
    said = (fused.drawer for fused in ranked[: present.drawers])
    return [drawer.passage.drawer_id for drawer in said if drawer.is_person and not drawer.is_replaced]


def latest_first(ranked: Sequence[Fused], alike: Mapping[frozenset[int], float], present: Present) -> list[Fused]:
    """Put a drawer in front of the best older one that says the same kind of thing; it is worth as much."""
    renewed = _renewed(ranked, alike, present)
    placed: list[Fused] = []
    for fused in ranked:
        older = renewed.get(fused.drawer.passage.drawer_id, frozenset())
        place = next((at for at, other in enumerate(placed) if other.drawer.passage.drawer_id in older), None)
        if place is None:
            placed.append(fused)
        else:
            placed.insert(place, replace(fused, score=max(fused.score, placed[place].score)))
    newer: dict[int, Compared] = {}
    for fused in placed:
        for drawer_id in renewed.get(fused.drawer.passage.drawer_id, frozenset()):
            newer.setdefault(drawer_id, fused.drawer)
    return [replace(each, newer=newer.get(each.drawer.passage.drawer_id)) if newer else each for each in placed]


def _renewed(
    ranked: Sequence[Fused], alike: Mapping[frozenset[int], float], present: Present
) -> dict[int, frozenset[int]]:
    """Map drawers, by id, to those that each says anew."""
    by_id = {fused.drawer.passage.drawer_id: fused for fused in ranked}
    found: dict[int, frozenset[int]] = {}
    for pair in alike:
        for newer in pair:
            (older,) = pair - {newer}
            if newer in by_id and older in by_id and _renews(by_id[newer], by_id[older], alike, present):
                found[newer] = found.get(newer, frozenset()) | {older}
    return found


def _renews(newer: Fused, older: Fused, alike: Mapping[frozenset[int], float], present: Present) -> bool:
    """Tell whether a drawer says later what another one says, or something else of the same."""
    one, other = newer.drawer, older.drawer
    likeness = alike.get(frozenset((one.passage.drawer_id, other.passage.drawer_id)), 0.0)
    if likeness < present.alike or one.said_at <= other.said_at or not (one.is_dated and other.is_dated):
        return False
    holds_words = present.words <= one.coverage >= other.coverage * 0.99
    return holds_words and (one.similarity or 0.0) >= (other.similarity or 0.0) - present.behind
