"""The present in front: of drawers that say the same kind of thing, the newest. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from palace.recall.intent import Intent
from palace.recall.ranking.fuse import Fused


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
    placed: list[Fused] = []
    for fused in ranked:
        place = next((at for at, other in enumerate(placed) if _renews(fused, other, alike, present)), None)
        if place is None:
            placed.append(fused)
        else:
            placed.insert(place, replace(fused, score=max(fused.score, placed[place].score)))
    return [_marked(fused, placed[:at], alike, present) for at, fused in enumerate(placed)]


def _marked(fused: Fused, before: Sequence[Fused], alike: Mapping[frozenset[int], float], present: Present) -> Fused:
    newer = next((each.drawer for each in before if _renews(each, fused, alike, present)), None)
    return replace(fused, newer=newer) if newer else fused


def _renews(newer: Fused, older: Fused, alike: Mapping[frozenset[int], float], present: Present) -> bool:
    """Tell whether a drawer says later what another one says, or something else of the same."""
    one, other = newer.drawer, older.drawer
    likeness = alike.get(frozenset((one.passage.drawer_id, other.passage.drawer_id)), 0.0)
    if likeness < present.alike or one.said_at <= other.said_at:
        return False
    holds_words = present.words <= one.coverage >= other.coverage * 0.99
    return holds_words and (one.similarity or 0.0) >= (other.similarity or 0.0) - present.behind
