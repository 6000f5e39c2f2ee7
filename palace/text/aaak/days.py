"""Times as tags have them: the day, month or year that was meant, as ISO 8601."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from palace.records import Span
from palace.text.open_ends import meant
from palace.text.times import Tense, TimeWindow, find_times_asked
from palace.zones import in_zone

_DAY = timedelta(days=1)
_LONGEST = 60
"""Characters of an expression of time."""


_BOUND = re.compile(
    r"(?:since|until|till|by|before|after|from|seit|bis|ab|vor|nach|vom|von)\s(?:zum\s|zur\s)?", re.IGNORECASE
)
"""What opens or closes a stretch at a time, which is the time's tag all the same."""

_SINCE = re.compile(r"(?:since|seit)\s", re.IGNORECASE)


def day_told(words: str, said_at: datetime | None, zone: tzinfo, around: str = "") -> str:
    """Return the time that words mean which were said at a moment; the words themselves where that is not known.

    A day as ``2026-07-03``, a month as ``2026-07``, a year as ``2026``, several days as ``2026-07-03/2026-07-09``; what
    was told vaguely begins with "about". ``around`` is what was said around them, which tells whether "14 June" is the
    last or the next one; where it does not, the nearer one is meant. Of "until March" it is March.
    """
    plain = " ".join(words[:_LONGEST].split())
    if said_at is None:
        return plain
    now = in_zone(said_at, zone)
    back, forth = (_found(plain, now, tense) for tense in (Tense.PAST, Tense.FUTURE))
    if back is None or forth is None or _SINCE.match(plain):
        found = back or forth
        return _written(found) if found else plain
    place = max(0, around.find(words)) if words in around else 0
    text = around if words in around else words
    return _written(meant(text, Span(place, place + len(words)), back, forth, now))


def _found(plain: str, now: datetime, tense: Tense) -> TimeWindow | None:
    bare = _BOUND.sub("", plain, count=1) if _BOUND.match(plain) else plain
    for said in (bare, f"on {bare}", f"in {bare}", f"am {bare}", plain):
        found = find_times_asked(said, now, tense=tense)
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _written(window: TimeWindow) -> str:
    """Write a window as exactly as its length and its edges tell a time."""
    days, soft, first = (window.end - window.start) / _DAY, window.softness / _DAY, window.start.date()
    is_day = days <= 1.5
    if (360 < days < 370 and (first.month, first.day) == (1, 1)) or (is_day and soft >= 45):
        return f"{first.year:04}"
    if (27 < days < 32 and first.day == 1) or (is_day and soft >= 9):
        return f"{first.year:04}-{first.month:02}"
    if soft > 2:
        return f"about {first.isoformat()}"
    return first.isoformat() if is_day else f"{first.isoformat()}/{(window.end - timedelta(microseconds=1)).date()}"
