"""How a palace grew: its drawers by the months in which they were said."""

from __future__ import annotations

from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, tzinfo
from itertools import takewhile

from palace.opened import OpenPalace
from palace.records import Month
from palace.store.database import UserSession
from palace.store.tree import count_said, find_times_said
from palace.zones import in_zone


def months_of(opened: OpenPalace) -> tuple[Month, ...]:
    """Count the drawers by month in the person's time zone, the earliest first, without those that have none."""
    zone = opened.settings.zone

    def read(session: UserSession) -> tuple[Month, ...]:
        times = find_times_said(session)
        if times is None:
            return ()
        firsts = _firsts(*(in_zone(moment, zone).date() for moment in times))
        counted = count_said(session, [_beginning(day, zone) for day in firsts])
        return tuple(Month(firsts[place], drawers) for place, drawers in sorted(counted.items()))

    return opened.run(read)


def _firsts(first: date, last: date) -> list[date]:
    """List the first days of the months from that of one day to that of another."""
    months = (divmod(number, 12) for number in range(12 * first.year + first.month - 1, 12 * MAXYEAR + 12))
    days = (date(year, month + 1, 1) for year, month in months)
    return list(takewhile(lambda day: day <= last, days))


def _beginning(day: date, zone: tzinfo) -> datetime:
    local = datetime(day.year, day.month, 1, tzinfo=zone)
    # East of Greenwich the calendar's first month begins before there are moments.
    return datetime(MINYEAR, 1, 1, tzinfo=UTC) if (day.year, day.month) == (MINYEAR, 1) else local.astimezone(UTC)
