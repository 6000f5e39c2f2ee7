"""The user's time zone, named or this computer's, and conversion of moments to it."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo


def find_zone(name: str) -> tzinfo:
    """Return a zone of the tz database by its name ("Europe/Berlin").

    Raises:
        ValueError: there is none of that name.
    """
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as problem:
        raise ValueError(f"there is no time zone {name!r}; write it like Europe/Berlin, or UTC") from problem


def in_zone(moment: datetime, zone: tzinfo) -> datetime:
    """Return an aware moment in a zone; unchanged, where that zone's calendar does not reach."""
    try:
        return moment.astimezone(zone)
    except (OverflowError, ValueError):
        return moment


_LIKE_ANY_YEAR = 2000
"""Replaces years so far off that the operating system knows no offset for them."""


class SystemZone(tzinfo):
    """The operating system's zone, however it is configured: by a name, a file, or a rule like CET-1CEST."""

    def utcoffset(self, when: datetime | None) -> timedelta | None:
        """Return the offset of a local time; ``fold`` distinguishes the two equal times when clocks go back."""
        if when is None:
            return None
        wall = when.replace(tzinfo=None)
        try:
            return wall.astimezone().utcoffset()
        except (OverflowError, ValueError, OSError):
            return wall.replace(year=_LIKE_ANY_YEAR).astimezone().utcoffset()

    def fromutc(self, when: datetime) -> datetime:
        """Return the local time of a moment.

        Raises:
            OverflowError: it is outside the calendar there.
        """
        utc = when.replace(tzinfo=UTC)
        try:
            offset = utc.astimezone().utcoffset()
        except (OverflowError, ValueError, OSError):
            offset = self.utcoffset(when)
        local = when + (offset or timedelta(0))
        return local if self.utcoffset(local) == offset else local.replace(fold=1)

    def dst(self, when: datetime | None) -> timedelta | None:  # noqa: ARG002 — the signature is tzinfo's
        """Return None: ``utcoffset`` includes summer time."""
        return None

    def tzname(self, when: datetime | None) -> str | None:
        """Return the zone's short name at a local time."""
        return when.replace(tzinfo=None, year=_LIKE_ANY_YEAR).astimezone().tzname() if when else None

    def __repr__(self) -> str:
        return "SystemZone()"


def system_zone() -> tzinfo:
    """Return this computer's zone: that of TZ where a tz database is installed and has it, else the system's."""
    name = os.environ.get("TZ", "").removeprefix(":")
    try:
        return find_zone(name) if name else SystemZone()
    except ValueError:
        return SystemZone()
