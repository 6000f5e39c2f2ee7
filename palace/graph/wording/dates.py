"""When a relation held, in words, as exactly as it is known and no more. Pure."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, tzinfo

from palace.graph.asof import holds
from palace.graph.predicates import tells_events
from palace.records.graph import Precision, Relation, Standing, TimelineEntry
from palace.zones import in_zone

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_SEASONS = ("winter", "spring", "summer", "autumn")
"""Each by the quarter of the year that its first day lies in: winter begins in December."""


def when(relation: Relation, zone: tzinfo, now: datetime) -> str:
    """Say when a relation held or will: "since May 2025", "until about 2019", "from 3 May 2025 to June 2025".

    Where no more is known of a beginning than that it was so when it was said, it is "known since" then; of what was
    over when it was said, and nobody told since when, the end is "at the latest" then. What never held for a known time
    is "over by" its end. "" where nothing is known.
    """
    if relation.valid_from is not None and relation.valid_from == relation.valid_to:
        return f"over by {written(relation.valid_from, Precision.DAY, zone)}"
    end = _end(relation, zone)
    if relation.valid_from is None:
        return f"until {end}" if end else ""
    precision = relation.from_precision
    start = written(relation.valid_from, precision, zone)
    if end == start:
        return _during(start, precision)
    known = "known " if precision is Precision.MOMENT else ""
    if end:
        return f"{known}from {start} to {end}"
    return f"from {start}" if relation.valid_from > now else f"{known}since {start}"


def written(moment: datetime, precision: Precision, zone: tzinfo) -> str:
    """Write a time as exactly as it is known: "3 May 2025", "May 2025", "summer 2025", "2025", "about 2025"."""
    day = in_zone(moment, zone).date()
    month = f"{_MONTHS[day.month - 1]} {day.year}"
    if precision is Precision.VAGUE:
        return f"about {day.year}" if (day.month, day.day) == (1, 1) else f"about {month}"
    if precision is Precision.YEAR:
        return str(day.year)
    if precision is Precision.SEASON:
        return _season(day)
    return month if precision is Precision.MONTH else f"{day.day} {month}"


def standing(relation: Relation, now: datetime) -> Standing:
    """Tell whether a relation holds at a moment, held before or will hold."""
    if holds(relation, now):
        return Standing.PRESENT
    is_to_come = relation.valid_from is not None and relation.valid_from > now
    return Standing.FUTURE if is_to_come else Standing.PAST


def entry(relation: Relation, zone: tzinfo, now: datetime) -> TimelineEntry:
    """Put a relation's time into words."""
    return TimelineEntry(relation, when(relation, zone, now), standing(relation, now))


def in_order(entries: tuple[TimelineEntry, ...] | list[TimelineEntry]) -> tuple[TimelineEntry, ...]:
    """Put entries in order of time; what has no known beginning stands where it ended, of no known time first."""
    return tuple(sorted(entries, key=_place))


def _place(each: TimelineEntry) -> tuple[object, ...]:
    relation = each.relation
    begun = relation.valid_from or relation.valid_to
    names = (relation.subject, relation.predicate, relation.object, relation.recorded_at)
    return (begun is not None, begun, relation.valid_to is None, relation.valid_to, *names)


def _end(relation: Relation, zone: tzinfo) -> str:
    """Write when a relation ended; "" where it goes on. Of what happens, that is the last of its days."""
    end, precision = relation.valid_to, relation.to_precision or Precision.DAY
    if end is None:
        return ""
    if tells_events(relation.predicate) and precision is not Precision.MOMENT:
        end -= timedelta(microseconds=1)
    elif precision is Precision.VAGUE and in_zone(end, zone).time() != time.min:
        return f"{written(end, Precision.DAY, zone)} at the latest"
    return written(end, precision, zone)


def _during(start: str, precision: Precision) -> str:
    if precision in (Precision.DAY, Precision.MOMENT):
        return f"on {start}"
    return start if precision is Precision.VAGUE else f"in {start}"


def _season(day: date) -> str:
    name = _SEASONS[day.month % 12 // 3]
    if name != "winter":
        return f"{name} {day.year}"
    year = day.year if day.month == 12 else day.year - 1
    return f"{name} {year}/{(year + 1) % 100:02d}"
