"""Which way a time without a year points: ahead ("moved to", "wir liefern am") or back ("we met on").

English and German. What only sets a time tells no past: "agreed: 8 November", "is closed on", "wie vereinbart".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import islice

from palace.models import Span
from palace.nlp.rules import late, rules
from palace.nlp.time import Tense, TimeWindow, asks_what_happened, tense_of
from palace.nlp.time.periods import EARLIEST
from palace.nlp.time.vocabulary import compiled, fold

_RULES = rules("todos", "direction")

Find = Callable[[Tense], Sequence[TimeWindow]]
"""Finds the times of a text, pointing one way."""
NEAREST, FARTHEST = timedelta(days=45), timedelta(days=290)
"""A day of the last weeks is meant itself, rather than the same a year on."""
FAR = 200
"""Characters of a sentence on either side of a time that are looked at."""
_MOST_DAYS = 8
"""Weekdays of a sentence that are looked at."""
_HERE = "\0"
"""Stands where the time does."""
_END = late(r"(?<!\d)[.!?](?=\s|$)|[;\n]")


def looks_ahead(sentence: str) -> bool:
    """Tell whether the times in a sentence are meant ahead: it says so, or names an engagement and tells no past."""
    if tense_of(sentence) is Tense.FUTURE:
        return True
    if _RULES.finds("engagement", sentence):
        return not asks_what_happened(sentence)
    return _RULES.finds("until_german", sentence) and not tells_past(fold(sentence), "")


def may_point_ahead(sentence: str) -> bool:
    """Tell whether a sentence may speak of what is ahead without an English word for it.

    It names a date and tells no past ("Agreed: 8 November"), has a German word of what is ahead, or points a weekday
    ahead ("not before Saturday").
    """
    folded = fold(sentence)
    if _RULES.finds("date", folded) and not tells_past(folded, ""):
        return True
    if _RULES.finds("is_set", folded) or _RULES.finds("comes_german", folded):
        return True
    days = islice(_RULES["weekday"].finditer(folded), _MOST_DAYS)
    return any(_way_stated(sentence, Span(*day.span())) is Tense.FUTURE for day in days)


def directed(text: str, now: datetime, find: Find) -> tuple[TimeWindow, ...]:
    """Find the times of a text, each pointing the way that its own sentence says, or else the whole text.

    Where nothing says so, the nearer one is meant. A day of the last weeks stays where it is.
    """
    tense = tense_of(text)
    found = tuple(find(tense))
    if not found:
        return ()
    others = {window.span: window for window in find(Tense.PAST if tense is Tense.FUTURE else Tense.FUTURE)}
    pairs = ((window, others.get(window.span, window)) for window in found)
    return tuple(
        meant(text, one.span, *((other, one) if tense is Tense.FUTURE else (one, other)), now) for one, other in pairs
    )


def meant(text: str, span: Span, back: TimeWindow, forth: TimeWindow, now: datetime) -> TimeWindow:
    """Choose which is meant by a time that has no year, told at ``span``: the last one or the next one.

    A day of the last weeks is not the same a year on, whatever way the words point.
    """
    if (back.start, back.end) == (forth.start, forth.end):
        return back
    way = _way_stated(text, span) or (Tense.FUTURE if tense_of(text) is Tense.FUTURE else None)
    if way is Tense.FUTURE:
        return back if _distance(forth, now) > FARTHEST and _distance(back, now) < NEAREST else forth
    return back if way is Tense.PAST or _distance(back, now) <= _distance(forth, now) else forth


def asked_about(query: str, now: datetime, find: Find) -> tuple[TimeWindow, ...]:
    """Find the times of a query, which asks for what has been unless its words point ahead.

    A day of the next weeks is meant itself, rather than the same a year ago: "who is on call on 8 November?"
    """
    if tense_of(query) is Tense.FUTURE:
        return tuple(find(Tense.FUTURE))
    found = tuple(find(Tense.PAST))
    forth = {window.span: window for window in find(Tense.FUTURE)} if found else {}
    return tuple(_asked(query, window, forth.get(window.span, window), now) for window in found)


def _asked(query: str, back: TimeWindow, forth: TimeWindow, now: datetime) -> TimeWindow:
    ahead, behind = _distance(forth, now), _distance(back, now)
    if behind <= ahead:
        return back
    way = _way(query, back.span)
    return forth if way is Tense.FUTURE or (way is None and ahead < NEAREST and behind > FARTHEST) else back


def _distance(window: TimeWindow, now: datetime) -> timedelta:
    """Return how far from now a window is; "until March" is told by March, whenever it began."""
    is_open = window.start.date() == EARLIEST or window.start == now
    return abs((window.end if is_open else window.start) - now)


def _way(text: str, span: Span) -> Tense | None:
    """Tell which way the words of its sentence point a time; None where they do not say."""
    before, after = _sentence(fold(text), span)
    if _is_ahead(before, after) or tense_of(f"{before} {after}") is Tense.FUTURE:
        return Tense.FUTURE
    if tells_past(before, after):
        return Tense.PAST
    return Tense.FUTURE if _RULES.finds("closes", before) else None


def _way_stated(text: str, span: Span) -> Tense | None:
    """Tell which way a statement points a time: as a question does, or else what is in the present tense ahead."""
    if _will_be(*_sentence(fold(text), span)):
        return Tense.FUTURE
    return _way(text, span) or _way_of_verb(*_sentence(text.replace("’", "'"), span))


def _sentence(text: str, span: Span) -> tuple[str, str]:
    """Return the words of a sentence before a time, with the prepositions that belong to it, and those behind it."""
    lead = _RULES["lead"].match(text, span.start, span.end)
    start = lead.end() if lead else span.start
    before, after = text[max(0, start - FAR) : start], text[span.end : span.end + FAR]
    begins = max((found.end() for found in _END.finditer(before)), default=0)
    ends = _END.search(after)
    return before[begins:], after[: ends.start()] if ends else after


def _is_ahead(before: str, after: str) -> bool:
    """Tell whether a time is ahead by the words of its sentence: "moved to", "booked for"."""
    if _RULES.finds("long_ago", f"{before} {after}") or _RULES.finds("and_done", after):
        return False
    return compiled(_RULES.source("ahead")).search(before) is not None or _is_ahead_in_german(before, after)


def _is_ahead_in_german(before: str, after: str) -> bool:
    sentence = f"{before} {after}"
    if _RULES.finds("to", before):
        return _RULES.finds("is_set", sentence)
    if _RULES.finds("is_day", before):
        return True
    if not _RULES.finds("on_day", before):
        return False
    if _RULES.finds("asked_to", sentence):
        return not _RULES.finds("was_asked", sentence)
    return _RULES.finds("comes_german", sentence) and not _RULES.finds("done_german", sentence)


def tells_past(before: str, after: str) -> bool:
    """Tell whether a time is one of what has been, by the folded words of its sentence before it and behind it."""
    ends = [found.end() for found in _RULES["clause_ends"].finditer(before)]
    end = _RULES["clause_ends"].search(after)
    clause = f"{before[max(ends, default=0) :]}{_HERE}{after[: end.start()] if end else after}"
    plain = _RULES["no_past"].sub(" ", _RULES["opens"].sub(" ", clause))
    if _RULES.finds("past", plain):
        return True
    if not _RULES.finds("was_set_in_german", plain) or not _RULES.finds("on", plain):
        plain = _RULES["set_in_german"].sub(" ", plain)
    return _RULES.finds("past_in_german", plain)


def _way_of_verb(before: str, after: str) -> Tense | None:
    """Tell which way a statement points a time by its verb or by what opens ahead: "wir liefern am", "not before"."""
    folded, rest = fold(before), fold(after)
    if _will_be(folded, rest):
        return Tense.FUTURE
    if tells_past(_RULES["but"].sub("", folded), rest) or _has_german_verb("was_done", before, after):
        return Tense.PAST
    is_open = any(
        compiled(_RULES.source(name)).search(text)
        for name, text in (("opens_ahead", folded), ("closes_ahead", folded), ("present", folded), ("and_opens", rest))
    )
    return Tense.FUTURE if is_open or _has_german_verb("is_done", before, after) else None


def _will_be(before: str, after: str) -> bool:
    """Tell whether German words of what will be stand in a sentence: "wird am Montag geliefert"."""
    return _RULES.finds("will_german", f"{before} {after}")


def _has_german_verb(name: str, before: str, after: str) -> bool:
    """Tell whether a verb stands before a day, behind who does it, or behind a day that begins the clause."""
    if _RULES.finds(name, before):
        return True
    return _RULES.finds("begins_with_day", before) and _RULES.finds(f"{name}_inverted", after)
