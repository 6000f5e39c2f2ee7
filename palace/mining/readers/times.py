"""Times as exports write them: ISO 8601, or seconds, milliseconds, microseconds or nanoseconds since 1970."""

from __future__ import annotations

import math
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from enum import StrEnum

_DAY = timedelta(days=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"\d{9,20}(\.\d+)?")
_UNITS = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (math.inf, 1e9))
"""Counts below the ceiling have so many units a second: no year before 5138 is taken for another."""


class TimeFault(StrEnum):
    """Why a message goes without its time; the text follows "3 messages …" in a warning."""

    MISSING = "without a time"
    FUTURE = "with a time in the future"
    PLACEHOLDER = "with a time at 1970 or before"
    UNREADABLE = "with an unreadable time"


def read_time(value: object, now: datetime) -> datetime | TimeFault:
    """Read a time in any of the usual notations, as UTC; one without a zone is taken as UTC.

    More than a day after ``now`` is a wrong clock, up to a day after 1970 began a placeholder: neither is
    believed.
    """
    if value is None or value == "":
        return TimeFault.MISSING
    try:
        moment = _parse(value)
    except (TypeError, ValueError, OverflowError, OSError):
        return TimeFault.UNREADABLE
    if moment <= _EPOCH + _DAY:
        return TimeFault.PLACEHOLDER
    return TimeFault.FUTURE if moment > now + _DAY else moment


def known_time(value: object, now: datetime) -> datetime | None:
    """Read a time, None where there is none to be believed."""
    moment = read_time(value, now)
    return moment if isinstance(moment, datetime) else None


def _parse(value: object) -> datetime:
    if isinstance(value, str):
        text = value.strip()
        if not _NUMBER.fullmatch(text):
            return _in_utc(datetime.fromisoformat(text))
        value = float(text)
    if isinstance(value, datetime):
        return _in_utc(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("not a time")
    if not math.isfinite(value):
        raise ValueError("not a number")
    per_second = next(unit for ceiling, unit in _UNITS if abs(value) <= ceiling)
    return _EPOCH + timedelta(seconds=value / per_second)


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


class Clock:
    """Reads the times of one conversation's messages and counts those that cannot be believed."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._faults: Counter[TimeFault] = Counter()
        self._read = 0

    def read(self, value: object) -> datetime | None:
        """Read a message's time, None (and counted) where it is missing or not to be believed."""
        moment = read_time(value, self._now)
        if isinstance(moment, datetime):
            self._read += 1
            return moment
        self._faults[moment] += 1
        return None

    def warnings(self, *, dated: bool) -> list[str]:
        """Say what was odd, a line a fault; missing times only where a time was to be expected.

        A time is expected where the format always has one (``dated``), or other messages of the conversation
        do.
        """
        expected = dated or self._read > 0
        return [
            f"{count} message{'s' if count > 1 else ''} {fault}"
            for fault in TimeFault
            if (count := self._faults[fault]) and (expected or fault is not TimeFault.MISSING)
        ]
