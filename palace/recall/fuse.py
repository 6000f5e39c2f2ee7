"""Combines the signals of all proposed drawers into one ranking. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from palace.models import FARTHEST_ANSWER, ArmScore, Compared, SignalPart
from palace.recall.intent import Intent
from palace.recall.signals import Background, Column, Kind, Signal, is_question, says_nothing


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Shares of their neighbours' scores that drawers get, if those are proposed too."""

    following: float = 0.15
    """Share of the score of the next turn, which may refer to this one."""
    preceding: float = 0.05
    """Share of the score of the previous turn."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """How signals are weighted and summed."""

    signals: tuple[Signal, ...]
    weights: Mapping[str, float]
    """Weight of every signal, by name."""
    neighbours: Neighbours = Neighbours()
    noteworthy: float = 0.005
    """Least value of a signal to be named in a hit's reasons."""
    in_full: float = 0.5
    """Share of the query's words, weighted by rarity, from which the words in a drawer count in full."""
    ahead: float = 15.0
    """How much less fewer words count with the lead of the nearest statement over the next in similarity."""


@dataclass(slots=True)  # made as often as ``Compared``
class Fused:
    """A drawer with its score."""

    drawer: Compared
    score: float
    """In [0, 1]; comparable only within one fusion."""
    question: Compared | None = None
    """The turn that it answers, if that was found too."""
    newer: Compared | None = None
    """A later statement of the same kind that is ranked before it."""
    standing: ArmScore | None = None
    """Set if it is ranked here as a standing instruction."""

    @property
    def id(self) -> int:
        """The drawer's id."""
        return self.drawer.passage.drawer_id


LEAST_PART = 1e-6
"""Parts of a score below this are not reported."""


@dataclass(frozen=True, slots=True)
class Fusion:
    """The ranked drawers and the values of each signal."""

    ranked: list[Fused]
    own: Mapping[str, Sequence[float]]
    """Raw values of the reported signals, for the compared drawers, in the order of ``places``."""
    noteworthy: float
    places: Mapping[int, int]
    """Index of each drawer in the values of signals, by drawer id."""
    by_signal: Mapping[str, Column] = field(default_factory=dict)
    """Weighted values of each signal, and of neighbours, in the same order."""
    most: float = 0.0
    """The largest possible score, before scaling."""

    def reasons_of(self, fused: Fused) -> tuple[ArmScore, ...]:
        """Return the values of the signals that support a drawer, with its rank in each."""
        place = self.places[fused.id]
        said = tuple(
            ArmScore(reason, scores[place], 1 + sum(map(scores[place].__lt__, scores)))
            for reason, scores in self.own.items()
            if scores[place] >= self.noteworthy
        )
        return (*said, fused.standing) if fused.standing else said

    def parts_of(self, fused: Fused) -> tuple[SignalPart, ...]:
        """Return the parts of a drawer's score, the largest first."""
        place = self.places.get(fused.id)
        if place is None or self.most <= 0:
            return ()
        given = {name: float(worth[place]) / self.most for name, worth in self.by_signal.items()}
        given["place"] = fused.score - _added(given.values())
        parts = (SignalPart(name, share) for name, share in given.items() if abs(share) >= LEAST_PART)
        return tuple(sorted(parts, key=lambda part: -abs(part.share)))


def fuse(compared: Sequence[Compared], background: Background, weighing: Weighing) -> Fusion:
    """Rank drawers, best first; ties are broken by drawer id."""
    part = said_of_it(compared, weighing)
    asked = [each for each in weighing.signals if each.is_asked(background.intent)]
    own = {each.name: each.own(compared, background) for each in asked}
    weighed = {each.name: weighing.weights[each.name] * each.scaled(own[each.name], part) for each in asked}
    said = _summed([weighed[each.name] for each in asked if each.kind is Kind.SAID], len(compared))
    around = _summed([weighed[each.name] for each in asked if each.kind is not Kind.SAID], len(compared))
    beside = np.array(_beside(compared, said.tolist(), weighing.neighbours))
    worth = (said + beside + around).tolist()
    best = most(weighing, background.intent)
    ranked = [
        Fused(compared[place], min(max(worth[place] / best, 0.0), 1.0) if best > 0 else 0.0)
        for place in sorted(range(len(worth)), key=lambda place: (-worth[place], compared[place].id))
    ]
    told = _own_scores(compared, own, background, weighing)
    order = statements_first(answers_first(newest_first(ranked)))
    by_id = {each.id: at for at, each in enumerate(compared)}
    return Fusion(order, told, weighing.noteworthy, by_id, {**weighed, "neighbours": beside}, best)


def said_of_it(compared: Sequence[Compared], weighing: Weighing) -> float:
    """Return how far words count, in [0, 1], depending on the largest share of the query that a drawer contains.

    Where that is not enough, they count the less, the further the nearest statement is ahead of the next.
    """
    nearest = sorted(each.similarity or 0.0 for each in compared if not says_nothing(each))[-2:]
    ahead = nearest[1] - nearest[0] if len(nearest) > 1 else 0.0
    covered = min(max((drawer.coverage for drawer in compared), default=0.0) / weighing.in_full, 1.0)
    return float(covered ** (2 + weighing.ahead * ahead))


def most(weighing: Weighing, intent: Intent) -> float:
    """Return the largest possible score for a query."""
    of_kind = dict.fromkeys(Kind, 0.0)
    for signal in weighing.signals:
        if signal.is_asked(intent):
            of_kind[signal.kind] += weighing.weights[signal.name] * signal.most
    of_kind[Kind.SAID] *= 1 + max(weighing.neighbours.following, weighing.neighbours.preceding)
    return _added(of_kind.values())


def newest_first(ranked: Sequence[Fused]) -> list[Fused]:
    """Move the replacement of a drawer before it, if it is ranked below."""
    if all(fused.drawer.replaced_by is None for fused in ranked):
        return list(ranked)
    by_id = {fused.id: fused for fused in ranked}
    placed: dict[int, Fused] = {}
    for fused in ranked:
        chain = []
        current: Fused | None = fused
        while current is not None and current not in chain and current.id not in placed:
            chain.append(current)
            replacement = current.drawer.replaced_by
            current = by_id.get(replacement) if replacement is not None else None
        for each in reversed(chain):
            # It gets the score of the drawer that it replaced, if that is higher.
            placed[each.id] = Fused(each.drawer, max(each.score, fused.score))
    return list(placed.values())


def one_version(ranked: Sequence[Fused], compared: Iterable[Compared]) -> list[Fused]:
    """Keep one version of each message: the current one if it is ranked, else the first, with the current as newer."""
    if not any(fused.drawer.is_replaced for fused in ranked):
        return list(ranked)
    by_id = {each.id: each for each in compared}
    ranked_ids = {each.id for fused in ranked for each in (fused.drawer, fused.question) if each is not None}
    kept = []
    for fused in ranked:
        current, former = fused.drawer, set[int]()
        while current.replaced_by in by_id and current.id not in former:
            former.add(current.id)
            current = by_id[current.replaced_by]
        if current is fused.drawer:
            kept.append(fused)
        elif current.id not in ranked_ids:
            ranked_ids.add(current.id)
            kept.append(replace(fused, newer=current))
    return kept


def answers_first(ranked: Sequence[Fused]) -> list[Fused]:
    """Replace each question by the turn that answers it, if that is ranked; both become one entry.

    If one turn answers several questions, the one most relevant to the query is named.
    """
    by_id = {fused.id: fused for fused in ranked}
    turns = turns_of(fused.drawer for fused in ranked)
    placed: dict[int, Fused] = {}
    folded = set()
    for fused in ranked:
        answer = answer_of(fused.drawer, turns) if is_question(fused.drawer) else None
        if answer is None:
            placed.setdefault(fused.id, fused)
        else:
            folded.add(fused.id)
            drawer_id = answer.id
            known = placed.get(drawer_id) or replace(by_id[drawer_id], score=max(by_id[drawer_id].score, fused.score))
            placed[drawer_id] = replace(known, question=more_relevant(known.question, fused.drawer))
    return [fused for drawer_id, fused in placed.items() if drawer_id not in folded]


def statements_first(ranked: Sequence[Fused]) -> list[Fused]:
    """Rank questions and empty answers below all statements, with at most the score of the lowest statement."""
    telling = [fused for fused in ranked if not says_nothing(fused.drawer)]
    lowest = telling[-1].score if telling else 1.0
    others = (replace(fused, score=min(fused.score, lowest)) for fused in ranked if says_nothing(fused.drawer))
    return [*telling, *others]


def _own_scores(
    compared: Sequence[Compared], own: Mapping[str, Sequence[float]], background: Background, weighing: Weighing
) -> dict[str, Sequence[float]]:
    """Return the reported values of each signal, in the order of signal kinds."""
    kinds = list(Kind)
    shown: dict[str, Sequence[float]] = {}
    for signal in sorted(weighing.signals, key=lambda each: kinds.index(each.kind)):
        if signal.reason is None:
            continue
        values = own.get(signal.name, [0.0] * len(compared))
        if signal.told is not None and signal.name in own:
            values = [signal.told(each, background) for each in compared]
        shown[signal.reason] = values
    return shown


def _added(parts: Iterable[float]) -> float:
    """Add up from left to right, because `sum` rounds differently between Python versions."""
    total = 0.0
    for part in parts:
        total += part
    return total


def _summed(columns: Sequence[Column], rows: int) -> Column:
    """Add up columns of values row by row, from left to right."""
    total = np.zeros(rows)
    for column in columns:
        total = total + column
    return total


def _beside(compared: Sequence[Compared], said: Sequence[float], neighbours: Neighbours) -> list[float]:
    """Return for each drawer the share of a neighbour's score that it gets."""
    by_turn = {drawer.turn: worth for drawer, worth in zip(compared, said, strict=True)}
    return [
        max(
            neighbours.preceding * by_turn.get((conversation, position - 1), 0.0),
            neighbours.following * by_turn.get((conversation, position + 1), 0.0),
        )
        for conversation, position in (drawer.turn for drawer in compared)
    ]


Turn = tuple[int, int]
"""A conversation's id and a position in it."""


def turns_of(drawers: Iterable[Compared]) -> dict[Turn, Compared]:
    """Map turns to their drawers; of two wordings of one message, to the current one."""
    found: dict[Turn, Compared] = {}
    for drawer in drawers:
        if not (drawer.turn in found and drawer.is_replaced):
            found[drawer.turn] = drawer
    return found


def answer_of(asking: Compared, turns: Mapping[Turn, Compared]) -> Compared | None:
    """Return the first turn after a question, at most five turns on, that is no question itself.

    If the other side asks back first, the reply to that is skipped. None if the answer was not found, is empty, or was
    replaced.
    """
    conversation, position = asking.turn
    is_asked_back = False
    for behind in range(1, FARTHEST_ANSWER + 1):
        following = turns.get((conversation, position + behind))
        if following is None:
            return None
        if following.is_empty:
            return None
        is_of_other_side = following.is_person != asking.is_person
        if is_question(following):
            is_asked_back |= is_of_other_side
        elif is_of_other_side or not is_asked_back:
            return None if following.is_replaced else following
    return None


def more_relevant(one: Compared | None, other: Compared) -> Compared:
    """Return the question more relevant to the query; the first if they are equal."""
    if one is None or _nearness(other) > _nearness(one):
        return other
    return one


def _nearness(drawer: Compared) -> tuple[float, float]:
    return drawer.similarity or 0.0, drawer.coverage
