"""Which way a time points that has no year: what was moved to it, booked for it or begins on it is ahead. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache

from palace.records import Span
from palace.text.times import Tense, TimeWindow, tense_of
from palace.text.times.vocabulary import compiled, fold

Find = Callable[[Tense], Sequence[TimeWindow]]
"""Finds the times of a text, pointing one way."""
NEAREST, FARTHEST = timedelta(days=45), timedelta(days=290)
"""A day of the last weeks is meant itself, rather than the same a year on."""
FAR = 200
"""Characters of a sentence on either side of a time that are looked at."""

_END = re.compile(r"(?<!\d)[.!?](?=\s|$)|[;\n]")
_ASIDE = r"(?:(?!\b(?:\w{2,}ed|was|were|had|did|went|came|got|met|saw)\b)[^.!?;\n]){0,60}?"
"""What may stand between: nothing that tells of something else, which has been."""
_ON = r"(?:\s(?:on|at|in|by|until|from))?(?:\sthe)?\s?\Z"
_MOVED = (
    r"(?:moved|postponed|rescheduled|delayed|shifted|bumped|deferred|changed|brought forward|put (?:off|back)"
    r"|pushed)(?:\s(?:back|forward|out|off|again))?(?:\sfrom\s[^.!?;\n]{2,40}?)?"
    r"\s(?:to|until|till|for|from)(?:\sthe)?\s?\Z"
)
_BOOKED = (
    rf"(?:booked|reserved|scheduled|planned|pencill?ed in|arranged|appointment|reservation|tickets?)\b{_ASIDE}"
    r"\sfor(?:\sthe)?\s?\Z|(?:scheduled|due)\s(?:on|by|for)(?:\sthe)?\s?\Z"
)
_INVITED = rf"invit(?:ed|ation)\b(?:\s\w+){{0,3}}?\s(?:to|for)\s{_ASIDE}\s(?:on|for|in)(?:\sthe)?\s?\Z"
_IS_ON = r"(?:is|are)(?:\s(?:now|only|still|actually|already|then|again))?\s(?:on|from|until)(?:\sthe)?\s?\Z"
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
_LEAD = re.compile(r"(?:(?:on|for|in|at|by|until|till|from|am|ab|bis|auf|für|zum)\s)?(?:(?:the|de[nm]|das)\s)?")

_GERMAN_LEAD = r"(?:de[nm]|das)?\s?(?:kommenden\s)?\Z"
_TO = re.compile(rf"(?<!\w)(?:auf|für|zum)\s{_GERMAN_LEAD}")
_IS_SET = re.compile(
    r"(?<!\w)(?:(?:vor|hin)?(?:ver)?(?:schoben|legt)|vorgezogen|vertagt|umgebucht|gebucht|reserviert|geplant|eingeplant"
    r"|angesetzt|vereinbart|vorgemerkt|bestellt|eingeladen)(?!\w)"
)
_ON_DAY = re.compile(rf"(?<!\w)(?:am|ab|bis)\s(?:zum\s)?{_GERMAN_LEAD}")
_ASKED_TO = re.compile(r"(?<!\w)zu[rm]?\s.*\beingeladen\b|\beingeladen\b.*(?<!\w)zu[rm]?\s")
_WAS_ASKED = re.compile(r"(?<!\w)(?:wurden?|wurdest|hat(?:te)?n?)(?!\w)")
_COMES_GERMAN = re.compile(
    r"(?<!\w)(?:ist|sind|kommt|kommen|beginnt|beginnen|startet|starten|findet|finden|fliegt|fliegen?|fährt|fahren?"
    r"|reist|reisen?|heiratet|heiraten?|endet|öffnet|schließt|läuft|zieht|ziehen?|trifft|treffen?|habe|haben|hat)(?!\w)"
)
_DONE_GERMAN = re.compile(
    r"(?<!\w)(?:(?:ab|an|auf|aus|ein|um|zu|vor|weg|mit|los|zurück|hin)?ge\w{2,}(?:t|en)|\w{2,}iert"
    r"|(?:be(?!ginn)|ver|er|ent|zer)\w{2,}(?:t|en)"
    r"|war(?:en)?|wurden?|hatten?|jeden)(?!\w)"
)

_LONG_AGO = re.compile(
    r"(?<!\w)(?:ago|last (?:year|month|week|time)|back (?:then|in)|used to|was on|were on"
    r"|letzte[sn]? (?:jahr|monat|woche|mal)|damals|früher)(?!\w)"
)
_AND_DONE = re.compile(
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
    """Tell whether a German sentence has a word of what is ahead; where times are read in English it is not found."""
    folded = fold(sentence)
    return _IS_SET.search(folded) is not None or _COMES_GERMAN.search(folded) is not None


def directed(text: str, now: datetime, find: Find) -> tuple[TimeWindow, ...]:
    """Find the times of a text, each pointing the way that its own sentence says, or else the whole text.

    A day of the last weeks stays where it is.
    """
    tense = tense_of(text)
    found = tuple(find(tense))
    ahead = {window.span for window in found if tense is Tense.PAST and points_ahead(text, window.span)}
    if not ahead:
        return found
    forth = {window.span: window for window in find(Tense.FUTURE)}
    return tuple(_nearer(window, forth.get(window.span), now) if window.span in ahead else window for window in found)


def _nearer(back: TimeWindow, forth: TimeWindow | None, now: datetime) -> TimeWindow:
    """Take a day for the one ahead, unless it is a year off and was some days ago."""
    if forth is None or (forth.start - now > FARTHEST and now - back.start < NEAREST):
        return back
    return forth


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
    if not _ON_DAY.search(before):
        return False
    if _ASKED_TO.search(sentence):
        return _WAS_ASKED.search(sentence) is None
    return _COMES_GERMAN.search(sentence) is not None and _DONE_GERMAN.search(sentence) is None


@cache
def _english() -> re.Pattern[str]:
    cues = (_MOVED, _BOOKED, _INVITED, _IS_ON, _COMES, _WE_LEAVE, _HAVE, _COMING)
    return compiled(rf"(?<!\w)(?:{'|'.join(cues)})")
