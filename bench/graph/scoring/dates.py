"""Dates as exactly as they are told, and whether two of them agree."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

_COARSENESS = {"moment": 0, "day": 0, "month": 1, "season": 2, "year": 3, "vague": 4}
_PRECISION_OF_LENGTH = {4: "year", 7: "month", 10: "day"}
VAGUELY = timedelta(days=92)
"""How far a vague date may lie from another."""


@dataclass(frozen=True, slots=True)
class Told:
    """A date, and how exactly it is known: moment, day, month, season, year or vague."""

    day: date
    precision: str


def read_date(text: str | None, precision: str | None = None) -> Told | None:
    """Read "2026-04-30", "2026-04" or "2026"; a precision that is not given is what the text has.

    Raises:
        ValueError: the text is none of these, or the precision is not known.
    """
    if text is None:
        return None
    known = precision or _PRECISION_OF_LENGTH.get(len(text), "")
    if known not in _COARSENESS:
        raise ValueError(f"{text!r} is no date of precision {precision!r}")
    padded = text + "-01-01"[: 10 - len(text)] if len(text) < 10 else text[:10]
    return Told(date.fromisoformat(padded), known)


def agree(one: Told, other: Told) -> bool:
    """Tell whether two dates are the same at the coarser precision of the two.

    A season is its first day; a vague date agrees within three months, and within its year.
    """
    coarser = max(one.precision, other.precision, key=_COARSENESS.__getitem__)
    if coarser == "vague":
        return abs(one.day - other.day) <= VAGUELY or one.day.year == other.day.year
    return _begin(one.day, coarser) == _begin(other.day, coarser)


def ends_agree(labelled: Told, found: Told) -> bool:
    """Tell whether two ends agree: a last day that it was so is the day before the first that it was not."""
    before = Told(found.day - timedelta(days=1), found.precision)
    after = Told(found.day + timedelta(days=1), found.precision)
    return any(agree(labelled, each) for each in (found, before, after))


def _begin(day: date, precision: str) -> date:
    if precision == "year":
        return day.replace(month=1, day=1)
    if precision == "month":
        return day.replace(day=1)
    if precision == "season":
        # Winter begins in December of the year before.
        month = day.month // 3 * 3
        return date(day.year, month, 1) if month else date(day.year - 1, 12, 1)
    return day
