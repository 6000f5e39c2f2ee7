"""Resolve times relative to now: yesterday, three weeks ago, the last few days, next month."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from palace.nlp.time.periods import DAY, Clock, Dates, Grain, Period, Tense, add_months, elapsed, one_day, unit_around
from palace.nlp.time.vocabulary import Words, count_of, group_text

_HOURS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}
_DAYS = {"day": 1, "night": 1, "week": 7, "fortnight": 14}
_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_SHORT = {"min": "minute", "hr": "hour", "wk": "week", "yr": "year"}

_OFF_AT_LEAST = {
    "minute": timedelta(minutes=5),
    "hour": timedelta(hours=1),
    "day": timedelta(hours=12),
    "night": timedelta(hours=12),
    "week": timedelta(days=4),
    "fortnight": timedelta(days=4),
    "month": timedelta(days=10),
    "quarter": timedelta(days=30),
    "year": timedelta(days=45),
    "decade": timedelta(days=365),
}
"""Least softness of a time that is counted in a unit."""

_DAY_NAMES = {
    "today": 0,
    "yesterday": -1,
    "tomorrow": 1,
    "the day before yesterday": -2,
    "the day after tomorrow": 2,
}
PARTS_OF_DAY = {"morning": (5, 12), "noon": (11, 14), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 30)}
"""Start and end in hours from midnight; a night reaches into the next day."""


def part_of_day(clock: Clock, day: date, part: str) -> Period:
    """Return the morning, noon, afternoon, evening or night of a day."""
    start, end = PARTS_OF_DAY[part]
    last = day + DAY * (end // 24)
    return Period(clock.at(day, start), clock.at(last, end % 24), Grain.PART_OF_DAY.value, Grain.PART_OF_DAY)


def _named_day(words: Words, clock: Clock) -> Period:
    day = clock.today + _DAY_NAMES[group_text(words, 0) or ""] * DAY
    return clock.days(one_day(day), Grain.DAY, timedelta(hours=4))


def _this_part(words: Words, clock: Clock) -> Period:
    if words["part"] is None:
        return part_of_day(clock, clock.today, "night")
    return part_of_day(clock, clock.today - DAY * (words["which"] == "last"), words["part"])


def _other_day(words: Words, clock: Clock) -> Period:
    days = 28 if words["unit"] == "week" else 8
    dates = Dates(clock.today - days * DAY, clock.today - days // 4 * DAY + DAY)
    return clock.days(dates, Grain.WEEK, timedelta(days=days // 2))


def _this_time(words: Words, clock: Clock) -> Period:
    unit, step = words["unit"], -1 if words["which"] == "last" else 1
    day = _moved(clock, step, unit).date()
    return clock.days(one_day(day), Grain.DAY, _OFF_AT_LEAST[unit] / 3)


def _ago(words: Words, clock: Clock) -> Period | None:
    step = 1 if words.groupdict().get("after", "in") else -1
    unit, count, share = _quantity(words)
    moment = _moved(clock, step * count, unit)
    if words["whole"]:
        moment = _moved(clock.around(moment), step * count_of(words["whole"])[0], words["wholes"])
    softness = max(_OFF_AT_LEAST[unit], abs(moment - clock.now) * share)
    if unit in _HOURS:
        half = _HOURS[unit] / 2
        return Period(elapsed(moment, -half), elapsed(moment, half), softness, Grain.HOUR)
    return clock.days(one_day(moment.date()), Grain.DAY, softness)


def _in(words: Words, clock: Clock) -> Period | None:
    return _ago(words, clock) if clock.tense is Tense.FUTURE else None


def _rolling(words: Words, clock: Clock) -> Period | None:
    """Resolve "the last three weeks", which end now, and "the next three weeks", which begin now."""
    count, share = count_of(words["count"]) if words["count"] else (1.0, 0.15)
    unit, step = _unit(words["unit"]), 1 if words["which"] in ("next", "coming") else -1
    far = _moved(clock, step * count, unit)
    if unit not in _HOURS and step < 0:
        far = clock.at(far.date())
    softness = max(_OFF_AT_LEAST[unit] / 2, abs(far - clock.now) * share)
    start, end = (clock.now, far) if step > 0 else (far, clock.now)
    return Period(start, end, softness, Grain.HOUR if unit in _HOURS else Grain.WEEK)


def _calendar_unit(words: Words, clock: Clock) -> Period:
    unit, which = words["unit"], group_text(words, "which") or ""
    steps = {"last": -1, "past": -1, "this past": -1, "next": 1, "coming": 1, "this coming": 1, "before last": -2}.get(
        which, 0
    )
    if unit == "weekend":
        steps = _weekends(which, steps, clock)
    return clock.days(unit_around(clock.today, unit, steps), Grain[unit.upper()], _off_by_speech(unit, which, clock))


def _weekends(which: str, steps: int, clock: Clock) -> int:
    """Return how many weekends from this week's: the coming one may be this one; on a Monday "this weekend" is over."""
    if which.endswith("coming") and clock.today.weekday() < 5:
        return 0
    over = which == "this" and clock.tense is Tense.PAST and clock.today.weekday() < 2
    return -1 if over else steps


def _off_by_speech(unit: str, which: str, clock: Clock) -> timedelta | None:
    """Return a wider softness for "last week" around a weekend, when it may mean the week that is ending."""
    if unit == "week" and which in ("last", "next") and clock.today.weekday() in (0, 5, 6):
        return timedelta(days=3)
    return None


def _bare_unit(words: Words, clock: Clock) -> Period:
    unit = words["unit"]
    return clock.days(unit_around(clock.today, unit), Grain[unit.upper()])


def _quantity(words: Words) -> tuple[str, float, float]:
    count, share = count_of(words["count"])
    if words["upto"]:
        last, _ = count_of(words["upto"])
        count, share = (count + last) / 2, max(share, abs(last - count) / (last + count or 1))
    return _unit(words["unit"]), count + 0.5 * bool(words["half"] or words["more"]), share


def _unit(word: str) -> str:
    return _SHORT.get(word, word)


def _moved(clock: Clock, count: float, unit: str) -> datetime:
    """Add units to now: minutes and hours as elapsed time, longer units by the calendar."""
    if unit in _HOURS:
        return elapsed(clock.now, _HOURS[unit] * count)
    if unit in _DAYS:
        return clock.now + timedelta(days=round(_DAYS[unit] * count))
    months, rest = divmod(_MONTHS[unit] * count, 1)
    day = add_months(clock.today, int(months)) + timedelta(days=round(30 * rest))
    return clock.now + (day - clock.today)


READS = {
    "named_day": _named_day,
    "this_part": _this_part,
    "other_day": _other_day,
    "this_time": _this_time,
    "ago": _ago,
    "in": _in,
    "rolling": _rolling,
    "calendar_unit": _calendar_unit,
    "bare_unit": _bare_unit,
}
