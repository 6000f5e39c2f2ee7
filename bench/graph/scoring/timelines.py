"""Questions of what was so on a day, and what the answers given are worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from bench.graph.scoring.cues import asks_for_plan, asks_until, asks_when, likeness
from bench.graph.scoring.dates import Told
from bench.graph.scoring.identities import Names
from bench.graph.scoring.predicates import is_plan
from bench.graph.scoring.relations import Held
from bench.graph.scoring.vocabulary import MONATE, MONTHS
from bench.graph.scoring.words import Tokens, contains, fold, tokens


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
