"""Express predicates, relations and their times in words, and find the relations a question asks for. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from functools import cache

from palace.config.zones import in_zone
from palace.graph.names import SELF_KEY
from palace.graph.predicates import object_types, tells_events, tells_past
from palace.models import Ended
from palace.models.claims import SELF, EntityType, Precision
from palace.models.graph import Relation, Standing, TimelineEntry
from palace.nlp.rules import rules
from palace.nlp.words import WORD, content_words, fold

_QUESTIONS = rules("graph", "questions")


def words_of(predicate: str, subject: str = "") -> str:
    """Return a predicate in words: "lives in", "is partner of"; for "I" as ``subject`` "live in", "am partner of"."""
    verb, *more = f"is_{predicate}".split("_") if _is_of_two(predicate) else predicate.split("_")
    if subject == SELF:
        verb = _QUESTIONS.table("of_oneself").get(verb, verb)
    return " ".join((verb, *more))


def predicate_of(words: str) -> str:
    """Return the predicate for words: "live in" and "lives in" give ``lives_in``; "" without words."""
    verb, *more = words.lower().replace("_", " ").split() or [""]
    of_others = next((said for said, own in _QUESTIONS.table("of_oneself").items() if own == verb), verb)
    is_of_two = of_others == "is" and _is_of_two("_".join(more))
    return "_".join(more if is_of_two else (of_others, *more))


def _is_of_two(predicate: str) -> bool:
    """Check whether a predicate says who somebody is to somebody ("partner_of"): a noun, not a verb."""
    return object_types().get(predicate) is EntityType.PERSON


def written_ended(ended: Ended) -> str:
    """Return an ended statement in words: "live in Ghent" for the owner of the palace, else "anna lives in Ghent".

    >>> written_ended(Ended("efoil", "has_battery", "12V"))
    'efoil has battery 12V'
    """
    if ended.subject == SELF_KEY:
        return f"{words_of(ended.predicate, SELF)} {ended.object}"
    return f"{ended.subject} {words_of(ended.predicate)} {ended.object}"


_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_SEASONS = ("winter", "spring", "summer", "autumn")
"""Indexed by the quarter of the year, counted from December."""


def when(relation: Relation, zone: tzinfo, now: datetime) -> str:
    """Return the time of a relation in words: "since May 2025", "until about 2019", "from 3 May 2025 to June 2025".

    If only the time of saying is known, it is "known since" then; if it was over by the time of saying, the end is "at
    the latest" then. A relation without a known duration is "over by" its end. "" where nothing is known.
    """
    if relation.valid_from is not None and relation.valid_from == relation.valid_to:
        return f"over by {written(relation.valid_from, Precision.DAY, zone)}"
    end = _end(relation, zone)
    if relation.valid_from is None:
        # "I've been to Greece" has no time of its own.
        return f"until {end}" if end and not tells_past(relation.predicate) else ""
    precision = relation.from_precision
    start = written(relation.valid_from, precision, zone)
    if end == start:
        return _during(start, precision)
    known = "known " if precision is Precision.MOMENT else ""
    if end:
        return f"{known}from {start} to {end}"
    return f"from {start}" if relation.valid_from > now else f"{known}since {start}"


def written(moment: datetime, precision: Precision, zone: tzinfo) -> str:
    """Return a time in its precision: "3 May 2025", "May 2025", "summer 2025", "2025", "about 2025"."""
    day = in_zone(moment, zone).date()
    month = f"{_MONTHS[day.month - 1]} {day.year}"
    if precision is Precision.VAGUE:
        return f"about {day.year}" if (day.month, day.day) == (1, 1) else f"about {month}"
    if precision is Precision.YEAR:
        return str(day.year)
    if precision is Precision.SEASON:
        return _season(day)
    return month if precision is Precision.MONTH else f"{day.day} {month}"


def standing(relation: Relation, now: datetime) -> Standing:
    """Return whether a relation is past, present or future at a moment."""
    if _holds(relation, now):
        return Standing.PRESENT
    is_to_come = relation.valid_from is not None and relation.valid_from > now
    return Standing.FUTURE if is_to_come else Standing.PAST


def entry(relation: Relation, zone: tzinfo, now: datetime) -> TimelineEntry:
    """Return a relation with its time in words."""
    return TimelineEntry(relation, when(relation, zone, now), standing(relation, now))


def in_order(entries: tuple[TimelineEntry, ...] | list[TimelineEntry]) -> tuple[TimelineEntry, ...]:
    """Sort entries by time; those without a known beginning by their end, those without any time first."""
    return tuple(sorted(entries, key=_place))


def _place(each: TimelineEntry) -> tuple[object, ...]:
    relation = each.relation
    begun = relation.valid_from or relation.valid_to
    names = (relation.subject, relation.predicate, relation.object, relation.recorded_at)
    return (begun is not None, begun, relation.valid_to is None, relation.valid_to, *names)


def _end(relation: Relation, zone: tzinfo) -> str:
    """Return the end of a relation in words; "" if it goes on. For an event, that is its last day."""
    end, precision = relation.valid_to, relation.to_precision or Precision.DAY
    if end is None:
        return ""
    if tells_events(relation.predicate) and precision is not Precision.MOMENT:
        end -= timedelta(microseconds=1)
    elif precision is Precision.VAGUE and in_zone(end, zone).time() != time.min:
        return f"{written(end, Precision.DAY, zone)} at the latest"
    return written(end, precision, zone)


def _during(start: str, precision: Precision) -> str:
    if precision in (Precision.DAY, Precision.MOMENT):
        return f"on {start}"
    return start if precision is Precision.VAGUE else f"in {start}"


def _season(day: date) -> str:
    name = _SEASONS[day.month % 12 // 3]
    if name != "winter":
        return f"{name} {day.year}"
    year = day.year if day.month == 12 else day.year - 1
    return f"{name} {year}/{(year + 1) % 100:02d}"


_DOING = frozenset(("do", "does", "did"))
_ALSO = {"gp": ("doctor", "arzt", "hausarzt"), "doctor": ("gp",), "doc": ("doctor",)}
"""Synonyms of properties in questions."""
_OF_ME = frozenset(("i", "we", "ich", "wir"))

_NAMED, _AGAIN, _VALUE, _HINT, _OWN = 2.0, 0.5, 1.0, 0.4, 0.2


def ranked(relations: Iterable[Relation], question: str) -> tuple[Relation, ...]:
    """Return the relations that a question asks for, the best first.

    A relation matches by words for its predicate ("where does he live"), and by words of its object or subject; "I"
    prefers relations of the owner. Relations with less than half of the best score are left out. Ties keep their order.
    """
    relations = list(relations)
    cues = {each.predicate: _cues(each.predicate) for each in relations}
    words = _asking_words([fold(word) for word in WORD.findall(question)], [*_asked_with().values(), *cues.values()])
    meant = frozenset(content_words(question))
    scored = [(score(relation, words, meant), relation) for relation in relations]
    best = max((worth for worth, _ in scored), default=0.0)
    kept = [pair for pair in scored if pair[0] > 0 and 2 * pair[0] >= best]
    return tuple(relation for _, relation in sorted(kept, key=lambda pair: -pair[0]))


def _asking_words(words: Sequence[str], cues: Iterable[frozenset[str]]) -> frozenset[str]:
    """Return the words of a question without auxiliary verbs: "do" in "where do I live", "have" in "which battery do I
    have". ``cues`` are the words that ask for predicates.
    """
    kept = list(words)
    helps = next((place for place, word in enumerate(kept) if word in _DOING), None)
    if helps is not None and (helps == 0 or kept[0] in _QUESTIONS.words("asking")):
        del kept[helps]
    others = frozenset(kept) - _QUESTIONS.words("helping")
    return others if any(others & each for each in cues) else frozenset(kept)


def score(relation: Relation, words: frozenset[str], meant: frozenset[str]) -> float:
    """Return the score of a relation for a question's words; ``meant`` are its content words."""
    asked = words & _cues(relation.predicate)
    worth = _NAMED + _AGAIN * (len(asked) - 1) if asked else 0.0
    if any(relation.predicate in _QUESTIONS.table("hinted_at").get(word, "").split() for word in words):
        worth += _HINT
    worth += _VALUE * _share(relation.object, meant)
    if worth and relation.subject == SELF and words & _OF_ME:
        worth += _OWN
    return worth + _HINT * _share(relation.subject, meant)


@cache
def _asked_with() -> Mapping[str, frozenset[str]]:
    table = _QUESTIONS.table("asked_with")
    return {predicate: frozenset(map(fold, words.split())) for predicate, words in table.items()}


def _cues(predicate: str) -> frozenset[str]:
    if predicate in _asked_with():
        return _asked_with()[predicate] | asked_in_german(predicate)
    if predicate == "is":
        return frozenset()
    parts = [part for part in predicate.removeprefix("has_").split("_") if part]
    parts += [other for part in parts for other in _ALSO.get(part, ())]
    return frozenset(fold(part) for part in parts) | asked_in_german(predicate)


def _share(name: str, meant: frozenset[str]) -> float:
    of_name = frozenset(content_words(name))
    return len(of_name & meant) / len(of_name) if of_name else 0.0


@cache
def asked_in_german(predicate: str) -> frozenset[str]:
    """Return the folded German words that ask for a predicate; empty if there are none."""
    asked = rules("claims", "asked_in_german")
    found = asked.table("words").get(predicate, "").split()
    if predicate.startswith("has_"):
        found += asked.table("nouns").get(predicate.removeprefix("has_").replace("_", " "), "").split()
    return frozenset(found)


def _holds(relation: Relation, moment: datetime) -> bool:
    """Check whether a relation is true at a moment, from its beginning (inclusive) to its end (exclusive)."""
    begun = relation.valid_from is None or relation.valid_from <= moment
    return begun and (relation.valid_to is None or moment < relation.valid_to)
