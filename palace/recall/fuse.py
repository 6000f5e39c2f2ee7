"""Fusing what is known of the drawers that the arms propose into one order. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from palace.models import FARTHEST_ANSWER, ArmScore, Compared, SignalPart
from palace.recall.intent import Intent
from palace.recall.signals import Background, Kind, Signal, is_question, says_nothing


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What the turns beside a drawer lend it: shares of what they say, where they are proposed too."""

    following: float = 0.15
    """Of the next turn, which may take this one up."""
    preceding: float = 0.05
    """Of the turn before."""


@dataclass(frozen=True, slots=True)
class Diversity:
    """How rooms take turns in front: answers often lie in several."""

    weight: float = 0.15
    """Taken from a drawer for each better one of its room that stands in front already."""
    front: int = 5
    """Places in which they take turns: what is given back when nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """How signals are weighed and added up."""

    signals: tuple[Signal, ...]
    weights: Mapping[str, float]
    """Of every signal, by name."""
    neighbours: Neighbours = Neighbours()
    diversity: Diversity = Diversity()
    noteworthy: float = 0.005
    """A signal's own score below which a hit's reasons do not name it."""
    in_full: float = 0.5
    """The share of a query's words, by their rarity, from which on what one drawer says of them counts in full."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A drawer with what it is worth."""

    drawer: Compared
    score: float
    """In [0, 1]; comparable within one fusion."""
    question: Compared | None = None
    """The turn that it answers, which was found as well."""
    newer: Compared | None = None
    """What stands in front of it and says the same kind of thing at a later time."""
    standing: ArmScore | None = None
    """Why it stands where it does, where it is there for what the person asked for once and for all."""

    @property
    def id(self) -> int:
        """The drawer's id."""
        return self.drawer.passage.drawer_id


LEAST_PART = 1e-6
"""What is less of a score is not told."""


@dataclass(frozen=True, slots=True)
class Fusion:
    """Drawers, best first, and what each signal says for them."""

    ranked: list[Fused]
    own: Mapping[str, Mapping[int, float]]
    """The own scores of the signals that callers are told of, by drawer id."""
    noteworthy: float
    by_signal: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """What each signal gives the drawers compared, in ``places``, weighed; what their neighbours lend them is one."""
    places: Mapping[int, int] = field(default_factory=dict)
    """Where each drawer stands in that order, by id."""
    most: float = 0.0
    """What a drawer could be worth at most."""

    def reasons_of(self, fused: Fused) -> tuple[ArmScore, ...]:
        """Say what each signal says for a drawer, where it says anything."""
        drawer_id = fused.id
        said = tuple(
            ArmScore(reason, scores[drawer_id], 1 + sum(map(scores[drawer_id].__lt__, scores.values())))
            for reason, scores in self.own.items()
            if scores[drawer_id] >= self.noteworthy
        )
        return (*said, fused.standing) if fused.standing else said

    def parts_of(self, fused: Fused) -> tuple[SignalPart, ...]:
        """Say what a drawer's score is made of, the largest part first."""
        place = self.places.get(fused.id)
        if place is None or self.most <= 0:
            return ()
        given = {name: worth[place] / self.most for name, worth in self.by_signal.items()}
        rest = fused.score - _added(given.values())
        given["place" if rest > 0 else "diversity"] = rest
        parts = (SignalPart(name, share) for name, share in given.items() if abs(share) >= LEAST_PART)
        return tuple(sorted(parts, key=lambda part: -abs(part.share)))


def fuse(compared: Sequence[Compared], background: Background, weighing: Weighing) -> Fusion:
    """Order drawers, best first; ties by drawer id."""
    part = said_of_it(compared, weighing)
    asked = [each for each in weighing.signals if each.is_asked(background.intent)]
    own = {each.name: each.own(compared, background) for each in asked}
    weighed = {
        each.name: [weighing.weights[each.name] * share for share in each.scaled(own[each.name], part)]
        for each in asked
    }
    places = range(len(compared))
    said = [_added(weighed[each.name][at] for each in asked if each.kind is Kind.SAID) for at in places]
    around = [_added(weighed[each.name][at] for each in asked if each.kind is not Kind.SAID) for at in places]
    beside = _beside(compared, said, weighing.neighbours)
    worth = [said[at] + beside[at] + around[at] for at in places]
    best = most(weighing, background.intent)
    ranked = [
        Fused(compared[place], min(max(score / best, 0.0), 1.0) if best > 0 else 0.0)
        for place, score in _diversified(compared, worth, weighing.diversity)
    ]
    told = _own_scores(compared, own, background, weighing)
    order = statements_first(answers_first(newest_first(ranked)))
    by_id = {each.id: at for at, each in enumerate(compared)}
    return Fusion(order, told, weighing.noteworthy, {**weighed, "neighbours": beside}, by_id, best)


def said_of_it(compared: Sequence[Compared], weighing: Weighing) -> float:
    """Give how far words count, in [0, 1], by how much of the query the best drawer holds."""
    return min(max((drawer.coverage for drawer in compared), default=0.0) / weighing.in_full, 1.0) ** 2


def most(weighing: Weighing, intent: Intent) -> float:
    """Give what a drawer could be worth at most, for such a query."""
    of_kind = dict.fromkeys(Kind, 0.0)
    for signal in weighing.signals:
        if signal.is_asked(intent):
            of_kind[signal.kind] += weighing.weights[signal.name] * signal.most
    of_kind[Kind.SAID] *= 1 + max(weighing.neighbours.following, weighing.neighbours.preceding)
    return _added(of_kind.values())


def newest_first(ranked: Sequence[Fused]) -> list[Fused]:
    """Put what took the place of a drawer in front of it, where that stands below."""
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
            # It speaks for what it replaced, so it is worth as much.
            placed[each.id] = Fused(each.drawer, max(each.score, fused.score))
    return list(placed.values())


def answers_first(ranked: Sequence[Fused]) -> list[Fused]:
    """Give the place of each turn that only asks to the turn that answers it, where that is there; both are one.

    Of several questions that one turn answers, all give their place to it, and the one nearest to the query is named.
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
    """Put what only asks, or answers nothing, behind all that says something; it is worth no more than that."""
    telling = [fused for fused in ranked if not says_nothing(fused.drawer)]
    lowest = telling[-1].score if telling else 1.0
    others = (replace(fused, score=min(fused.score, lowest)) for fused in ranked if says_nothing(fused.drawer))
    return [*telling, *others]


def _own_scores(
    compared: Sequence[Compared], own: Mapping[str, Sequence[float]], background: Background, weighing: Weighing
) -> dict[str, dict[int, float]]:
    """Return what callers hear of each signal, in the order of their kinds: the ``own`` value of most that count."""
    kinds = list(Kind)
    shown: dict[str, dict[int, float]] = {}
    for signal in sorted(weighing.signals, key=lambda each: kinds.index(each.kind)):
        if signal.reason is None:
            continue
        values = own.get(signal.name, [0.0] * len(compared))
        if signal.told is not None and signal.name in own:
            values = [signal.told(each, background) for each in compared]
        shown[signal.reason] = {each.id: value for each, value in zip(compared, values, strict=True)}
    return shown


def _added(parts: Iterable[float]) -> float:
    """Add up in order: `sum` rounds otherwise from one version of Python to the next."""
    total = 0.0
    for part in parts:
        total += part
    return total


def _beside(compared: Sequence[Compared], said: Sequence[float], neighbours: Neighbours) -> list[float]:
    """Give each drawer a share of what its neighbour says, where both are proposed."""
    by_turn = {drawer.turn: worth for drawer, worth in zip(compared, said, strict=True)}
    return [
        max(
            neighbours.preceding * by_turn.get((conversation, position - 1), 0.0),
            neighbours.following * by_turn.get((conversation, position + 1), 0.0),
        )
        for conversation, position in (drawer.turn for drawer in compared)
    ]


def _diversified(compared: Sequence[Compared], worth: Sequence[float], diversity: Diversity) -> list[tuple[int, float]]:
    """Order places by worth; in front, a room loses something for each of its drawers that stands there already."""
    waiting = sorted(range(len(worth)), key=lambda place: (-worth[place], compared[place].id))
    front: list[tuple[int, float]] = []
    seen: Counter[int] = Counter()
    while waiting and len(front) < diversity.front:
        left = [worth[place] - diversity.weight * seen[compared[place].room_id] for place in waiting]
        score = max(left)
        place = waiting.pop(left.index(score))
        seen[compared[place].room_id] += 1
        front.append((place, score))
    lowest = front[-1][1] if front else None
    return [*front, *((place, worth[place] if lowest is None else min(worth[place], lowest)) for place in waiting)]


Turn = tuple[int, int]
"""A conversation, and a place in it."""


def turns_of(drawers: Iterable[Compared]) -> dict[Turn, Compared]:
    """Map turns to what was said in them; of two wordings of one message, the one that still stands."""
    found: dict[Turn, Compared] = {}
    for drawer in drawers:
        if not (drawer.turn in found and drawer.is_replaced):
            found[drawer.turn] = drawer
    return found


def answer_of(asking: Compared, turns: Mapping[Turn, Compared]) -> Compared | None:
    """Give the first turn behind a question that does not only ask, five turns on at most.

    Where the other side asks back first, what the asking side says to that is no answer: the other side's next turn is
    that does not only ask. None where the answer is not there, answers nothing, or no longer stands.
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
    """Choose, of the questions that one turn answers, the nearer to the query; the first one of two as near."""
    if one is None or _nearness(other) > _nearness(one):
        return other
    return one


def _nearness(drawer: Compared) -> tuple[float, float]:
    return drawer.similarity or 0.0, drawer.coverage
