"""Times as tags have them: the day, month or year that was meant, as ISO 8601."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from palace.records import Span
from palace.text.asked.times import find_times_asked
from palace.text.open_ends import points_ahead
from palace.text.times import Tense, TimeWindow, tense_of
from palace.zones import in_zone

_DAY = timedelta(days=1)
_LONGEST = 60
"""Characters of an expression of time."""


_WAS = re.compile(
    r"\b(?:was|were|had|did|went|came|got|bought|met|died|ago|\w{3,}ed|war|waren|hatten?|wurden?|ge\w{2,}(?:t|en))\b",
    re.IGNORECASE,
)


def day_told(words: str, said_at: datetime | None, zone: tzinfo, around: str = "") -> str:
    """Give the time that words mean which were said at a moment; the words themselves where that is not known.

    A day as ``2026-07-03``, a month as ``2026-07``, a year as ``2026``, several days as ``2026-07-03/2026-07-09``; what
    was told vaguely begins with "about". ``around`` is what was said around them, which tells whether "14 June" is the
    last or the next one; where it does not, the nearer one is meant.
    """
    plain = " ".join(words[:_LONGEST].split())
    if said_at is None:
        return plain
    now = in_zone(said_at, zone)
    back, forth = (_found(plain, now, tense) for tense in (Tense.PAST, Tense.FUTURE))
    if back is None or forth is None:
        found = back or forth
        return _written(found) if found else plain
    return _written(forth if _is_ahead(back, forth, now, words, around) else back)


def _found(plain: str, now: datetime, tense: Tense) -> TimeWindow | None:
    for said in (plain, f"on {plain}"):
        found = find_times_asked(said, now, tense=tense)
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _is_ahead(back: TimeWindow, forth: TimeWindow, now: datetime, words: str, around: str) -> bool:
    place = around.find(words)
    if tense_of(around) is Tense.FUTURE or (place >= 0 and points_ahead(around, Span(place, place + len(words)))):
        return True
    return not _WAS.search(around) and abs(forth.start - now) < abs(back.start - now)


def _written(window: TimeWindow) -> str:
    """Write a window as exactly as its length and its edges tell a time."""
    days, soft, first = (window.end - window.start) / _DAY, window.softness / _DAY, window.start.date()
    is_day = days <= 1.5
    if (360 < days < 370 and (first.month, first.day) == (1, 1)) or (is_day and soft >= 45):
        return f"{first.year:04}"
    if (27 < days < 32 and first.day == 1) or (is_day and soft >= 9):
        return f"{first.year:04}-{first.month:02}"
    if soft > 1.5:
        return f"about {first.isoformat()}"
    return first.isoformat() if is_day else f"{first.isoformat()}/{(window.end - timedelta(microseconds=1)).date()}"
