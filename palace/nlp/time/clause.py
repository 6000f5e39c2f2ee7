"""The times of a clause, each with the precision at which it is stated. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import NamedTuple

from palace.models.claims import Precision, VagueDate
from palace.nlp.time.expressions import TimeExpression, find_expressions
from palace.nlp.time.periods import Grain, Period, Tense, add_months, unit_around
from palace.nlp.time.translation import Translated, in_calendar_words
from palace.nlp.time.vocabulary import OPENING, count_of, of_times

_OPENING = frozenset({"since", "from", "between"})
_CLOSING = frozenset({"until", "till", "til", "up to", "through"})
_NEAREST = frozenset({"from", "for", "between"})
"""Leads of times that may be in the future in any tense: "booked it for July", "handed in my notice from June"."""
_AROUND = frozenset({"around", "over", "during", "at", "through"})
_FAR, _NEAR = timedelta(days=290), timedelta(days=45)
_MOST = 4
"""Most times read from one clause."""

_MONTHS = {"month": 1, "year": 12, "yr": 12}
_DAYS = {"day": 1, "week": 7, "wk": 7, "weekend": 7}
_ENDED = ("end", "close")


class Length(NamedTuple):
    """A duration."""

    number: float
    unit: str

    def before(self, day: date) -> VagueDate | None:
        """Return the date this long before a day, in the precision of its unit; None before the calendar begins."""
        try:
            if self.unit in _DAYS:
                began = day - timedelta(days=round(_DAYS[self.unit] * self.number))
                return VagueDate(began, Precision.DAY if self.unit == "day" else Precision.VAGUE)
            began = add_months(day, -round(_MONTHS[self.unit] * self.number))
        except (OverflowError, ValueError):
            return None
        if self.unit == "month":
            return VagueDate(began.replace(day=1), Precision.MONTH)
        return VagueDate(began.replace(month=1, day=1), Precision.YEAR)


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a clause."""

    since: VagueDate | None = None
    until: VagueDate | None = None
    at: VagueDate | None = None
    at_end: VagueDate | None = None
    """Last day of the range that ``at`` begins, if it is one."""
    lasted: Length | None = None
    """The duration, if stated; ``since`` is then counted back from the moment of speaking."""
    is_ahead: bool = False
    """Whether it begins after the moment of speaking."""

    @property
    def start(self) -> VagueDate | None:
        """The time at which the event or state of the clause began."""
        return self.since or self.at

    @property
    def is_told(self) -> bool:
        """Whether the clause states any time."""
        return self.since is not None or self.until is not None or self.at is not None

    def over(self, *, at_end: bool) -> Times:
        """Return the times of something that is over: its duration ends at its end, not at the moment of speaking.

        With ``at_end``, what happened "in 2014 after ten years" ended then, instead of beginning.
        """
        if self.lasted is None:
            return self
        end = self.until or self.at_end or (self.at if at_end else None)
        if end is None:
            return replace(self, since=None, lasted=None)
        return replace(self, since=self.lasted.before(end.day), at=None, until=end, lasted=None)


def times_of(text: str, now: datetime | None, *, ahead: bool) -> tuple[Times, str]:
    """Read the times of a folded clause; return them, and the clause with the expressions blanked.

    Without ``now`` no time is returned, but all are blanked. ``ahead`` resolves times without a year to the future.
    """
    moment = now or datetime.fromisoformat("2020-06-15T12:00:00+00:00")
    words = in_calendar_words(text)
    times, spans = _read(words, moment, ahead=ahead)
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return (times if now else Times()), text


def _read(words: Translated, now: datetime, *, ahead: bool) -> tuple[Times, list[tuple[int, int]]]:
    found: dict[str, VagueDate | None] = {}
    spans: list[tuple[int, int]] = []
    text, lasted, is_lasting = words.text, None, _length(words.text)
    if is_lasting:
        lasted = Length(*is_lasting[1])
        found["since"] = lasted.before(now.date())
        first, end = is_lasting[0]
        spans.append(words.span(first, end))
        text = text[:first] + " " * (end - first) + text[end:]
    other = of_times("of_another").search(text)
    for told in _resolved(text, now, ahead=ahead):
        first = told.span.start
        if other and found and first > other.start():
            break
        shift = of_times("before").search(text, 0, first) if told.lead.word in ("before", "after") else None
        if told.lead.word in {"before", "prior to", *OPENING} and shift is None:
            continue
        _put(found, told, shift, text)
        spans.append(words.span(shift.start() if shift else first, told.span.end))
    opening = found.get("since") or found.get("at")
    is_ahead = opening is not None and opening.day > now.date()
    return Times(**found, lasted=lasted, is_ahead=is_ahead), spans


def _length(text: str) -> tuple[tuple[int, int], tuple[float, str]] | None:
    """Find a duration with its span: "for 3 years", "after ten years", "been vegan 2 years"."""
    for found in of_times("lasted").finditer(text):
        if of_times("counted_from").match(text, found.end()) or of_times("often").search(text, 0, found.start()):
            continue
        is_bare = found["lead"] is None
        if is_bare and not (
            of_times("has_been").search(text, 0, found.start()) and of_times("bare_end").match(text, found.end())
        ):
            continue
        words = re.split(r"\s(?:or|and a half)|\s?[-–](?=\s?[0-9])", found["count"])[0]
        number = sum(count_of(word)[0] for word in (words.split("-") if words[0].isalpha() else [words]))
        unit = {"yr": "year", "wk": "week"}.get(found["unit"], found["unit"])
        return found.span(), (number + 0.5 * bool(found["half"]), unit)
    return None


def _resolved(text: str, now: datetime, *, ahead: bool) -> Iterator[TimeExpression]:
    """Yield the times of a text, resolved by their words: "since" to the past, "from" to the nearest."""
    past = {told.span: told for told in find_expressions(text, now, tense=Tense.PAST)[:_MOST]}
    if not past and not ahead:
        return
    future = {told.span: told for told in find_expressions(text, now, tense=Tense.FUTURE)[:_MOST]}
    for span in sorted({*past, *future} if ahead else past):
        back, forth = past.get(span), future.get(span)
        if back and forth:
            yield _pointed(back, forth, now, ahead=ahead)
        elif back and (not ahead or back.lead.word == "since"):
            yield back
        elif forth and ahead:
            yield forth


def _pointed(back: TimeExpression, forth: TimeExpression, now: datetime, *, ahead: bool) -> TimeExpression:
    word = back.lead.word
    if word == "since":
        return back
    if _is_past(back, forth, now):
        return back
    if word in _NEAREST and back.closing is None and not ahead:
        return min((back, forth), key=lambda told: abs(told.opening.start - now))
    return forth if ahead else back


def _is_past(back: TimeExpression, forth: TimeExpression, now: datetime) -> bool:
    """Check whether a date in the last weeks is meant and not next year's, whatever the words say."""
    return forth.opening.start - now > _FAR and now - back.opening.start < _NEAR and back.lead.word not in _CLOSING


def _put(found: dict[str, VagueDate | None], told: TimeExpression, shift: re.Match[str] | None, text: str) -> None:
    lead, opening = told.lead.word, told.opening
    if of_times("since_then").search(text, 0, told.span.start):
        lead = "since"
    if shift is not None:
        found.setdefault("at", _shifted(opening, shift, -1 if lead == "before" else 1))
        return
    last = told.closing or _last_of(opening)
    if last is not None:
        keys = ("since", "until") if lead == "from" else ("at", "at_end")
        found.update(zip(keys, (_dated(opening, told), _end(last, told)), strict=True))
        return
    if lead in _CLOSING:
        found.setdefault("until", _end(opening, told))
    else:
        found.setdefault("since" if lead in _OPENING else "at", _dated(opening, told))


def _last_of(period: Period) -> Period | None:
    """Return the last day or year of a range in one expression ("4-9 July", "2012-2018"); None for a single one."""
    days = (period.end - period.start).days
    if period.grain is Grain.DAY and days > 1 and period.softness < timedelta(days=1):
        return period._replace(start=period.end - timedelta(days=1))
    if period.grain is Grain.YEAR and days > 370:
        return period._replace(start=period.end.replace(year=period.end.year - 1))
    return None


def _end(period: Period, told: TimeExpression) -> VagueDate:
    """Return the date of an end: "the end of June" is its last day."""
    if told.lead.part in _ENDED or (told.closing is None and _is_part_of_unit(told)):
        return VagueDate((period.end - timedelta(days=1)).date(), Precision.DAY)
    return _dated(period, told)


def _is_part_of_unit(told: TimeExpression) -> bool:
    return told.lead.part is None and told.opening.grain is Grain.WEEK


def _dated(period: Period, told: TimeExpression) -> VagueDate:
    """Return the start of a period with a precision by its unit, its part and its softness."""
    first, part, grain = period.start.date(), told.lead.part, period.grain
    if part in _ENDED and grain in (Grain.MONTH, Grain.YEAR):
        return VagueDate((period.end - timedelta(days=1)).date(), Precision.DAY)
    if grain is Grain.MONTH:
        return VagueDate(first.replace(day=1), Precision.MONTH)
    if grain is Grain.SEASON:
        month = first.month // 3 * 3 or 12
        return VagueDate(date(first.year - (first.month < 3), month, 1), Precision.SEASON)
    if grain is Grain.YEAR:
        return VagueDate(first, Precision.VAGUE if part else Precision.YEAR)
    if (period.end - period.start) <= timedelta(days=1.5):
        return _soft_day(first, period.softness, told.lead.word)
    return VagueDate(first, Precision.VAGUE)


def _soft_day(day: date, softness: timedelta, lead: str | None) -> VagueDate:
    soft = softness / timedelta(days=1)
    if soft <= 1.5 or (soft <= 2 and lead not in _AROUND):
        return VagueDate(day, Precision.DAY)
    if soft < 9:
        return VagueDate(day, Precision.VAGUE)
    if soft < 45:
        return VagueDate(day.replace(day=1), Precision.MONTH)
    return VagueDate(day.replace(month=1, day=1), Precision.YEAR)


def _shifted(period: Period, shift: re.Match[str], way: int) -> VagueDate | None:
    """Return the date of "the week before Easter", "two days after Christmas"; None outside the calendar."""
    try:
        return _moved(period, shift, way)
    except (OverflowError, ValueError):
        return None


def _moved(period: Period, shift: re.Match[str], way: int) -> VagueDate:
    count, unit = (count_of(shift["count"])[0] if shift["count"] else 1.0), shift["unit"]
    anchor = period.start.date() if way < 0 else (period.end - timedelta(days=1)).date()
    if unit in ("month", "year"):
        day = add_months(anchor, way * round(_MONTHS[unit] * count))
        is_month = unit == "month"
        return VagueDate(day.replace(day=1) if is_month else day.replace(month=1, day=1),
                         Precision.MONTH if is_month else Precision.YEAR)  # fmt: skip
    if unit == "day":
        return VagueDate(anchor + timedelta(days=way * round(count)), Precision.DAY)
    return VagueDate(unit_around(anchor, unit, way * round(count)).first, Precision.VAGUE)
