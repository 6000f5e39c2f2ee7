"""Words around an expression of time that change it: since, until, early, the end of, between … and …, at 5 pm."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import NamedTuple

from palace.nlp.time.periods import DAY, EARLIEST, LATEST, Clock, Dates, Grain, Period, add_months, elapsed
from palace.nlp.time.relative import part_of_day
from palace.nlp.time.vocabulary import group_text, of_times

LONGEST_LEAD = 60
"""Most characters before a time that may belong to it."""

_PARTS = ("earlier", "later", "early", "mid", "late", "start", "end", "half", "week", "quarter", "daypart")
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_SLICES = {"early": (0, 1, 3), "mid": (1, 2, 3), "late": (2, 3, 3), "start": (0, 1, 6), "end": (5, 6, 6)}
"""Map each part to fractions of a month or year: begin, end and their denominator."""

_UNDIVIDED = {Grain.HOUR, Grain.PART_OF_DAY, Grain.DAY, Grain.WEEKEND}


class Lead(NamedTuple):
    """The words before a time that belong to it."""

    start: int
    word: str | None = None
    """A preposition: "in", "since", "between"."""
    part: str | None = None
    """The kind of part, if any: "early", "end", "half"."""
    which: str = ""
    """The part as written: "first half"."""

    @property
    def words(self) -> set[str | None]:
        """Return the lead words that may show an ambiguous expression ("may") to be a time."""
        return {self.word, "part" if self.part else None}


def lead_of(text: str, start: int, floor: int) -> Lead:
    """Find the words before the time at offset ``start`` that belong to it, from offset ``floor`` on."""
    found = of_times("lead").search(text, max(floor, start - LONGEST_LEAD), start)
    if found is None:
        return Lead(start)
    return Lead(found.start(), group_text(found, "word"), _kind_of_part(found), found["part"] or "")


def shut_out(text: str, lead: Lead) -> Lead:
    """Turn "before" behind a negation into "not before": "it won't arrive before"."""
    if lead.word not in ("before", "until", "till"):
        return lead
    is_shut = of_times("shut_out").search(text, max(0, lead.start - LONGEST_LEAD), lead.start) is not None
    return lead._replace(word=f"not {lead.word}") if is_shut else lead


def is_habit(text: str, start: int) -> bool:
    """Check whether a time is recurring ("every Friday") or not of the calendar ("my last year")."""
    return of_times("habit").search(text, max(0, start - 12), start) is not None


def is_range(text: str, end: int, start: int, lead: Lead, sure: bool) -> bool:
    """Check whether two times are the ends of one range: "between A and B", "from A to B", "A – B"."""
    gap = of_times("gap").fullmatch(text, end, start) if start - end < 20 else None
    if gap is None:
        return False
    word = gap[0].split()[0] if gap[0].strip() else "-"
    return {"and": lead.word == "between", "to": lead.word == "from" or sure}.get(word, lead.word == "from" or sure)


def bounded(period: Period, lead: Lead, clock: Clock) -> Period | None:
    """Apply the words before a time: first the part of it, then its open side; None for "since" a future time."""
    part = _part(period, lead, clock)
    word, now = lead.word, clock.now
    if word == "since":
        return part._replace(end=now) if part.start.timestamp() < now.timestamp() else None
    if word == "after":
        is_over = part.end.timestamp() < now.timestamp()
        return part._replace(start=part.end, end=now if is_over else clock.at(LATEST))
    if word in ("until", "till", "til", "up to", "by", "before", "prior to"):
        is_out = word in ("before", "prior to") or (word != "by" and part.grain not in _UNDIVIDED)
        end = part.start if is_out else part.end
        is_ahead = part.start.timestamp() > now.timestamp()
        return part._replace(start=now if is_ahead else clock.at(EARLIEST), end=end)
    return part._replace(softness=2 * part.softness) if word == "around" else part


def joined(first: Period, last: Period) -> Period:
    """Return the period from the start of one to the end of another."""
    return Period(first.start, last.end, max(first.softness, last.softness), first.grain)


def narrowed(text: str, period: Period, end: int, ceiling: int, clock: Clock) -> tuple[Period, int]:
    """Narrow a day by the part of day or hour behind it; return it with the offset where the expression ends."""
    if period.grain is not Grain.DAY or period.end - period.start > DAY:
        return period, end
    tail = of_times("tail").match(text, end, ceiling)
    if tail is None:
        return period, end
    day = period.start.date()
    if tail["daypart"]:
        part = part_of_day(clock, day, tail["daypart"])
        return part._replace(softness=max(part.softness, period.softness)), tail.end()
    start = _hour(tail, day_start=period.start, clock=clock)
    softness = max(Grain.HOUR.value, period.softness)
    return Period(start, elapsed(start, timedelta(hours=1)), softness, Grain.HOUR), tail.end()


def _hour(tail: re.Match[str], day_start: datetime, clock: Clock) -> datetime:
    if tail["name"]:
        hour, minute = 12 if tail["name"] == "noon" else 0, 0
    elif tail["half"]:
        hour, minute = int(tail["hour"]) % 12 + 12 * tail["half"].startswith("p"), int(tail["minute"] or 0)
    else:
        hour, minute = int(tail["hour24"]), int(tail["minute24"])
    return clock.at(day_start.date(), hour, minute)


def _kind_of_part(found: re.Match[str]) -> str | None:
    return next((kind for kind in _PARTS if found[kind]), None)


def _part(period: Period, lead: Lead, clock: Clock) -> Period:
    kind = lead.part
    if kind == "daypart" and period.grain is Grain.DAY:
        return part_of_day(clock, period.start.date(), lead.which)
    if kind == "earlier" and period.start.timestamp() < clock.now.timestamp():
        return period._replace(end=min(period.end, clock.now, key=datetime.timestamp))
    if kind == "later" and period.end.timestamp() > clock.now.timestamp():
        return period._replace(start=max(period.start, clock.now, key=datetime.timestamp))
    if kind in (None, "daypart", "earlier", "later") or period.grain in _UNDIVIDED:
        return period
    return _slice(period, kind or "", lead.which.split()[0], clock)


def _slice(period: Period, kind: str, nth: str, clock: Clock) -> Period:
    first, days = period.start.date(), (period.end.date() - period.start.date()).days
    if kind == "week":
        begin = days - 7 if nth == "last" else 7 * (_NTH[nth] - 1)
        return clock.days(Dates(first + begin * DAY, first + (begin + 7) * DAY), Grain.WEEK, 2 * DAY)
    size = {"half": 2, "quarter": 4}.get(kind, 0)
    number = _NTH.get(nth, size)
    begin, end, shares = _SLICES.get(kind, (number - 1, number, size))
    if period.grain is Grain.YEAR:
        dates = Dates(add_months(first, 12 * begin // shares), add_months(first, 12 * end // shares))
    else:
        dates = Dates(first + days * begin // shares * DAY, first + days * end // shares * DAY)
    off = (dates.end - dates.first) / 3 if kind in _SLICES else period.softness
    return clock.days(dates, period.grain, max(period.softness, off))
