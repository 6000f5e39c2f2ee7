"""The times of a query line: dates, months, years and what is told in words; and a span written as such. Pure."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from palace.errors import BadRequest
from palace_cli import options

_MONTH = re.compile(r"(\d{4})(?:-(\d{2}))?")


def first_moment(text: str | None) -> datetime | None:
    """Read when a ``since:`` begins; of a month ("2026-05") or a year its first instant.

    Raises:
        BadRequest: it is no time.
    """
    span = _span(text)
    return options.moment("since:", span[0].isoformat() if span else text)


def last_moment(text: str | None) -> datetime | None:
    """Read when an ``until:`` ends; a day, a month or a year is included.

    Raises:
        BadRequest: it is no time.
    """
    span = _span(text)
    return options.last_moment("until:", span[1].isoformat() if span else text)


def written_span(start: datetime, end: datetime) -> tuple[str, str]:
    """Write a stretch of whole days, from its first moment to the first behind it, as ``since:`` and ``until:``.

    A month or a year is written as one.
    """
    first, last = start.date(), end.date() - timedelta(days=1)
    form = "%Y-%m-%d"
    if first.day == 1 and end.date().day == 1:
        form = "%Y" if first.month == 1 and end.date().month == 1 else "%Y-%m"
    return first.strftime(form), last.strftime(form)


def _span(text: str | None) -> tuple[date, date] | None:
    found = _MONTH.fullmatch(text.strip()) if text else None
    if found is None:
        return None
    try:
        first = date(int(found[1]), int(found[2] or 1), 1)
        last = date(first.year, 12, 31) if found[2] is None else _last_of(first)
    except ValueError as problem:
        raise BadRequest(f"{text!r} is no month: write 2026-05") from problem
    return first, last


def _last_of(first: date) -> date:
    """Give the last day of the month that a day begins; December's next month may be beyond the calendar."""
    return first.replace(day=31) if first.month == 12 else first.replace(month=first.month + 1) - timedelta(days=1)
