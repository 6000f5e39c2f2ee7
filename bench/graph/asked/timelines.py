"""Asking a palace what was so on a day, through its relations and through recall."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

from bench.graph.held import Graph
from bench.graph.scoring.cues import asks_when
from bench.graph.scoring.identities import Names
from bench.graph.scoring.relations import Held
from bench.graph.scoring.timelines import Question, Verdict, asked_for, values, verdict, verdict_of_texts
from bench.graph.scoring.vocabulary import MONATE, MONTHS
from palace.errors import BadRequest, NotFound

if TYPE_CHECKING:
    from palace import Palace
    from palace.records import Hit

LOOKED_AT = 5
"""Hits that a person reads before giving up."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What was given to a question, and what that is worth."""

    question: Question
    verdict: Verdict
    given: tuple[str, ...]


def ask_relations(
    palace: Palace, graph: Graph, names: Names, questions: Sequence[Question], last_day: date
) -> list[Answered]:
    """Ask what holds of each question's entity; a time that is asked for is looked up in its whole timeline."""
    answered = []
    for each in questions:
        there = _relations(palace, graph, names, each, last_day)
        given = values(names, each, asked_for(names, each, there))
        answered.append(Answered(each, verdict(names, each, given), tuple(given)))
    return answered


def ask_recall(palace: Palace, names: Names, questions: Sequence[Question], last_day: date) -> list[Answered]:
    """Ask the questions as they are, with their day where they are about one."""
    return [_ask_recall(palace, names, each, last_day) for each in questions]


def _relations(palace: Palace, graph: Graph, names: Names, question: Question, last_day: date) -> list[Held]:
    """Read an entity's relations under the first of its names that the palace knows."""
    as_of, believed = end_of(question.as_of or last_day), end_of(question.believed_on or last_day)
    for name in names.spellings(question.entity):
        try:
            if asks_when(question.text):
                return [graph.held(entry.relation) for entry in palace.timeline(name).entries]
            return [graph.held(relation) for relation in palace.relations(name, as_of=as_of, believed=believed)]
        except (NotFound, BadRequest):
            continue
    return []


def _ask_recall(palace: Palace, names: Names, question: Question, last_day: date) -> Answered:
    said_by = end_of(question.believed_on or last_day)
    query = question.text if question.as_of is None else _on_day(question.text, question.as_of)
    found = palace.recall(query, until=said_by, now=said_by)
    texts = [hit.drawer.content for hit in found.hits[:LOOKED_AT] if _is_current(hit, question.as_of or last_day)]
    return Answered(question, verdict_of_texts(names, question, texts), tuple(texts))


def _on_day(text: str, day: date) -> str:
    """Name the day that a question is about: in the place of "then", or at its end."""
    english, german = (
        f"on {day.day} {MONTHS[day.month - 1]} {day.year}",
        f"am {day.day}. {MONATE[day.month - 1]} {day.year}",
    )
    for word, told in (("then", english), ("damals", german)):
        if re.search(rf"\b{word}\b", text):
            return re.sub(rf"\b{word}\b", told, text, count=1)
    return f"{text.rstrip('?. ')} {german if re.match(r'W(?!h)', text) else english}?"


def end_of(day: date) -> datetime:
    """Give the last moment of a day."""
    return datetime.combine(day, time.max, UTC)


def _is_current(hit: Hit, day: date) -> bool:
    """Tell whether a hit is given as what was so on a day: one marked as superseded by then is not."""
    until = getattr(hit, "until", None)
    return until is None or until.date() > day
