"""A predicate in words, and what of a drawer is so no longer. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from functools import cache

from palace.config.zones import in_zone
from palace.graph.names import fold_name
from palace.graph.predicates import tells_events
from palace.models import Ended
from palace.models.claims import SELF, Precision
from palace.models.graph import Relation, Standing, TimelineEntry
from palace.nlp.rules import rules
from palace.nlp.words import WORD, content_words, fold

_SELF_KEY = fold_name(SELF)
_QUESTIONS = rules("graph", "questions")


def words_of(predicate: str, subject: str = "") -> str:
    """Write a predicate as words: "lives in", "has battery"; "live in" where its ``subject`` is the person, "I"."""
    verb, *more = predicate.split("_")
    if subject == SELF:
        verb = _QUESTIONS.table("of_oneself").get(verb, verb)
    return " ".join((verb, *more))


def predicate_of(words: str) -> str:
    """Return the predicate that words say: "live in" and "lives in" are ``lives_in``; "" where there are none."""
    verb, *more = words.lower().replace("_", " ").split() or [""]
    of_others = next((said for said, own in _QUESTIONS.table("of_oneself").items() if own == verb), verb)
    return "_".join((of_others, *more))


def written_ended(ended: Ended) -> str:
    """Write what is so no longer: "live in Ghent" of the person's own, "anna lives in Ghent" of somebody else's.

    >>> written_ended(Ended("efoil", "has_battery", "12V"))
    'efoil has battery 12V'
    """
    if ended.subject == _SELF_KEY:
        return f"{words_of(ended.predicate, SELF)} {ended.object}"
    return f"{ended.subject} {words_of(ended.predicate)} {ended.object}"


_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_SEASONS = ("winter", "spring", "summer", "autumn")
"""Each by the quarter of the year that its first day lies in: winter begins in December."""


def when(relation: Relation, zone: tzinfo, now: datetime) -> str:
    """Return when a relation held or will: "since May 2025", "until about 2019", "from 3 May 2025 to June 2025".

    Where no more is known of a beginning than that it was so when it was said, it is "known since" then; of what was
    over when it was said, and nobody told since when, the end is "at the latest" then. What never held for a known time
    is "over by" its end. "" where nothing is known.
    """
    if relation.valid_from is not None and relation.valid_from == relation.valid_to:
        return f"over by {written(relation.valid_from, Precision.DAY, zone)}"
    end = _end(relation, zone)
    if relation.valid_from is None:
        return f"until {end}" if end else ""
    precision = relation.from_precision
    start = written(relation.valid_from, precision, zone)
    if end == start:
        return _during(start, precision)
    known = "known " if precision is Precision.MOMENT else ""
    if end:
        return f"{known}from {start} to {end}"
    return f"from {start}" if relation.valid_from > now else f"{known}since {start}"


def written(moment: datetime, precision: Precision, zone: tzinfo) -> str:
    """Write a time as exactly as it is known: "3 May 2025", "May 2025", "summer 2025", "2025", "about 2025"."""
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
    """Check whether a relation holds at a moment, held before or will hold."""
    if _holds(relation, now):
        return Standing.PRESENT
    is_to_come = relation.valid_from is not None and relation.valid_from > now
    return Standing.FUTURE if is_to_come else Standing.PAST


def entry(relation: Relation, zone: tzinfo, now: datetime) -> TimelineEntry:
    """Put a relation's time into words."""
    return TimelineEntry(relation, when(relation, zone, now), standing(relation, now))


def in_order(entries: tuple[TimelineEntry, ...] | list[TimelineEntry]) -> tuple[TimelineEntry, ...]:
    """Put entries in order of time; what has no known beginning stands where it ended, of no known time first."""
    return tuple(sorted(entries, key=_place))


def _place(each: TimelineEntry) -> tuple[object, ...]:
    relation = each.relation
    begun = relation.valid_from or relation.valid_to
    names = (relation.subject, relation.predicate, relation.object, relation.recorded_at)
    return (begun is not None, begun, relation.valid_to is None, relation.valid_to, *names)


def _end(relation: Relation, zone: tzinfo) -> str:
    """Write when a relation ended; "" where it goes on. Of what happens, that is the last of its days."""
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
"""What else asks for a property."""
_OF_ME = frozenset(("i", "we", "ich", "wir"))

_NAMED, _AGAIN, _VALUE, _HINT, _OWN = 2.0, 0.5, 1.0, 0.4, 0.2


def ranked(relations: Iterable[Relation], question: str) -> tuple[Relation, ...]:
    """Put the relations that a question asks for in front, those it does not ask for left out.

    A relation is asked for by words that its predicate is asked with ("where does he live"), and by words of its object
    or its subject; "I" asks for what is so of the person before what is so of others. One with less than half of what
    the best has is left out. Of those alike the order stays as given.
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
    """Return the words of a question without those that only make it one: "do" of "where do I live", "have" of
    "which battery do I have". ``cues`` are the words that predicates are asked with.
    """
    kept = list(words)
    helps = next((place for place, word in enumerate(kept) if word in _DOING), None)
    if helps is not None and (helps == 0 or kept[0] in _QUESTIONS.words("asking")):
        del kept[helps]
    others = frozenset(kept) - _QUESTIONS.words("helping")
    return others if any(others & each for each in cues) else frozenset(kept)


def score(relation: Relation, words: frozenset[str], meant: frozenset[str]) -> float:
    """Return how much a question's words ask for a relation; ``meant`` are those of them that say what it is about."""
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
    """List the words, folded, that ask for a predicate in German; none where it is not asked for so."""
    asked = rules("claims", "asked_in_german")
    found = asked.table("words").get(predicate, "").split()
    if predicate.startswith("has_"):
        found += asked.table("nouns").get(predicate.removeprefix("has_").replace("_", " "), "").split()
    return frozenset(found)


def _holds(relation: Relation, moment: datetime) -> bool:
    """Check whether a relation holds at a moment: from its beginning on, and at its end no longer."""
    begun = relation.valid_from is None or relation.valid_from <= moment
    return begun and (relation.valid_to is None or moment < relation.valid_to)
