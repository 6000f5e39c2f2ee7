"""Time expressions become the windows a person would draw on a calendar."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from palace.errors import BadRequest
from palace.nlp.time import Tense, TimeFocus, TimeWindow, find_times, tense_of, time_focus
from tests.text.tables import each, misread, tables

TABLES = tables("times_said")

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
SUNDAY = datetime(2024, 5, 12, 15, 30, tzinfo=BERLIN)
NOWS = {
    "THE_31ST": datetime(2023, 7, 31, 18, 0, tzinfo=UTC),
    "NEW_YEARS_DAY": datetime(2024, 1, 1, 0, 30, tzinfo=NEW_YORK),
}


def written(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d" if (moment.hour, moment.minute) == (0, 0) else "%Y-%m-%d %H:%M")


def only_window(text: str, now: datetime = SUNDAY, tense: Tense = Tense.PAST) -> TimeWindow:
    """Find the one time of a text."""
    (window,) = find_times(text, now, tense=tense)
    return window


def found(text: str, tense: Tense = Tense.PAST) -> str:
    """Write the window of a text, which may say first on which day it is read: "THE_31ST: a year ago"."""
    day, _, told = text.rpartition(": ")
    window = only_window(told, NOWS.get(day, SUNDAY), tense)
    return f"{written(window.start)} .. {written(window.end)}".replace("1800-01-01", "ever")


def test_a_time_is_found_as_it_is_meant_of_the_past_and_of_the_future() -> None:
    assert misread(found, TABLES["past"].items()) == []
    assert misread(lambda text: found(text, Tense.FUTURE), TABLES["future"].items()) == []


def test_what_lasts_or_comes_back_or_only_sounds_like_a_time_is_none() -> None:
    assert misread(lambda text: find_times(text, SUNDAY), each(TABLES["no_time"], ())) == []


def test_edges_are_as_soft_as_people_are_vague() -> None:
    days = {
        "on 5 March 2023": (0, 1), "three weeks ago": (3, 5), "a couple of months ago": (18, 24),
        "last spring": (10, 18), "last Friday": (5, 7), "on 3/5/2023": (30, 60), "on 5/5/2023": (0, 1),
        "a few years ago": (365, 730),
    }  # fmt: skip
    softness = {text: only_window(text).softness / timedelta(days=1) for text in days}
    assert [text for text, (least, most) in days.items() if not least <= softness[text] <= most] == []


def test_a_span_covers_the_expression_and_its_preposition_in_order() -> None:
    text = "What changed since the beginning of last year in Ulm?"
    span = only_window(text).span
    assert text[span.start : span.end] == "since the beginning of last year"
    text = "Yesterday I said that we moved in May 2019, two weeks after Christmas 2018."
    windows = find_times(text, SUNDAY)
    assert [window.start.date() for window in windows] == [date(2024, 5, 11), date(2019, 5, 1), date(2018, 12, 27)]


def test_days_are_those_of_nows_zone_also_when_clocks_change() -> None:
    spring = only_window("today", datetime(2024, 3, 31, 12, tzinfo=BERLIN))
    autumn = only_window("yesterday", datetime(2024, 11, 4, 12, tzinfo=NEW_YORK))
    assert spring.end.timestamp() - spring.start.timestamp() == 23 * 3600
    assert autumn.end.timestamp() - autumn.start.timestamp() == 25 * 3600
    window = only_window("two hours ago", datetime(2024, 3, 31, 4, tzinfo=BERLIN))
    assert window.start.astimezone(UTC) == datetime(2024, 3, 30, 23, 30, tzinfo=UTC)
    now = datetime(2024, 5, 12, 23, 30, tzinfo=UTC)
    assert only_window("today", now.astimezone(BERLIN)).start == datetime(2024, 5, 13, tzinfo=BERLIN)
    assert only_window("today", now.astimezone(NEW_YORK)).start == datetime(2024, 5, 12, tzinfo=NEW_YORK)
    with pytest.raises(BadRequest, match="time zone"):
        find_times("yesterday", datetime(2024, 5, 12))  # noqa: DTZ001


def test_a_text_asks_for_how_things_are_how_they_were_or_neither() -> None:
    assert misread(time_focus, each(TABLES["current"], TimeFocus.CURRENT)) == []
    assert misread(time_focus, each(TABLES["former"], TimeFocus.FORMER)) == []
    assert misread(time_focus, [*each(TABLES["neither"], TimeFocus.NONE), ("", TimeFocus.NONE)]) == []


def test_verbs_of_intention_point_to_the_future() -> None:
    assert misread(tense_of, each(TABLES["ahead"], Tense.FUTURE)) == []
    behind = ["I moved in May", "I was going to call on Friday", "Will's party"]
    assert misread(tense_of, each(behind, Tense.PAST)) == []


MOMENTS = st.datetimes(datetime(1950, 1, 1), datetime(2100, 1, 1), timezones=st.sampled_from(  # noqa: DTZ001
    [ZoneInfo(name) for name in ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia")]
))  # fmt: skip
_PIECES = """
in on at since until up prior coming between and from to the a of last this next past early late mid-  end
beginning every for ago earlier two 3 couple few half weeks days months year years hours quarter decade weekend
tonight morning Monday friday Sat March may May 5 5th 31st 2021 1999 3/5 30/2/2023 2023-02-30 12.12.2012 90s Q2 summer
yesterday fall christmas easter first week noon 5pm 12:30 – - , . it 999 İ ’s
"""
TEXTS = st.lists(st.sampled_from(_PIECES.split()), max_size=14).map(" ".join)
RELATIVE = [
    "yesterday", "last Friday", "on Tuesday", "this week", "last weekend", "three weeks ago", "a few days ago",
    "the past ten days", "last night", "two hours ago", "next Monday", "since last Thursday", "from Monday to Friday",
]  # fmt: skip


@given(text=TEXTS | st.text(max_size=60), now=MOMENTS, tense=st.sampled_from(Tense))
@example(text="in 999 decades", now=datetime(2000, 1, 1, tzinfo=UTC), tense=Tense.FUTURE)
def test_windows_begin_before_they_end_and_spans_do_not_overlap(text: str, now: datetime, tense: Tense) -> None:
    windows = find_times(text, now, tense=tense)
    for window in windows:
        assert window.start.timestamp() < window.end.timestamp()
        assert window.start.tzinfo is window.end.tzinfo is now.tzinfo
        assert window.softness >= timedelta(0)
        assert 0 <= window.span.start < window.span.end <= len(text)
        assert text[window.span.start : window.span.end].strip()
    assert all(one.span.end <= other.span.start for one, other in pairwise(windows))


@given(text=st.sampled_from(RELATIVE), now=MOMENTS, weeks=st.integers(-200, 200))
def test_whole_weeks_later_relative_times_are_whole_weeks_later(text: str, now: datetime, weeks: int) -> None:
    later, now = timedelta(weeks=weeks), now.replace(tzinfo=UTC)
    before, after = only_window(text, now), only_window(text, now + later)
    assert (after.start - before.start, after.end - before.end) == (later, later)


@given(text=TEXTS, now=MOMENTS)
def test_a_line_may_end_within_an_expression(text: str, now: datetime) -> None:
    assert find_times(text.replace(" ", "\n"), now) == find_times(text, now)


@pytest.mark.nightly
def test_a_long_text_is_read_to_its_end() -> None:
    for piece in ("may ", "in march, ", "5-", "a half a half ", "1 year and ", "\n", "from monday to "):
        text = piece * (100_000 // len(piece)) + ". We met on 5 March 2023."
        (*_, last) = find_times(text, SUNDAY.astimezone(UTC))
        assert last.start == datetime(2023, 3, 5, tzinfo=UTC), piece
