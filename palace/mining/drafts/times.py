"""Parses times in exports: ISO 8601, or seconds, milliseconds, microseconds or nanoseconds since 1970."""

from __future__ import annotations

import math
import re
from collections import Counter
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import NamedTuple

from palace.mining.files.containers import printable
from palace.mining.files.fields import as_title

_DAY = timedelta(days=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"\d{9,20}(\.\d+)?")
_UNITS = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (math.inf, 1e9))
"""Upper limits of a timestamp and its units per second; unambiguous until the year 5138."""


class TimeFault(StrEnum):
    """Why a message has no time; the text completes "3 messages …" in a warning."""

    MISSING = "without a time"
    FUTURE = "with a time in the future"
    PLACEHOLDER = "with a time at 1970 or before"
    UNREADABLE = "with an unreadable time"


class Moment(NamedTuple):
    """A time as its source gives it."""

    at: datetime
    """In UTC."""
    offset: int | None = None
    """Minutes east of UTC if the source gives an offset; None for a timestamp or a time without a zone."""


def read_moment(value: object, now: datetime, zone: tzinfo = UTC) -> Moment | TimeFault:
    """Parse a time in any common notation; one without a zone is taken to be in ``zone``.

    Times more than a day after ``now``, or before the second day of 1970, are rejected. In the hour that is repeated
    when clocks go back, the first occurrence is meant.
    """
    if value is None or value == "":
        return TimeFault.MISSING
    try:
        moment = _parse(value, zone)
    except (TypeError, ValueError, OverflowError, OSError):
        return TimeFault.UNREADABLE
    if moment.at <= _EPOCH + _DAY:
        return TimeFault.PLACEHOLDER
    return TimeFault.FUTURE if moment.at > now + _DAY else moment


def known_time(value: object, now: datetime, zone: tzinfo = UTC) -> datetime | None:
    """Parse a time as UTC; return None if it is missing, unreadable or implausible."""
    moment = read_moment(value, now, zone)
    return moment.at if isinstance(moment, Moment) else None


def _parse(value: object, zone: tzinfo) -> Moment:
    if isinstance(value, str):
        text = value.strip()
        value = float(text) if _NUMBER.fullmatch(text) else datetime.fromisoformat(text)
    if isinstance(value, date):
        written = value if isinstance(value, datetime) else datetime.combine(value, time())
        offset = written.utcoffset()
        if offset is None:
            return Moment(written.replace(tzinfo=zone, fold=0).astimezone(UTC))
        return Moment(written.astimezone(UTC), offset // timedelta(minutes=1))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("not a time")
    if not math.isfinite(value):
        raise ValueError("not a number")
    per_second = next(unit for ceiling, unit in _UNITS if abs(value) <= ceiling)
    return Moment(_EPOCH + timedelta(seconds=value / per_second))


class Clock:
    """A parser of the times of one conversation's messages, with counts of those that are rejected."""

    def __init__(self, now: datetime, zone: tzinfo = UTC) -> None:
        self._now, self._zone = now, zone
        self._faults: Counter[TimeFault] = Counter()
        self._first: dict[TimeFault, str] = {}
        """The first time with each fault, with its place."""
        self._is_read = False

    def read(self, value: object, place: str = "") -> Moment | None:
        """Parse a message's time; return None, and count it, if it is missing or implausible."""
        moment = read_moment(value, self._now, self._zone)
        if isinstance(moment, Moment):
            self._is_read = True
            return moment
        self._faults[moment] += 1
        if place and moment is not TimeFault.MISSING:
            self._first.setdefault(moment, f"{place}: {_shown(value)}")
        return None

    def warnings(self, *, dated: bool, within: str = "") -> list[str]:
        """Return a warning for each kind of fault; missing times count only if times are expected.

        They are if the format always has them (``dated``) or if other messages of the conversation do. ``within`` is
        the conversation's place, which is omitted from places of messages.
        """
        found = []
        for fault in TimeFault:
            count = self._faults[fault]
            if not count or (fault is TimeFault.MISSING and not (dated or self._is_read)):
                continue
            example = self._first.get(fault, "").removeprefix(f"{within}, ")
            shown = f" ({'the first at ' if count > 1 else ''}{example})" if example else ""
            found.append(f"{count} message{'s' if count > 1 else ''} {fault}{shown}")
        return found


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return f'"{printable(as_title(str(value), 40) or "")}"'
