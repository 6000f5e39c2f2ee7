"""This computer's time zone, with its summer times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo


class LocalZone(tzinfo):
    """Local time as the operating system knows it; at the ends of the calendar, where it knows none, Greenwich's."""

    def utcoffset(self, moment: datetime | None) -> timedelta:
        """Give how far local time is east of Greenwich at a moment that is told in it."""
        try:
            local = (moment or datetime.now()).replace(tzinfo=None).astimezone()  # noqa: DTZ005 — local on purpose
        except (OverflowError, OSError, ValueError):
            return timedelta()
        return local.utcoffset() or timedelta()

    def dst(self, _moment: datetime | None) -> None:
        """Summer time is part of the offset."""

    def tzname(self, moment: datetime | None) -> str | None:
        """Give the zone's own abbreviation."""
        return (moment or datetime.now()).replace(tzinfo=None).astimezone().tzname()  # noqa: DTZ005

    def fromutc(self, moment: datetime) -> datetime:
        """Tell a moment, given in Greenwich time, in local time."""
        return moment.replace(tzinfo=UTC).astimezone().replace(tzinfo=self)
