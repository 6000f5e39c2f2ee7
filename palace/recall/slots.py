"""Cutting a stretch of time into days, weeks, months or years, whichever are the finest that are few. Pure."""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo

from palace.config.zones import in_zone
from palace.models import CalendarUnit

_DAYS = {CalendarUnit.DAY: 1, CalendarUnit.WEEK: 7, CalendarUnit.MONTH: 31, CalendarUnit.YEAR: 366}
"""Days of a slot at most: so there are so many slots at least."""


def cut_into_slots(
    first: datetime, last: datetime, zone: tzinfo, *, most: int
) -> tuple[CalendarUnit, tuple[datetime, ...]]:
    """Cut what lies from ``first`` to ``last``, both included, into ``most`` slots at most, of the finest such unit.

    Returns the edges, each a slot's beginning in the zone, and the end of the last behind them. Where even the years
    are more, the latest of them.
    """
    # What is the calendar's own last day has no next one.
    end = min(in_zone(last, zone).date(), date.max - timedelta(days=1))
    begin = min(in_zone(first, zone).date(), end)
    for unit, days in _DAYS.items():
        if unit is not CalendarUnit.YEAR and (end - begin).days // days >= most:
            continue
        starts = [_start_of(begin, unit)]
        while starts[-1] <= end:
            starts.append(_next(starts[-1], unit))
        if len(starts) - 1 <= most:
            break
    edges = (datetime(day.year, day.month, day.day, tzinfo=zone) for day in starts[-most - 1 :])
    return unit, tuple(edges)


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
    """Return where the slot behind one begins, or the calendar's last day."""
    try:
        if unit in (CalendarUnit.DAY, CalendarUnit.WEEK):
            return day + timedelta(days=_DAYS[unit])
        return _start_of(day + timedelta(days=_DAYS[unit]), unit)
    except OverflowError:
        return date.max
