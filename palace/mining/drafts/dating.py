"""Interprets the written times of one file together: the order of day and month, and the day of times without a date.

Everything is decided from the file itself and reported in notices, so that the user can correct it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, time, timedelta, timezone
from itertools import pairwise
from typing import NamedTuple

from palace.mining.drafts.written_times import WrittenTime, parse_time
from palace.mining.files.reading import DateOrder, Reading

_DAY = timedelta(days=1)
_HALF_DAY = timedelta(hours=12)
_ELAPSED = re.compile(r"(?:(\d{1,2}):)?(\d{1,3}):(\d\d)(?:[.,]\d{1,3})?")
_SOON = timedelta(minutes=10)
"""Latest first time of a recording; a later one means that the times are times of day."""
_NEARER, _FEWEST_DAYS = 8, 3
"""Factor by which one date order must bring days closer together than the other, and the fewest days for that."""
_NAMES = {DateOrder.DAY_FIRST: "day first", DateOrder.MONTH_FIRST: "month first"}


class Mark(NamedTuple):
    """A place in a text with a time; ``text`` is None for a speaker without one."""

    line: int
    """Line number, from 1."""
    text: str | None
    is_day: bool = False
    """Whether the line holds the day of what follows and no message."""


class Base(NamedTuple):
    """The date of a whole file, from its front matter or name."""

    written: WrittenTime
    line: int = 0
    """Line number, from 1; 0 for the file's name."""


class Dated(NamedTuple):
    """The interpreted times of a text."""

    moments: list[object]
    """One per mark that is no day line: an aware datetime, a naive one in the user's zone, the text of an unreadable
    time, or None if the speaker has none.
    """
    faults: list[str]
    """Problems with times, one line each."""


def moment_of(written: WrittenTime, order: DateOrder) -> datetime | None:
    """Return the datetime of a date with or without a time of day; None if it has no date or an invalid one."""
    if written.date is None:
        return None
    try:
        day = written.date.on(order)
    except ValueError:
        return None
    zone = timezone(written.offset) if written.offset is not None else None
    return datetime.combine(day, written.clock or time.min, zone)


def base_moment(base: Base | None, reading: Reading) -> datetime | None:
    """Return the datetime of a file's date, naive unless it names a zone."""
    return moment_of(base.written, _decide_order([(base.line, base.written)], reading)) if base else None


def later(began: datetime, count: timedelta) -> datetime | None:
    """Return ``began + count``, or None beyond the range of datetime."""
    try:
        return began + count
    except OverflowError:
        return None


def _decide_order(dates: Sequence[tuple[int, WrittenTime]], reading: Reading) -> DateOrder:
    """Decide whether dates have the day or the month first, and add a notice; dates come with their lines.

    In order of priority: the user's setting, a number above 12, the order in time of the messages. Dates with dots have
    the day first.
    """
    if reading.dates is not None:
        return reading.dates
    doubtful = [(line, written) for line, written in dates if written.date and written.date.order is None]
    slashed = [(line, written) for line, written in doubtful if written.date and not written.date.is_dotted]
    if not slashed:
        return DateOrder.DAY_FIRST
    shown = {written.date.shows: line for line, written in reversed(doubtful) if written.date and written.date.shows}
    order, reason = _evidence(shown, [written for _, written in slashed], reading)
    if any(written.date and written.date.is_open for _, written in slashed) or len(shown) == 1:
        reading.notice(f"dates are read {_NAMES[order]}, {reason}")
    return order


def _evidence(shown: dict[DateOrder, int], dates: Sequence[WrittenTime], reading: Reading) -> tuple[DateOrder, str]:
    if len(shown) == 1:
        [(order, line)] = shown.items()
        return order, f"as line {line} shows"
    choice = "--dates says otherwise"
    if shown:
        lines = " and ".join(f"{_NAMES[order]} (line {line})" for order, line in shown.items())
        return DateOrder.DAY_FIRST, f"where nothing tells: the file has them {lines}; {choice}"
    made = {order: _laid_out(dates, order, reading) for order in DateOrder}
    (best, (back, near)), (_, (other, far)) = sorted(made.items(), key=lambda each: each[1])
    if back != other:
        return best, "which puts the messages in order"
    if _NEARER * near < far and len({written.date for written in dates}) >= _FEWEST_DAYS:
        return best, "which puts the messages on days that follow each other"
    is_american = all(written.is_half_day and written.date and written.date.year >= 2000 for written in dates)
    likely = DateOrder.MONTH_FIRST if is_american else DateOrder.DAY_FIRST
    return likely, f"but nothing in the file shows it; {choice}"


def _laid_out(dates: Sequence[WrittenTime], order: DateOrder, reading: Reading) -> tuple[int, timedelta]:
    """Return how often dates go back in time under an order, and the time span that they cover.

    A date in the future counts as a step back.
    """
    moments = [moment for written in dates if (moment := moment_of(written._replace(offset=None), order))]
    if len(moments) < len(dates):
        return len(dates) + 1, timedelta.max / (2 * _NEARER)
    latest = reading.now.replace(tzinfo=None) + 2 * _DAY
    back = sum(after < before for before, after in pairwise(moments)) + sum(moment > latest for moment in moments)
    return back, max(moments) - min(moments)


def date_marks(marks: Sequence[Mark], base: Base | None, reading: Reading) -> Dated:
    """Date the marks of a text in order; a time without a date gets the date before it, initially the file's.

    A time that goes back means that a day has passed: if it goes back by more than minutes, in a file with at most one
    date whose times mostly ascend; otherwise by more than half a day.
    """
    read = [(mark, parse_time(mark.text) if mark.text is not None else None) for mark in marks]
    dates = [(base.line, base.written)] if base else []
    order = _decide_order([*dates, *((mark.line, written) for mark, written in read if written)], reading)
    own = moment_of(base.written, order) if base else None
    elapsed = _elapsed([mark.text for mark in marks if not mark.is_day and mark.text is not None], base)
    if elapsed is not None:
        return _recorded(marks, elapsed, own)
    days = _Days(own, order, _SOON if _goes_on([written for _, written in read if written]) else _HALF_DAY)
    dated = days.date(read)
    if days.passed:
        more = f", and {days.passed - 1} more times" if days.passed > 1 else ""
        reading.notice(f"the times of day go back on line {days.passed_at}{more}: a day is taken to have passed")
    return dated


class _Days:
    """The current day while the times of a text are dated."""

    def __init__(self, own: datetime | None, order: DateOrder, back: timedelta) -> None:
        self._order, self._back = order, back
        self.passed = 0
        """How many times a day was assumed to have passed because times went back by at most half a day."""
        self.passed_at = 0
        """The first line where that happened."""
        self._last = own
        """The last datetime; a time without a date gets its date."""
        self._is_said = False
        """Whether that datetime is of a message rather than a day line."""

    def date(self, read: Sequence[tuple[Mark, WrittenTime | None]]) -> Dated:
        moments: list[object] = []
        undated: list[Mark] = []
        unread: list[Mark] = []
        is_untimed = all(mark.text is None for mark, _ in read if not mark.is_day)
        for mark, written in read:
            moment = self._moment(written, mark.line)
            if mark.is_day:
                continue
            if is_untimed or moment or mark.text is None:
                moments.append(self._last if is_untimed else moment)
            elif written and written.date is None:
                undated.append(mark)
                moments.append(None)
            else:
                unread.append(mark)
                moments.append(mark.text)
        faults = [f"the first unreadable time is {mark.text!r}, on line {mark.line}" for mark in unread[:1]]
        if undated:
            count = len(undated)
            what = "1 time of day has no date and was" if count == 1 else f"{count} times of day have no date and were"
            faults.append(
                f"{what} left out, the first on line {undated[0].line};"
                " put the date into the file's name (2024-05-01 chat.txt) or on a line above"
            )
        return Dated(moments, faults)

    def _moment(self, written: WrittenTime | None, line: int) -> datetime | None:
        if written is None:
            return None
        moment = moment_of(written, self._order) if written.date else self._on_last_day(written, line)
        if moment is not None:
            self._last, self._is_said = moment, written.clock is not None
        return moment

    def _on_last_day(self, written: WrittenTime, line: int) -> datetime | None:
        if self._last is None or written.clock is None:
            return None
        zone = timezone(written.offset) if written.offset is not None else self._last.tzinfo
        moment = datetime.combine(self._last.date(), written.clock, zone)
        before = self._last.replace(tzinfo=None) - moment.replace(tzinfo=None)
        if not self._is_said or before <= self._back:
            return moment
        if before <= _HALF_DAY:
            self.passed_at = self.passed_at or line
            self.passed += 1
        return later(moment, _DAY)


def _goes_on(times: Sequence[WrittenTime]) -> bool:
    """Check that times of day mostly ascend in a text with at most one date, unlike a text with the newest first."""
    clocks = [timedelta(hours=at.hour, minutes=at.minute, seconds=at.second) for _, at, *_ in times if at]
    steps = [after - before for before, after in pairwise(clocks)]
    falls, rises = sum(step < -_SOON for step in steps), sum(step > timedelta(0) for step in steps)
    return falls <= max(1, rises) and len({written.date for written in times if written.date}) < 2


def _elapsed(texts: Sequence[str], base: Base | None) -> list[timedelta] | None:
    """Parse times as elapsed since the beginning of a recording; return None if they are times of day."""
    found = [match for text in texts if (match := _ELAPSED.fullmatch(text.strip()))]
    if len(found) < len(texts) or len(found) < 2:
        return None
    parts = [[int(part or 0) for part in match.groups()] for match in found]
    counted = [timedelta(hours=hours, minutes=minutes, seconds=seconds) for hours, minutes, seconds in parts]
    if any(later < earlier for earlier, later in pairwise(counted)) or counted[0] > _SOON:
        return None
    # Times of day that reach minutes of two digits do not begin with an hour of one.
    if all(match[1] is not None for match in found) or found[0].group().startswith("0:"):
        began = base.written.clock if base else None
        return counted if began is None or began > time(0, 10) else None
    return counted if any(count >= timedelta(minutes=24) for count in counted) else None


def _recorded(marks: Sequence[Mark], elapsed: Sequence[timedelta], began: datetime | None) -> Dated:
    counts = iter(elapsed)
    counted = [next(counts) if mark.text is not None else None for mark in marks if not mark.is_day]
    if began is None:
        line = (
            f"{len(elapsed)} times count from the beginning of a recording and were left out, as nothing tells when it"
            " was; put the date into the file's name (2024-05-01 call.txt)"
        )
        return Dated([None] * len(counted), [line])
    return Dated([None if count is None else later(began, count) for count in counted], [])
