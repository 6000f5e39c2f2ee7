"""Questions of what was so on a day, asked through relations and through recall, and what the answers are worth."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import TYPE_CHECKING

from bench.graph.held import Graph
from bench.graph.identities import Names
from bench.graph.predicates import content, is_plan, meaning
from bench.graph.relations import Held, Told
from bench.graph.words import CUES, MONATE, MONTHS, WEAK_CUES, Tokens, contains, fold, stem, tokens
from palace.errors import BadRequest, NotFound

if TYPE_CHECKING:
    from palace import Palace
    from palace.models import Hit


_WHEN = re.compile(
    r"\b(?:when|since when|(?:on |in )?(?:what|which) (?:day|date|month|year)|wann|seit wann|"
    r"an welchem (?:tag|datum)|in welche[mr] (?:monat|jahr))\b"
)
_UNTIL = re.compile(
    r"\b(?:until when|bis wann|(?:when|wann) .*\b(?:stop\w*|quit|end\w*|leave|left|sell|sold|verkauf\w*))\b"
)
_PLAN = re.compile(r"\b(?:plan\w*|going to|will|shall|next|geplant|werden?|wird|vorhabe\w*)\b")
CUE, WORD = 4, 1
NAMED = 6
"""How much a cue, a word of the object and a predicate's own word speak for a relation."""


def asks_when(question: str) -> bool:
    """Tell whether a time is asked for."""
    return bool(_WHEN.search(fold(question)))


def asks_until(question: str) -> bool:
    """Tell whether an end is asked for."""
    return bool(_UNTIL.search(fold(question)))


def asks_for_plan(question: str) -> bool:
    """Tell whether what is to come is asked for."""
    return bool(_PLAN.search(fold(question)))


def likeness(question: str, words: Collection[str], predicate: str, object: Iterable[str]) -> int:
    """Say how much a relation looks like what is asked for; 0 where nothing speaks for it.

    ``words`` are those of the question, and of other names of what it names.
    """
    asked = fold(question)
    stems = {stem(word) for word in words}
    family = meaning(predicate).family
    cues = CUES if any(cue.search(asked) for cue in CUES.values()) else WEAK_CUES
    score = NAMED * bool(content(predicate) & stems) if family not in CUES else 0
    if family in cues and cues[family].search(asked):
        score += CUE
    if score:
        score += WORD * any(stems & {stem(word) for word in tokens(name)} for name in object)
    return score


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of an entity."""

    id: str
    entity: str
    text: str
    answer: tuple[str, ...]
    """Any of them is right."""
    stale: tuple[str, ...] = ()
    """What was so at another time, or never."""
    as_of: date | None = None
    """None is the day of the last message."""
    believed_on: date | None = None
    """Only what was said up to that day counts; None is everything."""

    @property
    def is_past(self) -> bool:
        """Whether it is about a day, rather than now."""
        return self.as_of is not None


class Verdict(StrEnum):
    """What an answer is worth."""

    RIGHT = "right"
    WRONG = "wrong"
    STALE = "stale"
    """Something that was so at another time is given as what was so then."""
    NONE = "none"
    """Nothing was given."""


def asked_for(names: Names, question: Question, relations: Sequence[Held]) -> list[Held]:
    """Choose the relations that answer, as who reads the list would: all those that look most like the question.

    What happened stands before what was planned, unless plans are asked for.
    """
    text = _without_entity(names, question)
    words = names.widened(tokens(text))
    likely = [(likeness(text, words, each.predicate, _other(names, question, each)), each) for each in relations]
    best = max((score for score, _ in likely), default=0)
    chosen = [each for score, each in likely if score == best and best]
    happened = [each for each in chosen if not is_plan(each.predicate)]
    return chosen if asks_for_plan(question.text) else happened or chosen


def values(names: Names, question: Question, chosen: Iterable[Held]) -> list[str]:
    """Write what the chosen relations say: who or what stands across from the entity, or when it began or ended."""
    if not asks_when(question.text):
        return [name for each in chosen for name in sorted(_other(names, question, each))]
    is_end = asks_until(question.text)
    return [text for each in chosen for text in written(each.valid_to if is_end else each.valid_from)]


def verdict(names: Names, question: Question, given: Sequence[str]) -> Verdict:
    """Judge what was given: one stale value makes it stale, whatever else was given."""
    if not given:
        return Verdict.NONE
    told = [tokens(each) for each in given]
    right = _all_tokens(names, question.answer)
    if any(_is_given(told, stale) for stale in _all_tokens(names, question.stale) if stale not in right):
        return Verdict.STALE
    return Verdict.RIGHT if any(_is_given(told, answer) for answer in right) else Verdict.WRONG


def verdict_of_texts(names: Names, question: Question, texts: Sequence[str]) -> Verdict:
    """Judge what was recalled, best first: the first text counts that has one of the values in it.

    One that tells of a change has both, and is right.
    """
    if not texts:
        return Verdict.NONE
    right, stale = _all_tokens(names, question.answer), _all_tokens(names, question.stale)
    for text in texts:
        told = [tokens(text)]
        if any(_is_given(told, answer) for answer in right):
            return Verdict.RIGHT
        if any(_is_given(told, value) for value in stale):
            return Verdict.STALE
    return Verdict.WRONG


def written(told: Told | None) -> list[str]:
    """Write a date in the ways that an answer may be labelled."""
    if told is None:
        return []
    day, month, monat = told.day, MONTHS[told.day.month - 1], MONATE[told.day.month - 1]
    if told.precision == "year":
        return [str(day.year)]
    months = [f"{day.year}-{day.month:02}", f"{month} {day.year}", f"{monat} {day.year}"]
    if told.precision not in ("moment", "day"):
        return months
    return [
        day.isoformat(),
        f"{day.day} {month} {day.year}",
        f"{month} {day.day} {day.year}",
        f"{day.day} {monat} {day.year}",
        f"{day.day}th {day.day}st {day.day}nd {day.day}rd",
    ]


def _is_given(told: Sequence[Tokens], wanted: Tokens) -> bool:
    return any(contains(each, wanted) for each in told)


def _all_tokens(names: Names, wanted: Iterable[str]) -> list[Tokens]:
    """Give the values under every name; the person may be called "I", "me" or "you" in a text, which says nothing."""
    return [tokens(spelling) for each in wanted for spelling in names.spellings(each)]


def _other(names: Names, question: Question, relation: Held) -> frozenset[str]:
    """Give who or what stands across from the entity in a relation."""
    is_subject = any(names.same({name}, question.entity) for name in relation.subject)
    return relation.object if is_subject else relation.subject


def _without_entity(names: Names, question: Question) -> str:
    """Take the entity's own name out of what is asked, lest its words speak for a relation."""
    text = fold(question.text)
    for spelling in sorted(names.spellings(question.entity), key=len, reverse=True):
        if len(spelling) > 1:
            text = text.replace(fold(spelling), " ")
    return text


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
    query = question.text if question.as_of is None else on_day(question.text, question.as_of)
    found = palace.recall(query, until=said_by, now=said_by)
    texts = [hit.drawer.content for hit in found.hits[:LOOKED_AT] if _is_current(hit, question.as_of or last_day)]
    return Answered(question, verdict_of_texts(names, question, texts), tuple(texts))


def on_day(text: str, day: date) -> str:
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
