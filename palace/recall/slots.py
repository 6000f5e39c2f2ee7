"""Cutting a stretch of time into days, weeks, months or years, whichever are the finest that are few. Pure."""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo

from palace.config.zones import in_zone
from palace.models import CalendarUnit


def cut_into_slots(
    first: datetime, last: datetime, zone: tzinfo, *, most: int
) -> tuple[CalendarUnit, tuple[datetime, ...]]:
    """Cut what lies from ``first`` to ``last``, both included, into ``most`` slots at most, of the finest such unit.

    Gives the edges, each a slot's beginning in the zone, and the end of the last behind them. Where even the years are
    more, the latest of them.
    """
    # What is the calendar's own last day has no next one.
    end = min(in_zone(last, zone).date(), date.max - timedelta(days=1))
    begin = min(in_zone(first, zone).date(), end)
    for unit in (CalendarUnit.DAY, CalendarUnit.WEEK, CalendarUnit.MONTH):
        if (end - begin).days // _LONGEST[unit] < most:
            starts = _starts(begin, end, unit)
            if len(starts) - 1 <= most:
                return unit, tuple(_midnight(day, zone) for day in starts)
    starts = _starts(begin, end, CalendarUnit.YEAR)[-most - 1 :]
    return CalendarUnit.YEAR, tuple(_midnight(day, zone) for day in starts)


_LONGEST = {CalendarUnit.DAY: 1, CalendarUnit.WEEK: 7, CalendarUnit.MONTH: 31}
"""Days of a slot at most: so there are so many slots at least."""


def _starts(begin: date, end: date, unit: CalendarUnit) -> list[date]:
    """List where each slot begins, and where the last one ends."""
    starts = [_start_of(begin, unit)]
    while starts[-1] <= end:
        starts.append(_next(starts[-1], unit))
    return starts


def _start_of(day: date, unit: CalendarUnit) -> date:
    match unit:
        case CalendarUnit.DAY:
            return day
        case CalendarUnit.WEEK:
            return date.fromordinal(max(day.toordinal() - day.weekday(), 1))
        case CalendarUnit.MONTH:
            return day.replace(day=1)
        case CalendarUnit.YEAR:
            return day.replace(month=1, day=1)


def _next(day: date, unit: CalendarUnit) -> date:
    """Give where the slot behind one begins, or the calendar's last day."""
    try:
        match unit:
            case CalendarUnit.DAY | CalendarUnit.WEEK:
                return day + timedelta(days=_LONGEST[unit])
            case CalendarUnit.MONTH:
                return (day + timedelta(days=31)).replace(day=1)
            case CalendarUnit.YEAR:
                return day.replace(year=day.year + 1)
    except (OverflowError, ValueError):
        return date.max


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=zone)
