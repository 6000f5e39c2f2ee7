"""Fusing what is known of the drawers that the arms propose into one order. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palace.recall.decay import fit, recency
from palace.recall.reading import Reading
from palace.records import ArmScore, Compared


@dataclass(frozen=True, slots=True)
class Weights:
    """What each thing that speaks for a drawer counts; their order of size is measured in docs/benchmarks.md."""

    similarity: float = 1.05
    keyword: float = 0.35
    phrase: float = 0.2
    """Words that stand beside each other in the query as well."""
    room: float = 0.45
    """What else the person said in the same room."""
    person: float = 0.3
    """Said by the person, where the query does not ask for what was said to them."""
    time: float = 0.8
    """Said at a time that the query speaks of."""
    spoken_of: float = 0.5
    """Share of ``time`` for speaking of it at another time."""
    current: float = 0.3
    """Recent, where the query asks for the present state."""
    choice: float = 0.1
    """A near choice of the person's, where the query asks for advice."""
    following: float = 0.15
    """Share of what speaks for the next turn, which may take this one up."""
    preceding: float = 0.05
    """The same of the turn before."""
    later: float = 0.3
    """Taken from what was said after the moment of asking."""
    replaced: float = 0.3
    """Taken from what its source no longer says."""
    crowd: float = 0.15
    """Taken in front for each better drawer of the same room: answers often lie in several."""


WEIGHTS = Weights()
FRONT = 5
"""Places in which rooms take turns: what is given back when nothing else is asked for."""

NOTEWORTHY = 0.005
"""An arm's score below which it thinks nothing of a drawer."""

ARMS = ("semantic", "keyword", "room", "time", "choice")


@dataclass(frozen=True, slots=True)
class Fused:
    """A drawer with what it is worth."""

    drawer: Compared
    score: float
    """In [0, 1]; comparable within one fusion."""


@dataclass(frozen=True, slots=True)
class Fusion:
    """Drawers, best first, and what each arm thinks of them."""

    ranked: list[Fused]
    own: Mapping[str, Mapping[int, float]]
    """Each arm's own scores, by drawer id."""

    def arms_of(self, fused: Fused) -> tuple[ArmScore, ...]:
        """Say what each arm thinks of a drawer, where it thinks anything of it."""
        drawer_id = fused.drawer.passage.drawer_id
        return tuple(
            ArmScore(arm, scores[drawer_id], 1 + sum(score > scores[drawer_id] for score in scores.values()))
            for arm, scores in self.own.items()
            if scores[drawer_id] >= NOTEWORTHY
        )


def fuse(
    compared: Sequence[Compared], rooms: Mapping[int, float], reading: Reading, weights: Weights = WEIGHTS
) -> Fusion:
    """Order drawers, best first; ties by drawer id.

    ``rooms`` has the score of each room by id; one that is not there has 0. What is not bounded by itself counts as a
    share of the highest there is.
    """
    own = _own_scores(compared, rooms, reading)
    shares = {arm: _shares(scores) if arm != "time" else scores for arm, scores in own.items()}
    said = [
        weights.similarity * similarity + weights.keyword * keyword + weights.phrase * phrase
        for similarity, keyword, phrase in zip(shares["semantic"], shares["keyword"], shares["phrase"], strict=True)
    ]
    beside = _beside(compared, said, weights)
    worth = [
        said[place]
        + beside[place]
        + _around(drawer, {arm: share[place] for arm, share in shares.items()}, reading, weights)
        for place, drawer in enumerate(compared)
    ]
    best = _most(reading, weights)
    ranked = [
        Fused(compared[place], min(max(score / best, 0.0), 1.0))
        for place, score in _spread(compared, worth, weights.crowd)
    ]
    ids = [drawer.passage.drawer_id for drawer in compared]
    return Fusion(newest_first(ranked), {arm: dict(zip(ids, own[arm], strict=True)) for arm in ARMS})


def newest_first(ranked: Sequence[Fused]) -> list[Fused]:
    """Put what took the place of a drawer in front of it, where that stands below."""
    by_id = {fused.drawer.passage.drawer_id: fused for fused in ranked}
    placed: dict[int, Fused] = {}
    for fused in ranked:
        chain = []
        current: Fused | None = fused
        while current is not None and current not in chain and current.drawer.passage.drawer_id not in placed:
            chain.append(current)
            replacement = current.drawer.replaced_by
            current = by_id.get(replacement) if replacement is not None else None
        for each in reversed(chain):
            # It speaks for what it replaced, so it is worth as much.
            placed[each.drawer.passage.drawer_id] = Fused(each.drawer, max(each.score, fused.score))
    return list(placed.values())


def _own_scores(compared: Sequence[Compared], rooms: Mapping[int, float], reading: Reading) -> dict[str, list[float]]:
    choice = reading.asks_advice
    return {
        "semantic": [drawer.similarity or 0.0 for drawer in compared],
        "keyword": [drawer.keyword for drawer in compared],
        "phrase": [drawer.phrase for drawer in compared],
        "room": [rooms.get(drawer.room_id, 0.0) for drawer in compared],
        "time": [fit(drawer.said_at, reading.windows) for drawer in compared],
        "choice": [(drawer.choice or 0.0) if choice else 0.0 for drawer in compared],
    }


def _shares(scores: Sequence[float]) -> list[float]:
    highest = max(scores, default=0.0)
    return [max(score, 0.0) / highest if highest > 0 else 0.0 for score in scores]


def _around(drawer: Compared, shares: Mapping[str, float], reading: Reading, weights: Weights) -> float:
    """Weigh what speaks for a drawer beside what it says."""
    worth = weights.room * shares["room"] + weights.choice * shares["choice"]
    worth += weights.time * max(shares["time"], weights.spoken_of * drawer.speaks_of_it)
    worth += weights.person * (drawer.is_person and not reading.asks_back)
    worth += weights.current * recency(drawer.said_at, reading.now) * reading.asks_current
    return worth - weights.later * (drawer.said_at > reading.now) - weights.replaced * drawer.is_replaced


def _beside(compared: Sequence[Compared], said: Sequence[float], weights: Weights) -> list[float]:
    """Give each drawer a share of what its neighbour says, where both are proposed."""
    by_turn = {drawer.turn: worth for drawer, worth in zip(compared, said, strict=True)}
    return [
        max(
            weights.preceding * by_turn.get((conversation, position - 1), 0.0),
            weights.following * by_turn.get((conversation, position + 1), 0.0),
        )
        for conversation, position in (drawer.turn for drawer in compared)
    ]


def _spread(compared: Sequence[Compared], worth: Sequence[float], crowd: float) -> list[tuple[int, float]]:
    """Order places by worth; in front, a room loses something for each of its drawers that stands there already."""
    waiting = sorted(range(len(worth)), key=lambda place: (-worth[place], compared[place].passage.drawer_id))
    front: list[tuple[int, float]] = []
    seen: Counter[int] = Counter()
    while waiting and len(front) < FRONT:
        left = [worth[place] - crowd * seen[compared[place].room_id] for place in waiting]
        score = max(left)
        place = waiting.pop(left.index(score))
        seen[compared[place].room_id] += 1
        front.append((place, score))
    lowest = front[-1][1] if front else 0.0
    return [*front, *((place, min(worth[place], lowest)) for place in waiting)]


def _most(reading: Reading, weights: Weights) -> float:
    """Give what a drawer could be worth at most."""
    said = (weights.similarity + weights.keyword + weights.phrase) * (1 + max(weights.following, weights.preceding))
    asked = weights.time * bool(reading.windows) + weights.current * reading.asks_current
    return said + weights.room + weights.person + asked + weights.choice * reading.asks_advice
