"""How relevant a palace finds what it has, with the evidence in it and without: floor and calibration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from bench.harness import Figures, progress
from bench.retrieval import product
from bench.retrieval.dataset import Question, Session
from bench.retrieval.run import Run
from palace import BadRequest, Palace, Strategy
from palace.models import Compared
from palace.recall.floor import calibration_of, relevance
from palace.recall.fuse import fuse

STEPS = tuple(step / 100 for step in range(20, 82, 2))
"""Floors of a whole recollection that are looked at."""
HIT_STEPS = tuple(step / 100 for step in range(1, 41))
"""Floors of a single hit."""
LOST = 0.01
"""The share of evidence drawers that the floor of a hit may keep back."""
WEIGHTS = tuple(step / 100 for step in range(45, 180, 15))
"""Weights of similarity that are looked at."""


@dataclass(frozen=True, slots=True)
class Measured:
    """How relevant the drawers that are proposed for one question are."""

    with_evidence: float
    """Of the most relevant one."""
    without_evidence: float
    """The same, with every session that holds some of the evidence left out."""
    is_abstention: bool
    evidence: tuple[float, ...] = ()
    """Of each drawer that is marked as evidence."""
    found_at: Mapping[float, float] = field(default_factory=dict)
    """1 / rank of the first drawer of an evidence session, 0 where there is none, by weight of similarity."""


def measure(run: Run, *, weights: Sequence[float] = ()) -> list[Measured]:
    """Ask every question once; the haystacks are mined already. With ``weights``, order the drawers by each."""
    asked = progress("asked", _measured(run, weights), total=len(run.dataset.questions))
    return [found for _, found in asked]


def _measured(run: Run, weights: Sequence[float]) -> Iterator[Measured]:
    for haystack, questions in run.by_haystack(run.dataset.questions):
        with run.palace(haystack) as palace:
            rooms = _sessions_of_rooms(palace, product.Places.of(palace, haystack))
            for question in questions:
                yield _look(palace, rooms, question, weights)


def _sessions_of_rooms(palace: Palace, places: product.Places) -> dict[int, Session]:
    return {room.id: places.sessions[place] for place, room in product.list_rooms(palace) if place in places.sessions}


def _look(palace: Palace, rooms: Mapping[int, Session], question: Question, weights: Sequence[float]) -> Measured:
    comparison = product.compared(palace, question.text, product.moment_of(question))
    floor = comparison.calibration.floor

    def is_gold(drawer: Compared) -> bool:
        session = rooms.get(drawer.room_id)
        return session is not None and session.id in question.gold_sessions

    def is_evidence(drawer: Compared) -> bool:
        return is_gold(drawer) and rooms[drawer.room_id].turns[drawer.turn[1]].id in question.gold_turns

    def found_at(weight: float) -> float:
        weighing = Strategy().weighing(replace(comparison.calibration, similarity=weight))
        ranked = fuse(comparison.drawers, comparison.background, weighing).ranked
        return next((1 / rank for rank, fused in enumerate(ranked, 1) if is_gold(fused.drawer)), 0.0)

    known = [(drawer, relevance(drawer, floor)) for drawer in comparison.drawers]
    return Measured(
        with_evidence=max((value for _, value in known), default=0.0),
        without_evidence=max((value for drawer, value in known if not is_gold(drawer)), default=0.0),
        is_abstention=question.is_abstention,
        evidence=tuple(value for drawer, value in known if is_evidence(drawer)),
        found_at={weight: found_at(weight) for weight in weights},
    )


def curve(measured: Sequence[Measured], model: str) -> Figures:
    """Give, for each floor, the share of answerable questions that get nothing, and of the same without evidence.

    The first should be 0, the second 1. Abstentions are questions whose evidence never was there.
    """
    answerable = [each for each in measured if not each.is_abstention]
    abstentions = [each.with_evidence for each in measured if each.is_abstention]
    return {
        "answerable": len(answerable),
        "abstentions": len(abstentions),
        "default": calibration_of(model).floor.recollection,
        "steps": [
            {
                "floor": floor,
                "false_empty": _share_below(floor, [each.with_evidence for each in answerable]),
                "true_empty": _share_below(floor, [each.without_evidence for each in answerable]),
                "abstention_empty": _share_below(floor, abstentions),
            }
            for floor in STEPS
        ],
    }


def calibrate(measured: Sequence[Measured], model: str) -> Figures:
    """Find a model's calibration, beside the one that is in force.

    The floor of a recollection is the highest at which no answerable question gets nothing, that of a hit the highest
    that keeps back one evidence drawer in a hundred; None where even the lowest is too high. The weight of similarity
    is that with the highest mean of ``found_at``.

    Raises:
        BadRequest: no question can be answered.
    """
    answerable = [each for each in measured if not each.is_abstention]
    if not answerable:
        raise BadRequest("no question of the file can be answered: there is nothing to calibrate by")
    marked = [value for each in answerable for value in each.evidence]
    found_at = {weight: round(fmean(each.found_at[weight] for each in answerable), 6) for weight in WEIGHTS}
    usual = calibration_of(model)
    return {
        "model": model,
        "answerable": len(answerable),
        "evidence_drawers": len(marked),
        "measured": {
            "recollection": _highest(STEPS, [each.with_evidence for each in answerable], 0.0),
            "hit": _highest(HIT_STEPS, marked, LOST),
            "similarity": max(WEIGHTS, key=lambda weight: (found_at[weight], -abs(weight - usual.similarity))),
        },
        "in_force": {
            "recollection": usual.floor.recollection,
            "hit": usual.floor.hit,
            "similarity": usual.similarity,
        },
        "found_at": {f"{weight:.2f}": value for weight, value in found_at.items()},
    }


def _highest(floors: Sequence[float], values: Sequence[float], lost: float) -> float | None:
    """Give the highest floor that keeps back no more than a share of the values."""
    return max((floor for floor in floors if (_share_below(floor, values) or 0.0) <= lost), default=None)


def _share_below(floor: float, values: Sequence[float]) -> float | None:
    return round(sum(value < floor for value in values) / len(values), 4) if values else None
