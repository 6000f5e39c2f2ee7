"""Derives what a query asks for from its text alone: times, current state, all of a kind, predicates. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from palace.models import Span
from palace.models.intake import repair
from palace.nlp.aaak import Wish, read_wishes
from palace.nlp.direction import asked_about
from palace.nlp.kinds import AskedKinds, kinds_asked
from palace.nlp.questions import in_first_person
from palace.nlp.questions.scope import Breadth, breadth_of, wants_work
from palace.nlp.questions.states import (
    Earlier,
    amount_asked,
    asks_earlier,
    asks_outcome,
    asks_several,
    asks_what_is,
    asks_what_was,
    named_by_answers,
    of_what_goes_on,
)
from palace.nlp.rules import rules
from palace.nlp.time import TimeFocus, TimeWindow, asks_what_happened, find_times_asked, time_focus

LONGEST_QUERY = 2000
LATELY = timedelta(days=14)
"""How far back "lately" reaches."""

_QUERY, _PREDICATES, _ALONE = rules("recall", "query"), rules("recall", "predicates"), rules("recall", "time_alone")
_WORD = re.compile(r"\w+")
_KIND_WORD = re.compile(r"[\w'-]+")
_PROPERTY = "has_"


@dataclass(frozen=True, slots=True)
class Intent:
    """What a query asks for besides its words."""

    now: datetime
    windows: tuple[TimeWindow, ...] = ()
    """Times that it refers to."""
    asks_current: bool = False
    """Whether it asks for the current state."""
    asks_back: bool = False
    """Whether it asks for what was said to the user too, not only by the user."""
    asks_past: bool = False
    """Whether it asks for a former state or a past event."""
    asks_former: bool = False
    """Whether it asks for a former state, by its words or by times that have passed."""
    asks_what_was: bool = False
    """Whether it asks for a lasting state, for which statements before the times may still hold."""
    asks_what_is: bool = False
    """Whether a single statement answers it, the newest of several."""
    earlier: Earlier | None = None
    """Which earlier state it asks for without naming a time."""
    asks_several: bool = False
    """Whether it needs several statements: a sum, a difference, an order."""
    answers_name: str | None = None
    """Postgres pattern of what an answer must contain, such as a number or a time; None for anything."""
    amount: str | None = None
    """Postgres pattern of statements of the current amount that it asks for; None if it asks for none."""
    breadth: Breadth = Breadth.NONE
    """Whether it asks for all of a kind."""
    wants_work: bool = False
    """Whether it gives a task or asks for advice, so that standing instructions matter."""
    names_known: bool = False
    """Whether it names a known entity; determined by the arms."""
    names_kind: bool = False
    """Whether it asks for a kind of things that the palace knows; determined by the arms."""

    @property
    def stretch(self) -> tuple[datetime, datetime] | None:
        """The span from the start of its first time to the end of its last; None without times."""
        if not self.windows:
            return None
        return min(each.start for each in self.windows), max(each.end for each in self.windows)


class Query(NamedTuple):
    """A parsed query."""

    text: str
    sought: str
    """The query in the first person of the palace's owner."""
    wishes: tuple[Wish, ...]
    """Requested tags (``@p Anna``); their signs are not in ``sought``."""
    intent: Intent
    times_alone: tuple[TimeWindow, ...]
    """Its times, if it asks for nothing else; else empty."""
    characters: int
    """Original length; beyond 2,000 characters the query is cut off."""


def read_query(query: str, now: datetime, person: Sequence[str] = ()) -> Query:
    """Parse a query asked at ``now``, which must be aware; ``person`` holds the names of the palace's owner."""
    repaired = repair(query.strip())[0]
    text = repaired[:LONGEST_QUERY]
    asked, intent = read_wishes(text), read_intent(text, now)
    sought = in_first_person(asked.query, person)
    return Query(text, sought, asked.wishes, intent, times_alone(text, intent), len(repaired))


def read_intent(query: str, now: datetime) -> Intent:
    """Return what a query asks for at ``now``, which must be aware."""
    asks_back, focus = _QUERY.finds("asks_back", query), time_focus(query)
    windows = asked_about(query, now, lambda tense: find_times_asked(query, now, tense=tense))
    earlier = None if windows else asks_earlier(query)
    is_over = bool(windows) and all(each.end <= now for each in windows)
    return Intent(
        now=now,
        windows=windows,
        asks_current=focus is TimeFocus.CURRENT,
        asks_past=focus is TimeFocus.FORMER or (asks_what_happened(of_what_goes_on(query)) and not asks_outcome(query)),
        asks_back=asks_back,
        asks_former=focus is TimeFocus.FORMER or earlier is not None or is_over,
        asks_what_was=asks_what_was(query),
        asks_what_is=asks_what_is(query),
        earlier=earlier,
        asks_several=asks_several(query),
        answers_name=named_by_answers(query),
        amount=None if windows or earlier else amount_asked(query),
        breadth=breadth_of(query),
        wants_work=wants_work(query),
    )


def asks_for_words_said(query: str) -> bool:
    """Check whether a query asks for what somebody said."""
    return _QUERY.finds("words_said", query)


def times_alone(query: str, intent: Intent) -> tuple[TimeWindow, ...]:
    """Return the times of a query that asks for nothing else; empty for any other query."""
    windows = (*intent.windows, *_lately(query, intent))
    if not windows:
        return ()
    rest = without(query, [window.span for window in windows])
    is_ahead = all(window.end > intent.now for window in windows)
    return windows if says_nothing_else(rest, is_ahead=is_ahead) else ()


def _lately(query: str, intent: Intent) -> list[TimeWindow]:
    now, taken = intent.now, [window.span for window in intent.windows]
    found = (Span(each.start(), each.end()) for each in _QUERY["lately"].finditer(query))
    free = [span for span in found if all(span.end <= other.start or other.end <= span.start for other in taken)]
    if not free:
        return []
    start, _ = TimeWindow(now, now, Span(0, 0), LATELY).widest
    return [TimeWindow(start, now, span, timedelta(), is_relative=True) for span in free]


def without(text: str, spans: Iterable[Span]) -> str:
    """Replace spans of a text by a space each."""
    for span in sorted(spans, reverse=True):
        text = f"{text[: span.start]} {text[span.end :]}"
    return text


def says_nothing_else(text: str, *, is_ahead: bool = False) -> bool:
    """Check whether the words of a text, its times removed, only ask, all in one language.

    A text without words passes: "Last week?" With ``is_ahead``, the times are in the future, so words of plans pass
    too.

    >>> says_nothing_else("What did I tell you ?"), says_nothing_else("What did I tell you about the boat ?")
    (True, False)
    """
    words = set(_WORD.findall(text.casefold())) - (_ALONE.words("ahead") if is_ahead else frozenset())
    if not words.isdisjoint(_ALONE.words("deciding")):
        words -= _ALONE.words("deciding") | _ALONE.words("beside_deciding")
    return words <= _ALONE.words("english") or words <= _ALONE.words("german")


def deciding_words() -> frozenset[str]:
    """Return the words by which something is decided, in lower case."""
    return _ALONE.words("deciding")


def asks_decisions(text: str) -> bool:
    """Check whether a question asks for decisions.

    >>> asks_decisions("What did we agree on last week?"), asks_decisions("What did we make last week?")
    (True, False)
    """
    return not deciding_words().isdisjoint(_WORD.findall(text.casefold()))


def asked_kinds(query: str, lexemes: Collection[str], intent: Intent) -> AskedKinds | None:
    """Return the kinds of things that a query asks for; None if it asks for a single thing.

    The kind is named by the words after the asking word, up to the next verb or the like, so "what was the first issue
    with my car" does not ask for cars. Without such words, a query for an order or a summary may name it anywhere.
    ``lexemes`` are the query's stems.
    """
    if _QUERY.finds("of_two", query):
        return None
    of = [_QUERY["behind_kind"].split(found["of"])[0] for found in _QUERY["several"].finditer(query)]
    found = _kinds_in(" ".join(of), lexemes)
    is_whole = intent.breadth in (Breadth.ORDER, Breadth.SUMMARY) or (intent.breadth.is_broad and not of)
    return _kinds_in(query, lexemes) if found is None and is_whole else found


def _kinds_in(text: str, lexemes: Collection[str]) -> AskedKinds | None:
    """Return the kinds that a text names; words are matched to lexemes by prefix ("batteri" to "battery")."""
    words = tuple(word.casefold() for word in _KIND_WORD.findall(text))
    begun = {stem: stem[: max(3, len(stem) - 1)].casefold() for stem in lexemes}
    stems = [stem for stem in lexemes if any(word.startswith(begun[stem]) for word in words)]
    found = kinds_asked(text, stems)
    return found if found.names or found.stems or found.words else None


def own_predicates(query: str) -> list[str]:
    """Return the predicates that a query asks about the user; only distinctive words are recognised.

    >>> own_predicates("Where do I live?"), own_predicates("Where does Anna live?")
    (['lives_in'], [])
    """
    if not _QUERY.finds("of_oneself", query):
        return []
    words, telling = _rare_words(query), _PREDICATES.words("telling")
    return [each for each in predicates_asked(words) if each in telling or each.startswith(_PROPERTY)]


def asked_of(query: str, predicates: Collection[str]) -> frozenset[str]:
    """Return those of ``predicates`` that the query asks about by uncommon words, or all if there are none."""
    words = _rare_words(query)
    return frozenset(each for each in predicates if asks_about(each, words)) or frozenset(predicates)


def _rare_words(query: str) -> frozenset[str]:
    return words_of_predicates(query) - _PREDICATES.words("common")


def words_of_predicates(query: str) -> frozenset[str]:
    """Return the words of a query in lower case, for comparison with predicates."""
    return frozenset(_WORD.findall(query.casefold()))


def asking_words(query: str, names: Collection[str]) -> frozenset[str]:
    """Return the words of a query without those that name an entity ("my cousin").

    If it asks who that entity is, all words are returned.

    >>> "sister" in asking_words("Where does my sister live?", ["sister"])
    False
    """
    words = words_of_predicates(query)
    if words & _PREDICATES.words("asks_who"):
        return words
    return words - {part for name in names for part in name.split()}


def asks_about(predicate: str, words: frozenset[str]) -> bool:
    """Check whether a query with these words asks about a predicate; a property must be named.

    >>> asks_about("lives_in", words_of_predicates("my sister's city")), asks_about("has_rent", frozenset({"rent"}))
    (True, True)
    """
    if predicate.startswith(_PROPERTY):
        return bool(words & set(predicate.removeprefix(_PROPERTY).split("_")))
    return predicate in _PREDICATES.words("predicates") and bool(words & _PREDICATES.words(predicate))


def predicates_asked(words: frozenset[str]) -> list[str]:
    """Return the predicates that a query with these words may ask about, including properties."""
    named = [f"{_PROPERTY}{word}" for word in words if word.isalpha()]
    return sorted([*(each for each in _PREDICATES.words("predicates") if asks_about(each, words)), *named])
