"""Times as programs and people write them, and what they mean together."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace import Reading
from palace.mining.drafts.dating import Base, Mark, date_marks
from palace.mining.drafts.times import Moment, TimeFault, known_time, read_moment
from palace.mining.drafts.written_times import parse_time
from tests.readers.front import DAY_FIRST, MONTH_FIRST, NOW

TOKYO, NEW_YORK = ZoneInfo("Asia/Tokyo"), ZoneInfo("America/New_York")
FAULTS: list[tuple[object, TimeFault]] = [
    (None, TimeFault.MISSING),
    ("", TimeFault.MISSING),
    (0, TimeFault.PLACEHOLDER),
    (86400, TimeFault.PLACEHOLDER),
    ("0001-01-01", TimeFault.PLACEHOLDER),
    (-5, TimeFault.PLACEHOLDER),
    (NOW + timedelta(days=2), TimeFault.FUTURE),
    (4e9, TimeFault.FUTURE),
    ("soon", TimeFault.UNREADABLE),
    (True, TimeFault.UNREADABLE),
    ({}, TimeFault.UNREADABLE),
    (float("inf"), TimeFault.UNREADABLE),
    (10**30, TimeFault.UNREADABLE),
    ("0001-01-01T00:00:00+23:00", TimeFault.UNREADABLE),
]
WRITTEN = {
    **{"10:32": "10:32", "10:32:15": "10:32:15", "9:05 AM": "09:05", "12:05 am": "00:05", "12:05\u202fPM": "12:05"},
    **{"1:05 p. m.": "13:05", "10h32": "10:32", "10:32 Uhr": "10:32", "午後2:46": "14:46", "오전 12:01": "00:01"},
    "2024-05-01": "2024-05-01",
    "2024-05-01 10:32": "2024-05-01T10:32",
    "2024-05-01T10:32:15.25": "2024-05-01T10:32:15.250000",
    "2024/05/01 10:32": "2024-05-01T10:32",
    "2024年5月1日 10:32": "2024-05-01T10:32",
    "2024년 5월 1일 오후 2:46": "2024-05-01T14:46",
    "2024. 5. 1. 오후 2:46": "2024-05-01T14:46",
    "\u200e01.05.24, 10:32:15": "2024-05-01T10:32:15",
    "1.5.2024 klo 10.32": "2024-05-01T10:32",
    "31/05/2024 à 10:32": "2024-05-31T10:32",
    "1 May 2024": "2024-05-01",
    "Wednesday, May 1st, 2024 at 10:32 AM": "2024-05-01T10:32",
    "Mittwoch, 1. Mai 2024 um 10:32 Uhr": "2024-05-01T10:32",
    "1 de mayo de 2024, 10:32": "2024-05-01T10:32",
    "le 1er août 2024": "2024-08-01",
    "10:32, 1 May 2024": "2024-05-01T10:32",
}
NOT_TIMES = ["", "10", "2024", "32:99", "10:60", "13:00 PM", "2024-13-01", "2024-02-30", "0.1.0", "31/31/2024", "May"]


def naive(text: str) -> datetime:
    return datetime.fromisoformat(text)


def test_what_cannot_be_believed_says_why_and_a_day_ahead_is_believed() -> None:
    assert [(value, found) for value, fault in FAULTS if (found := read_moment(value, NOW)) is not fault] == []
    assert known_time(NOW + timedelta(hours=23), NOW) == NOW + timedelta(hours=23)


@given(st.integers(2 * 86400, int(NOW.timestamp())))
def test_a_count_of_seconds_or_milliseconds_is_told_by_its_size(seconds: int) -> None:
    moment = datetime.fromtimestamp(seconds, UTC)
    assert known_time(seconds, NOW) == moment
    if seconds > 10**8:
        assert known_time(seconds * 1000, NOW) == moment


def iso(text: str) -> str | None:
    written = parse_time(text)
    if written is None:
        return None
    day = written.date.on(DAY_FIRST).isoformat() if written.date else ""
    clock = written.clock.isoformat().removesuffix(":00") if written.clock else ""
    return "T".join(part for part in (day, clock) if part)


def test_a_time_is_read_in_the_notations_of_many_places() -> None:
    wanted = WRITTEN | dict.fromkeys(NOT_TIMES)
    assert {text: iso(text) for text in wanted} == wanted


notations = st.sampled_from(["%Y-%m-%d %H:%M:%S", "%d.%m.%Y, %H:%M:%S"])


@given(st.datetimes(naive("1971-01-01"), naive("2068-01-01")), notations, st.text(max_size=80))
def test_any_moment_is_read_as_it_was_written_and_no_text_breaks_it(moment: datetime, notation: str, text: str) -> None:
    written = parse_time(moment.strftime(notation))
    assert written is not None
    assert written.date is not None
    assert written.clock is not None
    assert datetime.combine(written.date.on(DAY_FIRST), written.clock) == moment.replace(microsecond=0)
    other = parse_time(text)
    assert other is None or other.date or other.clock


ORDERS = [
    (["05/01/2024 10:00", "13/01/2024 10:00"], DAY_FIRST, "dates are read day first, as line 2 shows"),
    (["05/01/2024 10:00", "05/13/2024 10:00"], MONTH_FIRST, "dates are read month first, as line 2 shows"),
    (["12/30/2023", "01/02/2024"], MONTH_FIRST, "dates are read month first, as line 1 shows"),
    (["01/10/2024", "02/09/2024", "03/08/2024"], MONTH_FIRST, "which puts the messages in order"),
    (["05/01/2024", "05/01/2024"], DAY_FIRST, "nothing in the file shows it; --dates says otherwise"),
    (["5/1/24, 1:00 PM", "5/2/24, 1:00 PM"], MONTH_FIRST, "nothing in the file shows it"),
    (["13/01/2024", "01/14/2024", "01/02/2024"], DAY_FIRST, "month first (line 2)"),
    (["01.05.2024", "02.05.2024"], DAY_FIRST, None),
    (["2024-01-05", "2024-01-06"], DAY_FIRST, None),
]


def test_the_order_of_day_and_month_is_told_from_the_file_and_said() -> None:
    for texts, order, notice in ORDERS:
        reading, asked = Reading("x.txt", NOW), Reading("x.txt", NOW, dates=order)
        marks = [Mark(number, text) for number, text in enumerate(texts, 1)]
        assert date_marks(marks, None, reading).moments == date_marks(marks, None, asked).moments, texts
        assert asked.notices == []
        assert [notice in said for said in reading.notices] == [True] if notice else reading.notices == [], texts
    only = date_marks([Mark(1, "01/14/2024")], None, Reading("x", NOW, dates=DAY_FIRST))
    assert only.moments == [naive("2024-01-14")]


def test_times_of_day_follow_the_day_told_last_and_go_on_over_midnight() -> None:
    base = Base(parse_time("2024-05-01"))  # type: ignore[arg-type]  # None fails the test
    texts = ["22:00", "21:50", "00:10", None, "2024-06-01 08:00", "08:01", "1 June 2024"]
    moments = date_marks([Mark(n, text) for n, text in enumerate(texts, 1)], base, Reading("x", NOW)).moments
    days = ["2024-05-01T22:00", "2024-05-01T21:50", "2024-05-02T00:10", None, "2024-06-01T08:00", "2024-06-01T08:01"]
    assert moments == [*(day and naive(day) for day in days), naive("2024-06-01")]


def test_what_cannot_be_read_or_dated_is_told_with_its_line() -> None:
    marks = [Mark(3, "10:32"), Mark(7, "2024-05-01 32:99"), Mark(9, None)]
    dated = date_marks(marks, None, Reading("x", NOW))
    assert dated.moments == [None, "2024-05-01 32:99", None]
    unread, undated = dated.faults
    assert unread == "the first unreadable time is '2024-05-01 32:99', on line 7"
    assert undated.startswith("1 time of day has no date and was left out, the first on line 3")


def test_the_ends_of_the_calendar_are_no_reason_to_break() -> None:
    for day in ("0001-01-01 00:00", "9999-12-31 23:59", "9999-12-31T23:59+00:00", "0001-01-01T00:00-12:00"):
        for zone in (TOKYO, NEW_YORK, timezone(timedelta(hours=-23, minutes=-59))):
            assert read_moment(day, NOW, zone) in list(TimeFault)


@pytest.mark.parametrize(
    ("value", "moment", "offset"),
    [
        ("2024-05-01T10:32:15+02:00", "2024-05-01T08:32:15+00:00", 120),
        ("2024-05-01T10:32:15Z", "2024-05-01T10:32:15+00:00", 0),
        (1714559535, "2024-05-01T10:32:15+00:00", None),
        ("2024-05-01 10:32", "2024-05-01T01:32:00+00:00", None),
    ],
)
def test_a_time_keeps_the_offset_it_was_written_with_and_one_without_a_zone_is_the_persons(
    value: object, moment: str, offset: int | None
) -> None:
    assert read_moment(value, NOW, TOKYO) == Moment(naive(moment), offset)


def test_a_time_that_no_clock_showed_and_one_that_it_showed_twice_are_read_in_one_way() -> None:
    assert known_time("2024-03-10 02:30", NOW, NEW_YORK) == datetime(2024, 3, 10, 7, 30, tzinfo=UTC)
    assert known_time("2024-11-03 01:30", NOW, NEW_YORK) == datetime(2024, 11, 3, 5, 30, tzinfo=UTC)
