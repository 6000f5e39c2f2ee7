"""The query line: words, and filters written among them (``wing:boats since:2026-05 role:user wire``). Pure."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from palace.errors import BadRequest
from palace_cli import options
from palace_cli.clock import shown

FILTERS = ("wing", "since", "until", "speaker", "role", "language")
"""The filters, in the order in which they are shown."""

_TOKEN = re.compile(
    rf'(?<!\S)(?P<name>{"|".join(FILTERS)}):(?:"(?P<quoted>(?:[^"\\]|\\.)*)(?P<end>"|$)|(?P<plain>\S*))', re.IGNORECASE
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Line:
    """The query line, parsed."""

    words: str
    """The query; "" for none yet."""
    filters: Mapping[str, str] = field(default_factory=dict)
    """Values as written, by name; a filter without a value is left out."""
    problem: str | None = None
    """Why it cannot be searched; None where it can."""


def read_line(text: str) -> Line:
    """Parse the query line."""
    filters: dict[str, str] = {}
    problem = None
    for found in _TOKEN.finditer(text):
        name, value = found["name"].lower(), _value(found)
        if name in filters:
            problem = problem or f"{name}: stands there twice; one of them holds"
        elif not value:
            problem = problem or f"{name}: wants a value behind it"
        else:
            filters[name] = value
    words = " ".join(_TOKEN.sub(" ", text).split())
    return Line(words, filters, problem)


def with_times(text: str, since: str | None, until: str | None) -> str:
    """Replace the time in a query line; None removes it. The other words stay."""
    words = _TOKEN.sub(lambda found: "" if found["name"].lower() in ("since", "until") else found[0], text)
    written = (f"{name}:{value}" for name, value in (("since", since), ("until", until)) if value)
    return " ".join((*written, words.strip())).strip()


def _value(found: re.Match[str]) -> str:
    quoted = found["quoted"]
    return (found["plain"] or "").strip() if quoted is None else " ".join(_ESCAPED.sub(r"\1", quoted).split())


_MONTH = re.compile(r"(\d{4})(?:-(\d{2}))?")


def first_moment(text: str | None) -> datetime | None:
    """Return the first instant of a ``since:``, which may be a month ("2026-05") or a year.

    Raises:
        BadRequest: it is no time.
    """
    span = _span(text)
    return options.moment("since:", span[0].isoformat() if span else text)


def last_moment(text: str | None) -> datetime | None:
    """Return the last instant of an ``until:``; a day, a month or a year is included.

    Raises:
        BadRequest: it is no time.
    """
    span = _span(text)
    return options.last_moment("until:", span[1].isoformat() if span else text)


def written_span(start: datetime, end: datetime) -> tuple[str, str]:
    """Return whole days, from their first instant to the first one after them, as ``since:`` and ``until:``.

    A month or a year is written as "2026-05" or "2026".
    """
    first, last = start.date(), end.date() - timedelta(days=1)
    form = "%Y-%m-%d"
    if first.day == 1 and end.date().day == 1:
        form = "%Y" if first.month == 1 and end.date().month == 1 else "%Y-%m"
    return first.strftime(form), last.strftime(form)


def any_time(since: datetime | None, until: datetime | None) -> str:
    """Return the query for everything between two instants."""
    first, last = since or datetime(1900, 1, 1, tzinfo=UTC), until or datetime.now(UTC)
    return f"between {shown(first):%Y-%m-%d} and {shown(last - timedelta(microseconds=1)):%Y-%m-%d}"


def _span(text: str | None) -> tuple[date, date] | None:
    found = _MONTH.fullmatch(text.strip()) if text else None
    if found is None:
        return None
    try:
        first = date(int(found[1]), int(found[2] or 1), 1)
        last = first.replace(month=int(found[2] or 12), day=monthrange(first.year, int(found[2] or 12))[1])
    except ValueError as problem:
        raise BadRequest(f"{text!r} is no month: write 2026-05") from problem
    return first, last
