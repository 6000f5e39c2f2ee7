"""Time expressions become the windows a person would draw on a calendar."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from palace.errors import BadRequest
from palace.text.times import Tense, TimeWindow, find_times

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")

SUNDAY = datetime(2024, 5, 12, 15, 30, tzinfo=BERLIN)
WEDNESDAY = datetime(2024, 5, 15, 9, 0, tzinfo=BERLIN)
LEAP_DAY = datetime(2024, 2, 29, 12, 0, tzinfo=NEW_YORK)
THE_31ST = datetime(2023, 7, 31, 18, 0, tzinfo=UTC)
NEW_YEARS_DAY = datetime(2024, 1, 1, 0, 30, tzinfo=NEW_YORK)
BEFORE_TIME = "1800-01-01"

PAST = [
    (SUNDAY, "What did I eat today?", "2024-05-12", "2024-05-13"),
    (SUNDAY, "What did I eat yesterday?", "2024-05-11", "2024-05-12"),
    (SUNDAY, "the mail of the day before yesterday", "2024-05-10", "2024-05-11"),
    (SUNDAY, "Who called this morning?", "2024-05-12 05:00", "2024-05-12 12:00"),
    (SUNDAY, "What did we watch last night?", "2024-05-11 18:00", "2024-05-12 06:00"),
    (SUNDAY, "yesterday evening", "2024-05-11 17:00", "2024-05-12"),
    (SUNDAY, "yesterday at 5pm", "2024-05-11 17:00", "2024-05-11 18:00"),
    (SUNDAY, "on Friday at 17:30", "2024-05-10 17:30", "2024-05-10 18:30"),
    (SUNDAY, "on the morning of March 5", "2024-03-05 05:00", "2024-03-05 12:00"),
    (SUNDAY, "the other day", "2024-05-04", "2024-05-11"),
    (SUNDAY, "this time last year", "2023-05-12", "2023-05-13"),
    (SUNDAY, "half an hour ago", "2024-05-12 14:30", "2024-05-12 15:30"),
    (SUNDAY, "3 hours ago", "2024-05-12 12:00", "2024-05-12 13:00"),
    (SUNDAY, "10 days ago", "2024-05-02", "2024-05-03"),
    (SUNDAY, "three weeks ago", "2024-04-21", "2024-04-22"),
    (SUNDAY, "a fortnight ago", "2024-04-28", "2024-04-29"),
    (SUNDAY, "a couple of weeks ago", "2024-04-28", "2024-04-29"),
    (SUNDAY, "a few months back.", "2024-02-12", "2024-02-13"),
    (SUNDAY, "two quarters ago", "2023-11-12", "2023-11-13"),
    (SUNDAY, "a year and a half ago", "2022-11-12", "2022-11-13"),
    (SUNDAY, "1 year and 2 months ago", "2023-03-12", "2023-03-13"),
    (SUNDAY, "three weeks earlier, he left", "2024-04-21", "2024-04-22"),
    (SUNDAY, "in the past two weeks", "2024-04-28", "2024-05-12 15:30"),
    (SUNDAY, "over the last few days", "2024-05-09", "2024-05-12 15:30"),
    (SUNDAY, "in the last month", "2024-04-12", "2024-05-12 15:30"),
    (SUNDAY, "within the last 24 hours", "2024-05-11 15:30", "2024-05-12 15:30"),
    (SUNDAY, "last week", "2024-04-29", "2024-05-06"),
    (SUNDAY, "this week", "2024-05-06", "2024-05-13"),
    (SUNDAY, "earlier this week", "2024-05-06", "2024-05-12 15:30"),
    (SUNDAY, "last weekend", "2024-05-04", "2024-05-06"),
    (SUNDAY, "the week before last", "2024-04-22", "2024-04-29"),
    (SUNDAY, "last month", "2024-04-01", "2024-05-01"),
    (SUNDAY, "last quarter", "2024-01-01", "2024-04-01"),
    (SUNDAY, "last year", "2023-01-01", "2024-01-01"),
    (SUNDAY, "last decade", "2010-01-01", "2020-01-01"),
    (SUNDAY, "the beginning of the year", "2024-01-01", "2024-03-01"),
    (SUNDAY, "last Friday", "2024-05-10", "2024-05-11"),
    (SUNDAY, "on Sunday", "2024-05-05", "2024-05-06"),
    (SUNDAY, "on Tuesday of last week", "2024-04-30", "2024-05-01"),
    (WEDNESDAY, "last Friday", "2024-05-10", "2024-05-11"),
    (WEDNESDAY, "this Friday", "2024-05-17", "2024-05-18"),
    (WEDNESDAY, "this Monday", "2024-05-13", "2024-05-14"),
    (WEDNESDAY, "next Friday", "2024-05-24", "2024-05-25"),
    (WEDNESDAY, "this past Friday", "2024-05-10", "2024-05-11"),
    (WEDNESDAY, "this weekend", "2024-05-18", "2024-05-20"),
    (WEDNESDAY, "last weekend", "2024-05-11", "2024-05-13"),
    (SUNDAY, "I moved in May", "2024-05-01", "2024-06-01"),
    (SUNDAY, "I moved in June", "2023-06-01", "2023-07-01"),
    (SUNDAY, "I moved last May", "2023-05-01", "2023-06-01"),
    (SUNDAY, "in March of last year", "2023-03-01", "2023-04-01"),
    (SUNDAY, "in early March", "2024-03-01", "2024-03-11"),
    (SUNDAY, "mid-January 2023", "2023-01-11", "2023-01-21"),
    (SUNDAY, "in late March", "2024-03-21", "2024-04-01"),
    (SUNDAY, "in the last week of March", "2024-03-25", "2024-04-01"),
    (SUNDAY, "at the end of 2022", "2022-11-01", "2023-01-01"),
    (SUNDAY, "the first half of 2022", "2022-01-01", "2022-07-01"),
    (SUNDAY, "in the second quarter of 2023", "2023-04-01", "2023-07-01"),
    (SUNDAY, "in Q3", "2023-07-01", "2023-10-01"),
    (SUNDAY, "in the summer of 2022", "2022-06-01", "2022-09-01"),
    (SUNDAY, "last winter", "2023-12-01", "2024-03-01"),
    (SUNDAY, "last spring", "2023-03-01", "2023-06-01"),
    (SUNDAY, "on 5 March 2023", "2023-03-05", "2023-03-06"),
    (SUNDAY, "Sunday, March 5th, 2023", "2023-03-05", "2023-03-06"),
    (SUNDAY, "the fifth of June", "2023-06-05", "2023-06-06"),
    (SUNDAY, "on 2023-03-05T10:00:00Z", "2023-03-05", "2023-03-06"),
    (SUNDAY, "on 3/25/2023", "2023-03-25", "2023-03-26"),
    (SUNDAY, "on 25/3/23", "2023-03-25", "2023-03-26"),
    (SUNDAY, "on 5.3.2023", "2023-03-05", "2023-03-06"),
    (SUNDAY, "on the 5th", "2024-05-05", "2024-05-06"),
    (SUNDAY, "on the 20th we met", "2024-04-20", "2024-04-21"),
    (SUNDAY, "on the 20th of last month", "2024-04-20", "2024-04-21"),
    (SUNDAY, "on March 5-7", "2024-03-05", "2024-03-08"),
    (SUNDAY, "in 2021", "2021-01-01", "2022-01-01"),
    (SUNDAY, "in the 90s", "1990-01-01", "2000-01-01"),
    (SUNDAY, "in the 1980s", "1980-01-01", "1990-01-01"),
    (SUNDAY, "for Christmas", "2023-12-24", "2023-12-27"),
    (SUNDAY, "at Easter 2023", "2023-04-09", "2023-04-10"),
    (SUNDAY, "on Thanksgiving", "2023-11-23", "2023-11-24"),
    (SUNDAY, "last Halloween", "2023-10-31", "2023-11-01"),
    (SUNDAY, "on Valentine’s Day", "2024-02-14", "2024-02-15"),
    (SUNDAY, "on the Fourth of July", "2023-07-04", "2023-07-05"),
    (SUNDAY, "since March", "2024-03-01", "2024-05-12 15:30"),
    (SUNDAY, "after March 5", "2024-03-06", "2024-05-12 15:30"),
    (SUNDAY, "before 2020", BEFORE_TIME, "2020-01-01"),
    (SUNDAY, "until Friday", BEFORE_TIME, "2024-05-11"),
    (SUNDAY, "by the end of last year", BEFORE_TIME, "2024-01-01"),
    (SUNDAY, "between March and May 2023", "2023-03-01", "2023-06-01"),
    (SUNDAY, "from November to February", "2023-11-01", "2024-03-01"),
    (SUNDAY, "from Monday to Wednesday", "2024-05-06", "2024-05-09"),
    (SUNDAY, "between the 3rd and the 10th", "2024-05-03", "2024-05-11"),
    (SUNDAY, "from early March to late April", "2024-03-01", "2024-05-01"),
    (SUNDAY, "2019–2021", "2019-01-01", "2022-01-01"),
    (LEAP_DAY, "a year ago", "2023-02-28", "2023-03-01"),
    (LEAP_DAY, "this month", "2024-02-01", "2024-03-01"),
    (LEAP_DAY, "on February 29", "2024-02-29", "2024-03-01"),
    (SUNDAY - timedelta(days=366), "on February 29", "2020-02-29", "2020-03-01"),
    (THE_31ST, "a month ago", "2023-06-30", "2023-07-01"),
    (THE_31ST, "five months ago", "2023-02-28", "2023-03-01"),
    (THE_31ST, "on the 31st", "2023-07-31", "2023-08-01"),
    (NEW_YEARS_DAY, "yesterday", "2023-12-31", "2024-01-01"),
    (NEW_YEARS_DAY, "last week", "2023-12-25", "2024-01-01"),
    (NEW_YEARS_DAY, "last month", "2023-12-01", "2024-01-01"),
    (NEW_YEARS_DAY, "in December", "2023-12-01", "2024-01-01"),
    (NEW_YEARS_DAY, "this winter", "2023-12-01", "2024-03-01"),
    (NEW_YEARS_DAY, "last quarter", "2023-10-01", "2024-01-01"),
    (NEW_YEARS_DAY, "on New Year's Eve", "2023-12-31", "2024-01-01"),
]
"""Now, a text, and the window in now's zone."""

FUTURE = [
    (SUNDAY, "tomorrow", "2024-05-13", "2024-05-14"),
    (SUNDAY, "the day after tomorrow", "2024-05-14", "2024-05-15"),
    (SUNDAY, "next week", "2024-05-13", "2024-05-20"),
    (SUNDAY, "next month", "2024-06-01", "2024-07-01"),
    (SUNDAY, "in two weeks", "2024-05-26", "2024-05-27"),
    (SUNDAY, "ten days from now", "2024-05-22", "2024-05-23"),
    (SUNDAY, "on Friday", "2024-05-17", "2024-05-18"),
    (SUNDAY, "in March", "2025-03-01", "2025-04-01"),
    (SUNDAY, "on the 5th", "2024-06-05", "2024-06-06"),
    (SUNDAY, "this summer", "2024-06-01", "2024-09-01"),
    (SUNDAY, "next Thanksgiving", "2024-11-28", "2024-11-29"),
    (SUNDAY, "by Friday", "2024-05-12 15:30", "2024-05-18"),
    (SUNDAY, "after May 20", "2024-05-21", "2200-01-01"),
    (SUNDAY, "over the next three days", "2024-05-12 15:30", "2024-05-15 15:30"),
]
NO_TIME = (
    """
I slept for three weeks in a tent.|We meet every Friday.|I wrote it in two hours of work.|How many days does it take?
She goes for a 30-minute walk.|My 5-year-old loves dinosaurs.|three days later we left|two weeks before the trip
You may not like it.|We march on.|the 5th may be fine|April said hello to June.|I talked to April about it.
Give me a second please.|The sun was shining.|He fell and I saw him fall.|Spring Boot is a framework.
Version 3.12.1 fixes it.|Mix 1/2 cup with 3/4 cup.|in 2000 steps|by 1900 people|room 2012|Call 555-2023.
on the 5th floor|the 3rd chapter|in his 90s|Christmas tree|Halloween costume|Robinson and Friday live there.
the last thing I want|my last year at school|a Friday|On Sundays we bake.|in the morning I run|I get up at 7am.
http://example.org/2023/03/05/post|on February 30|on 13/13/2023|the last 5 minutes of the game|once a month
Good morning!|one day you will see|the next day|Maybe|Mayor Smith|Monday.com|Between you and me, no.
in two hours|The Sat nav is broken.|10 times a week
""".strip()
    .replace("\n", "|")
    .split("|")
)


def moment(told: str, now: datetime) -> datetime:
    """Read a local time of the tables above."""
    return datetime.fromisoformat(told).replace(tzinfo=now.tzinfo)


def only_window(text: str, now: datetime, tense: Tense = Tense.PAST) -> TimeWindow:
    """Find the one time of a text."""
    (window,) = find_times(text, now, tense=tense)
    return window


@pytest.mark.parametrize(("now", "text", "start", "end"), PAST)
def test_a_time_is_found_as_it_is_meant_of_the_past(now: datetime, text: str, start: str, end: str) -> None:
    window = only_window(text, now)
    assert (window.start, window.end) == (moment(start, now), moment(end, now))


@pytest.mark.parametrize(("now", "text", "start", "end"), FUTURE)
def test_a_time_is_found_as_it_is_meant_of_the_future(now: datetime, text: str, start: str, end: str) -> None:
    window = only_window(text, now, Tense.FUTURE)
    assert (window.start, window.end) == (moment(start, now), moment(end, now))


@pytest.mark.parametrize("text", NO_TIME)
def test_what_lasts_or_comes_back_or_only_sounds_like_a_time_is_none(text: str) -> None:
    assert find_times(text, SUNDAY) == ()


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("on 5 March 2023", timedelta(0), timedelta(days=1)),
        ("three weeks ago", timedelta(days=3), timedelta(days=5)),
        ("a couple of months ago", timedelta(days=18), timedelta(days=24)),
        ("last spring", timedelta(days=10), timedelta(days=18)),
        ("last Friday", timedelta(days=5), timedelta(days=7)),
        ("on 3/5/2023", timedelta(days=30), timedelta(days=60)),
        ("on 5/5/2023", timedelta(0), timedelta(days=1)),
        ("a few years ago", timedelta(days=365), timedelta(days=730)),
    ],
)
def test_edges_are_as_soft_as_people_are_vague(text: str, least: timedelta, most: timedelta) -> None:
    assert least <= only_window(text, SUNDAY).softness <= most


def test_a_span_covers_the_expression_and_its_preposition() -> None:
    text = "What changed since the beginning of last year in Ulm?"
    span = only_window(text, SUNDAY).span
    assert text[span.start : span.end] == "since the beginning of last year"


def test_several_times_are_found_in_order() -> None:
    text = "Yesterday I said that we moved in May 2019, two weeks after Christmas 2018."
    windows = find_times(text, SUNDAY)
    assert [window.start.date() for window in windows] == [date(2024, 5, 11), date(2019, 5, 1), date(2018, 12, 27)]


def test_a_day_on_which_clocks_change_is_one_day() -> None:
    spring = only_window("today", datetime(2024, 3, 31, 12, tzinfo=BERLIN))
    autumn = only_window("yesterday", datetime(2024, 11, 4, 12, tzinfo=NEW_YORK))
    assert spring.end.timestamp() - spring.start.timestamp() == 23 * 3600
    assert autumn.end.timestamp() - autumn.start.timestamp() == 25 * 3600


def test_hours_pass_while_clocks_change() -> None:
    window = only_window("two hours ago", datetime(2024, 3, 31, 4, tzinfo=BERLIN))
    assert window.start.astimezone(UTC) == datetime(2024, 3, 30, 23, 30, tzinfo=UTC)


def test_the_zone_of_now_decides_which_day_it_is() -> None:
    now = datetime(2024, 5, 12, 23, 30, tzinfo=UTC)
    assert only_window("today", now.astimezone(BERLIN)).start == datetime(2024, 5, 13, tzinfo=BERLIN)
    assert only_window("today", now.astimezone(NEW_YORK)).start == datetime(2024, 5, 12, tzinfo=NEW_YORK)


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(BadRequest, match="time zone"):
        find_times("yesterday", datetime(2024, 5, 12))  # noqa: DTZ001
