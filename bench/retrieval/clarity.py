"""Where the relevance floor should lie: how clearly a palace speaks with the evidence in it, and with it taken away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.retrieval import product
from bench.retrieval.dataset import Haystack, Question
from bench.retrieval.run import Run, by_haystack, progress
from palace import Palace
from palace.recall.arms import Arms, compare
from palace.recall.floor import ANSWER, clarity
from palace.recall.reading import read_query
from palace.recall.request import make_request
from palace.records import Scope

STEPS = tuple(step / 100 for step in range(20, 82, 2))


@dataclass(frozen=True, slots=True)
class Clarity:
    """How clearly the clearest drawer speaks to one question."""

    with_evidence: float
    without_evidence: float
    """With every session that holds some of it left out."""
    is_abstention: bool


def measure(run: Run) -> list[Clarity]:
    """Ask every question once; the haystacks are mined already."""
    asked = progress("asked", _measured(run), total=len(run.dataset.questions))
    return [found for _, found in asked]


def _measured(run: Run) -> Iterator[Clarity]:
    for haystack, questions in by_haystack(run, run.dataset.questions):
        with product.open_palace(run.settings, haystack, run.embedder) as palace:
            rooms = _sessions_of_rooms(palace, haystack)
            for question in questions:
                yield _ask(palace, rooms, question)


def _sessions_of_rooms(palace: Palace, haystack: Haystack) -> dict[int, str]:
    places = product.Places.of(palace, haystack)
    return {
        room.id: places.sessions[place].id for place, room in product.list_rooms(palace) if place in places.sessions
    }


def _ask(palace: Palace, rooms: dict[int, str], question: Question) -> Clarity:
    opened, now = palace._opened, product.moment_of(question)
    request = make_request(question.text, top_k=product.ANSWER, scope=Scope(), context=0, now=now)
    reading = read_query(question.text, now)
    proposals = Arms(opened.database, opened.find_model).propose(request, reading)
    with opened.session() as session:
        compared = compare(session, proposals, request, reading)
    without = [each for each in compared if rooms.get(each.room_id) not in question.gold_sessions]
    return Clarity(
        max(map(clarity, compared), default=0.0), max(map(clarity, without), default=0.0), question.is_abstention
    )


def curve(measured: Sequence[Clarity]) -> dict[str, Any]:
    """Give, for each floor, the share of answerable questions that get nothing, and of the same without evidence.

    The first should be 0, the second 1. Abstentions are questions whose evidence never was there.
    """
    answerable = [each for each in measured if not each.is_abstention]
    abstentions = [each for each in measured if each.is_abstention]
    return {
        "answerable": len(answerable),
        "abstentions": len(abstentions),
        "default": ANSWER,
        "steps": [
            {
                "floor": floor,
                "false_empty": _share_below(floor, [each.with_evidence for each in answerable]),
                "true_empty": _share_below(floor, [each.without_evidence for each in answerable]),
                "abstention_empty": _share_below(floor, [each.with_evidence for each in abstentions]),
            }
            for floor in STEPS
        ],
    }


def _share_below(floor: float, values: Sequence[float]) -> float | None:
    return round(sum(value < floor for value in values) / len(values), 4) if values else None
