"""Which way a time points that has no year: what was moved to it, booked for it or begins on it is ahead. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import islice

from palace.patterns import late
from palace.records import Span
from palace.text.open_ends.past import tells_past
from palace.text.open_ends.present import way_of, will_be
from palace.text.times import Tense, TimeWindow, tense_of
from palace.text.times.periods import EARLIEST
from palace.text.times.vocabulary import compiled, fold

Find = Callable[[Tense], Sequence[TimeWindow]]
"""Finds the times of a text, pointing one way."""
NEAREST, FARTHEST = timedelta(days=45), timedelta(days=290)
"""A day of the last weeks is meant itself, rather than the same a year on."""
FAR = 200
"""Characters of a sentence on either side of a time that are looked at."""

_END = late(r"(?<!\d)[.!?](?=\s|$)|[;\n]")
_ASIDE = r"(?:(?!\b(?:\w{2,}ed|was|were|had|did|went|came|got|met|saw)\b)[^.!?;\n]){0,60}?"
"""What may stand between: nothing that tells of something else, which has been."""
_CLOSES = late(r"(?<!\w)(?:until|till|by|bis(?: zum)?)(?: the)? ?\Z")
"""What ends with a time, or is to be done by it, is ahead where nothing tells that it has been."""
_ON = r"(?:\s(?:on|at|in|by|until|from))?(?:\sthe)?\s?\Z"
_MOVED = (
    r"(?:moved|postponed|rescheduled|delayed|shifted|bumped|deferred|changed|brought forward|put (?:off|back)"
    r"|pushed|slipped|slips)(?:\s(?:back|forward|out|off|again))?(?:\sfrom\s[^.!?;\n]{2,40}?)?"
    r"\s(?:to|until|till|for|from)(?:\sthe)?\s?\Z"
)
_BOOKED = (
    rf"(?:booked|reserved|scheduled|planned|agreed|pencill?ed in|arranged|appointment|reservation|tickets?)\b{_ASIDE}"
    r"\sfor(?:\sthe)?\s?\Z|(?:scheduled|due)\s(?:on|by|for)(?:\sthe)?\s?\Z"
)
_INVITED = rf"invit(?:ed|ation)\b(?:\s\w+){{0,3}}?\s(?:to|for)\s{_ASIDE}\s(?:on|for|in)(?:\sthe)?\s?\Z"
_IS_ON = r"(?:is|are)(?:\s(?:now|only|still|actually|already|then|again))?\s(?:on|from|until)(?:\sthe)?\s?\Z"
_IS_THE = r"(?:is|it's|that's)(?:\s(?:now|only|still|actually|then|again|currently)){0,2}(?:\sthe)?\s?\Z"
"""What is a day of no year is the next one: "the deadline is 14 January"."""
_COMES = (
    r"(?:comes|arrives|leaves|starts|begins|opens|closes|ends|departs|lands|moves|returns|flies|visits|expires|resumes"
    rf"|happens|takes place)\b{_ASIDE}{_ON}"
)
_WE_LEAVE = (
    r"(?<!did\s)(?:i|we|they|you|parents|guests|friends|kids)"
    rf"\s(?:arrive|leave|fly|start|begin|meet|move|return|travel)\b{_ASIDE}{_ON}"
)
_HAVE = (
    rf"(?:i|we|they|you|he|she)(?:\shave|\shas|'ve got|'s got)\s(?:an?|my|our|the|another)\b{_ASIDE}\son(?:\sthe)?\s?\Z"
)
_COMING = rf"(?:am|are|is|i'm|we're|they're|you're|he's|she's|it's)\s(?:\w+\s)?\w{{2,}}ing\b{_ASIDE}\son(?:\sthe)?\s?\Z"
_LEAD = late(
    r"(?:(?:(?:erst\s)?ab|frühestens(?:\s(?:am|im|ab))?|nicht\svor|not\s(?:before|until|till)|no[t]?\s(?:earlier|sooner)\sthan"
    r"|on|for|in|at|by|until|till|before|from|am|bis|auf|für|zum|vor)\s)?(?:(?:the|de[nm]|das)\s)?",
    re.IGNORECASE,
)

_GERMAN_LEAD = r"(?:de[nm]|das)?\s?(?:kommenden\s)?\Z"
_TO = late(rf"(?<!\w)(?:auf|für|zum)\s{_GERMAN_LEAD}")
_IS_SET = late(
    r"(?<!\w)(?:(?:vor|hin)?(?:ver)?(?:schoben|legt)|vorgezogen|vertagt|umgebucht|gebucht|reserviert|geplant|eingeplant"
    r"|angesetzt|vereinbart|vorgemerkt|bestellt|eingeladen|geeinigt|festgelegt|abgemacht|ausgemacht)(?!\w)"
)
_IS_DAY = late(r"(?<!\w)(?:ist|sind)\s(?:(?:jetzt|nun|erst|doch|also|immer|noch|wieder)\s){0,2}(?:der\s?)?\Z")
_ON_DAY = late(rf"(?<!\w)(?:am|ab|bis)\s(?:zum\s)?{_GERMAN_LEAD}")
_ASKED_TO = late(r"(?<!\w)zu[rm]?\s.*\beingeladen\b|\beingeladen\b.*(?<!\w)zu[rm]?\s")
_WAS_ASKED = late(r"(?<!\w)(?:wurden?|wurdest|hat(?:te)?n?)(?!\w)")
_COMES_GERMAN = late(
    r"(?<!\w)(?:ist|sind|kommt|kommen|beginnt|beginnen|startet|starten|findet|finden|fliegt|fliegen?|fährt|fahren?"
    r"|reist|reisen?|heiratet|heiraten?|endet|öffnet|schließt|läuft|zieht|ziehen?|trifft|treffen?|habe|haben|hat)(?!\w)"
)
_DONE_GERMAN = late(
    r"(?<!\w)(?:(?:ab|an|auf|aus|ein|um|zu|vor|weg|mit|los|zurück|hin)?ge\w{2,}(?:t|en)|\w{2,}iert"
    r"|(?:be(?!ginn)|ver|er|ent|zer)\w{2,}(?:t|en)"
    r"|war(?:en)?|wurden?|hatten?|jeden)(?!\w)"
)

_MONTH = r"(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]{0,6}\b"
_DATE = late(
    rf"(?<![\w.])[0-3]?\d(?:st|nd|rd|th|\.)?\s(?:of\s)?{_MONTH}|\b{_MONTH}\.?\s[0-3]?\d(?:st|nd|rd|th)?(?![\w:])"
)
_MOST_DAYS = 8
"""Weekdays of a sentence that are looked at."""
_WEEKDAY = late(
    r"(?<!\w)(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|sonnabend|mittwoch)(?!\w)"
)
_LONG_AGO = late(
    r"(?<!\w)(?:ago|last (?:year|month|week|time)|back (?:then|in)|used to|was on|were on"
    r"|letzte[sn]? (?:jahr|monat|woche|mal)|damals|früher)(?!\w)"
)
_AND_DONE = late(
    r"(?<!\w)(?:and|but|und|aber)\s(?:(?:i|we|it|they|he|she|ich|wir|es|er|sie)\s)?(?:had\s|really\s)?"
    r"(?:went|came|was|were|did|got|met|saw|had|took|loved|enjoyed|missed|bin|sind|habe|haben|war|waren|ging|kam)(?!\w)"
)


def points_ahead(text: str, span: Span) -> bool:
    """Tell whether a time is ahead by the words of its sentence, in English or German: "moved to", "booked for".

    >>> points_ahead("The meeting was moved to 17 December.", Span(25, 36))
    True
    >>> points_ahead("I moved to Berlin on 17 December.", Span(21, 32))
    False
    """
    before, after = _sentence(fold(text), span)
    if _LONG_AGO.search(f"{before} {after}") or _AND_DONE.search(after):
        return False
    return _english().search(before) is not None or _is_ahead_in_german(before, after)


def may_point_ahead(sentence: str) -> bool:
    """Tell whether a sentence may speak of what is ahead without an English word for it.

    It names a date and tells no past ("Agreed: 8 November"), has a German word of what is ahead, or points a weekday
    ahead ("not before Saturday").
    """
    folded = fold(sentence)
    if _DATE.search(folded) is not None and not tells_past(folded, ""):
        return True
    if _IS_SET.search(folded) is not None or _COMES_GERMAN.search(folded) is not None:
        return True
    days = islice(_WEEKDAY.finditer(folded), _MOST_DAYS)
    return any(_way_said(sentence, Span(*day.span())) is Tense.FUTURE for day in days)


def directed(text: str, now: datetime, find: Find) -> tuple[TimeWindow, ...]:
    """Find the times of a text, each pointing the way that its own sentence says, or else the whole text.

    Where nothing says so, the nearer one is meant. A day of the last weeks stays where it is.
    """
    tense = tense_of(text)
    found = tuple(find(tense))
    if not found:
        return ()
    others = {window.span: window for window in find(Tense.PAST if tense is Tense.FUTURE else Tense.FUTURE)}
    if tense is Tense.FUTURE:
        pairs = ((others.get(window.span, window), window) for window in found)
    else:
        pairs = ((window, others.get(window.span, window)) for window in found)
    return tuple(meant(text, back.span, back, forth, now) for back, forth in pairs)


def meant(text: str, span: Span, back: TimeWindow, forth: TimeWindow, now: datetime) -> TimeWindow:
    """Choose of the last and the next of a time that has no year, told at ``span``, the one that is meant.

    A day of the last weeks is not the same a year on, whatever way the words point.
    """
    if (back.start, back.end) == (forth.start, forth.end):
        return back
    way = _way_said(text, span) or (Tense.FUTURE if tense_of(text) is Tense.FUTURE else None)
    if way is Tense.FUTURE:
        return back if _ahead(forth, now) > FARTHEST and _behind(back, now) < NEAREST else forth
    return back if way is Tense.PAST or _behind(back, now) <= _ahead(forth, now) else forth


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
    ahead, behind = _ahead(forth, now), _behind(back, now)
    if behind <= ahead:
        return back
    way = _way(query, back.span)
    return forth if way is Tense.FUTURE or (way is None and ahead < NEAREST and behind > FARTHEST) else back


def _way(text: str, span: Span) -> Tense | None:
    """Tell which way the words of its sentence point a time; None where they do not say."""
    before, after = _sentence(fold(text), span)
    if points_ahead(text, span) or tense_of(f"{before} {after}") is Tense.FUTURE:
        return Tense.FUTURE
    if tells_past(before, after):
        return Tense.PAST
    return Tense.FUTURE if _CLOSES.search(before) else None


def _way_said(text: str, span: Span) -> Tense | None:
    """Tell which way a statement points a time: as a question does, or else what is in the present tense ahead."""
    if will_be(*_sentence(fold(text), span)):
        return Tense.FUTURE
    return _way(text, span) or way_of(*_sentence(text.replace("’", "'"), span))


def _ahead(window: TimeWindow, now: datetime) -> timedelta:
    return abs(_anchor(window, now) - now)


def _behind(window: TimeWindow, now: datetime) -> timedelta:
    return abs(now - _anchor(window, now))


def _anchor(window: TimeWindow, now: datetime) -> datetime:
    """Give the end of a stretch that is told: "until March" is told by March, whenever it began."""
    is_open = window.start.date() == EARLIEST or window.start == now
    return window.end if is_open else window.start


def _sentence(text: str, span: Span) -> tuple[str, str]:
    """Give the words of a sentence before a time, with the prepositions that belong to it, and those behind it."""
    lead = _LEAD.match(text, span.start, span.end)
    start = lead.end() if lead else span.start
    before, after = text[max(0, start - FAR) : start], text[span.end : span.end + FAR]
    begins = max((found.end() for found in _END.finditer(before)), default=0)
    ends = _END.search(after)
    return before[begins:], after[: ends.start()] if ends else after


def _is_ahead_in_german(before: str, after: str) -> bool:
    sentence = f"{before} {after}"
    if _TO.search(before):
        return _IS_SET.search(sentence) is not None
    if _IS_DAY.search(before):
        return True
    if not _ON_DAY.search(before):
        return False
    if _ASKED_TO.search(sentence):
        return _WAS_ASKED.search(sentence) is None
    return _COMES_GERMAN.search(sentence) is not None and _DONE_GERMAN.search(sentence) is None


@cache
def _english() -> re.Pattern[str]:
    cues = (_MOVED, _BOOKED, _INVITED, _IS_ON, _IS_THE, _COMES, _WE_LEAVE, _HAVE, _COMING)
    return compiled(rf"(?<!\w)(?:{'|'.join(cues)})")
