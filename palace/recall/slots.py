"""Divides a time span into days, weeks, months or years, the finest unit with few slots. Pure."""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo

from palace.config.zones import in_zone
from palace.models import CalendarUnit

_DAYS = {CalendarUnit.DAY: 1, CalendarUnit.WEEK: 7, CalendarUnit.MONTH: 31, CalendarUnit.YEAR: 366}
"""Most days of a slot, which gives a lower bound for the number of slots."""


def cut_into_slots(
    first: datetime, last: datetime, zone: tzinfo, *, most: int
) -> tuple[CalendarUnit, tuple[datetime, ...]]:
    """Divide the span from ``first`` to ``last``, inclusive, into at most ``most`` slots of the finest possible unit.

    Returns the unit and the edges: each slot's beginning in ``zone``, and the end of the last. If there are too many
    years, only the latest are kept.
    """
    # The calendar's last day has no successor.
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
    """Return the beginning of the next slot, or the calendar's last day."""
    try:
        if unit in (CalendarUnit.DAY, CalendarUnit.WEEK):
            return day + timedelta(days=_DAYS[unit])
        return _start_of(day + timedelta(days=_DAYS[unit]), unit)
    except OverflowError:
        return date.max
