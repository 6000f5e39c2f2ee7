"""Zones by their names, and moments in them."""

from __future__ import annotations

from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo


def find_zone(name: str) -> tzinfo:
    """Find a zone of the tz database by its name ("Europe/Berlin").

    Raises:
        ValueError: there is none of that name.
    """
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as problem:
        raise ValueError(f"there is no time zone {name!r}; write it like Europe/Berlin, or UTC") from problem


def in_zone(moment: datetime, zone: tzinfo) -> datetime:
    """Return an aware moment in a zone; as it is, where the calendar of that zone does not reach."""
    try:
        return moment.astimezone(zone)
    except (OverflowError, ValueError):
        return moment
