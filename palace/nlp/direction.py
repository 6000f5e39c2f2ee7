"""Whether a date without a year is in the future ("moved to", "wir liefern am") or in the past ("we met on").

English and German. Words that only fix a date are no past tense: "agreed: 8 November", "is closed on".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, tzinfo
from itertools import islice

from palace.config.zones import in_zone
from palace.models import Span
from palace.nlp.caching import cache_by_digest
from palace.nlp.rules import late, rules
from palace.nlp.time import Tense, TimeWindow, asks_what_happened, find_times_asked, tense_of
from palace.nlp.time.periods import EARLIEST
from palace.nlp.time.vocabulary import compiled, fold, of_times

_RULES = rules("todos", "direction")

Find = Callable[[Tense], Sequence[TimeWindow]]
"""Finds the times of a text, resolving those without a year to the past or to the future."""
NEAREST, FARTHEST = timedelta(days=45), timedelta(days=290)
"""A date less than ``NEAREST`` ago is meant itself, if next year's is more than ``FARTHEST`` away."""
FAR = 200
"""Most characters of a sentence that are read on either side of a time."""
_MOST_DAYS = 8
"""Most weekdays of a sentence that are checked."""
_HERE = "\0"
"""Replaces the time in its clause."""
_DAY = timedelta(days=1)
_LONGEST = 60
"""Most characters of a time expression that are kept."""
_END = late(r"(?<!\d)[.!?](?=\s|$)|[;\n]")


def looks_ahead(sentence: str) -> bool:
    """Check whether a sentence is about the future: by its tense, or by an engagement without words of the past."""
    if tense_of(sentence) is Tense.FUTURE:
        return True
    if _RULES.finds("engagement", sentence):
        return not asks_what_happened(sentence)
    return _RULES.finds("until_german", sentence) and not tells_past(fold(sentence), "")


def may_point_ahead(sentence: str) -> bool:
    """Check whether a sentence may be about the future without an English word for it.

    It has a date and no words of the past ("Agreed: 8 November"), German words of the future, or a weekday to come
    ("not before Saturday").
    """
    folded = fold(sentence)
    if _RULES.finds("date", folded) and not tells_past(folded, ""):
        return True
    if _RULES.finds("is_set", folded) or _RULES.finds("comes_german", folded):
        return True
    days = islice(_RULES["weekday"].finditer(folded), _MOST_DAYS)
    return any(_way_stated(sentence, Span(*day.span())) is Tense.FUTURE for day in days)


def directed(text: str, now: datetime, find: Find) -> tuple[TimeWindow, ...]:
    """Find the times of a text, each resolved to the past or future by its own sentence, or else by the whole text.

    Where neither decides, the nearer one is meant. A date in the last weeks stays in the past.
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
    """Choose between the last (``back``) and the next (``forth``) occurrence of the time without a year at ``span``.

    A date in the last weeks is never taken for next year's, whatever the words say.
    """
    if (back.start, back.end) == (forth.start, forth.end):
        return back
    way = _way_stated(text, span) or (Tense.FUTURE if tense_of(text) is Tense.FUTURE else None)
    if way is Tense.FUTURE:
        return back if _distance(forth, now) > FARTHEST and _distance(back, now) < NEAREST else forth
    return back if way is Tense.PAST or _distance(back, now) <= _distance(forth, now) else forth


def asked_about(query: str, now: datetime, find: Find) -> tuple[TimeWindow, ...]:
    """Find the times of a query, which asks about the past unless its words are about the future.

    A date in the next weeks is meant itself, not last year's: "who is on call on 8 November?"
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
    """Return the distance of a window from now; one with an open start ("until March") counts by its end."""
    is_open = window.start.date() == EARLIEST or window.start == now
    return abs((window.end if is_open else window.start) - now)


def _way(text: str, span: Span) -> Tense | None:
    """Return whether the words of its sentence put a time into the past or the future; None where they do not say."""
    before, after = _sentence(fold(text), span)
    if _is_ahead(before, after) or tense_of(f"{before} {after}") is Tense.FUTURE:
        return Tense.FUTURE
    if tells_past(before, after):
        return Tense.PAST
    return Tense.FUTURE if _RULES.finds("closes", before) else None


def _way_stated(text: str, span: Span) -> Tense | None:
    """Return the past or the future for a time in a statement, where verbs in the present tense may count as future."""
    if _will_be(*_sentence(fold(text), span)):
        return Tense.FUTURE
    return _way(text, span) or _way_of_verb(*_sentence(text.replace("’", "'"), span))


def _sentence(text: str, span: Span) -> tuple[str, str]:
    """Return the sentence of a time in two parts: before it, with its own prepositions, and behind it."""
    lead = _RULES["lead"].match(text, span.start, span.end)
    start = lead.end() if lead else span.start
    before, after = text[max(0, start - FAR) : start], text[span.end : span.end + FAR]
    begins = max((found.end() for found in _END.finditer(before)), default=0)
    ends = _END.search(after)
    return before[begins:], after[: ends.start()] if ends else after


def _is_ahead(before: str, after: str) -> bool:
    """Check whether the words of its sentence put a time into the future: "moved to", "booked for"."""
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
    """Check whether a time is in the past, by the folded words of its sentence before it and behind it."""
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
    """Return the past or the future for a time by its statement's verb or opening: "wir liefern am", "not before"."""
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
    """Check whether a sentence has a German future: "wird am Montag geliefert"."""
    return _RULES.finds("will_german", f"{before} {after}")


def _has_german_verb(name: str, before: str, after: str) -> bool:
    """Check whether a verb stands before a day, or behind a day at the beginning of the clause."""
    if _RULES.finds(name, before):
        return True
    return _RULES.finds("begins_with_day", before) and _RULES.finds(f"{name}_inverted", after)


def day_told(words: str, said_at: datetime | None, zone: tzinfo, around: str = "") -> str:
    """Format the date that a time expression means, said at ``said_at``; the expression itself where that is unknown.

    A day is ``2026-07-03``, a month ``2026-07``, a year ``2026``, several days ``2026-07-03/2026-07-09``; a vague date
    begins with "about". ``around`` is the text around the expression, which decides whether "14 June" is the last or
    the next one; where it does not, the nearer one is meant. "Until March" gives March.
    """
    plain = " ".join(words[:_LONGEST].split())
    if said_at is None:
        return plain
    return _day_meant(plain, words, said_at, zone, around) or plain


@cache_by_digest(2048)
def _day_meant(plain: str, words: str, said_at: datetime, zone: tzinfo, around: str) -> str | None:
    """Return the date that a time expression means, None if it means none."""
    now = in_zone(said_at, zone)
    back, forth = (_found(plain, now, tense) for tense in (Tense.PAST, Tense.FUTURE))
    if back is None or forth is None or plain.lower().startswith(("since ", "seit ")):
        found = back or forth
        return _written_days(found) if found else None
    place = max(0, around.find(words)) if words in around else 0
    text = around if words in around else words
    return _written_days(meant(text, Span(place, place + len(words)), back, forth, now))


def _found(plain: str, now: datetime, tense: Tense) -> TimeWindow | None:
    # "Until March" is tagged with March.
    bound = of_times("bounding").match(plain.lower())
    bare = plain[bound.end() :] if bound else plain
    for said in (bare, f"on {bare}", f"in {bare}", f"am {bare}", plain):
        found = find_times_asked(said, now, tense=tense)
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _written_days(window: TimeWindow) -> str:
    """Format a window as a year, a month, a day or a range, by its length and by how sharp its edges are."""
    days, soft, first = (window.end - window.start) / _DAY, window.softness / _DAY, window.start.date()
    is_day = days <= 1.5
    if (360 < days < 370 and (first.month, first.day) == (1, 1)) or (is_day and soft >= 45):
        return f"{first.year:04}"
    if (27 < days < 32 and first.day == 1) or (is_day and soft >= 9):
        return f"{first.year:04}-{first.month:02}"
    if soft > 2:
        return f"about {first.isoformat()}"
    return first.isoformat() if is_day else f"{first.isoformat()}/{(window.end - timedelta(microseconds=1)).date()}"
