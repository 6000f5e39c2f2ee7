"""The query line: words and filters, read and written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.errors import BadRequest
from palace_cli.tui.seeking.line import FILTERS, Line, read_line, with_filter, with_filters
from palace_cli.tui.seeking.times import first_moment, last_moment, written_span

WORDS = st.lists(st.text(st.characters(categories=["L", "N", "P"], exclude_characters=':"\\'), min_size=1), max_size=5)
VALUES = st.text(min_size=1).map(lambda text: " ".join(text.split())).filter(bool)


def test_filters_stand_among_words() -> None:
    line = read_line("which wing:boats wire since:2026-05 overheated role:user")
    assert line == Line("which wire overheated", {"wing": "boats", "since": "2026-05", "role": "user"})


def test_a_value_with_spaces_stands_in_quotes() -> None:
    assert read_line('wire wing:"Efoil rebuild"').filters == {"wing": "Efoil rebuild"}
    assert read_line('wing:"Efoil re').filters == {"wing": "Efoil re"}
    assert read_line(r'wing:"the \"big\" one" x').filters == {"wing": 'the "big" one'}


def test_other_colons_are_words() -> None:
    assert read_line("http://wing:8 note:that") == Line("http://wing:8 note:that")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("wing: wire", "wing: wants a value behind it"),
        ("role:user role:tool", "role: stands there twice; one of them holds"),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_line(text: str, problem: str) -> None:
    assert read_line(text).problem == problem


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    line = read_line(text)
    assert set(line.filters) <= set(FILTERS)
    assert line.problem is None or "\n" not in line.problem


@given(WORDS, st.dictionaries(st.sampled_from(FILTERS), VALUES))
def test_what_is_written_is_read_again(words: list[str], filters: dict[str, str]) -> None:
    assert read_line(with_filters(" ".join(words), dict(filters))) == Line(" ".join(words), filters)


@given(WORDS, st.dictionaries(st.sampled_from(FILTERS), VALUES), st.sampled_from(FILTERS), st.none() | VALUES)
def test_setting_a_filter_changes_nothing_else(
    words: list[str], filters: dict[str, str], name: str, value: str | None
) -> None:
    after = read_line(with_filter(with_filters(" ".join(words), dict(filters)), name, value))
    assert after.words == " ".join(words)
    assert after.filters == {key: each for key, each in {**filters, name: value}.items() if each is not None}
    assert after.problem is None


def test_a_filter_that_stood_twice_stands_once() -> None:
    assert with_filter("a role:user b role:tool c", "role", "system") == "a role:system b c"


def test_a_month_and_a_year_are_times() -> None:
    first, last = first_moment("2026-02"), last_moment("2026-02")
    assert first is not None
    assert last is not None
    assert (first.date().isoformat(), last.date().isoformat()) == ("2026-02-01", "2026-02-28")
    end = last_moment("2025")
    assert end is not None
    assert end.date().isoformat() == "2025-12-31"
    assert first_moment(None) is None
    with pytest.raises(BadRequest, match="is no month"):
        first_moment("2026-13")
    with pytest.raises(BadRequest, match="since:"):
        first_moment("lately-ish")


@given(st.dates(min_value=datetime(1000, 1, 1).date(), max_value=datetime(9000, 1, 1).date()), st.integers(1, 900))  # noqa: DTZ001
def test_a_span_that_is_written_is_read_as_the_same_days(first: object, days: int) -> None:
    start = datetime(first.year, first.month, first.day, tzinfo=UTC)  # type: ignore[attr-defined]
    end = start + timedelta(days=days)
    since, until = written_span(start, end)
    begins, ends = first_moment(since), last_moment(until)
    assert begins is not None
    assert ends is not None
    assert (begins.date(), ends.date()) == (start.date(), end.date() - timedelta(days=1))


def test_whole_months_are_written_as_such() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    assert written_span(datetime(2026, 3, 1, tzinfo=berlin), datetime(2026, 5, 1, tzinfo=berlin)) == (
        "2026-03",
        "2026-04",
    )
    assert written_span(datetime(2025, 1, 1, tzinfo=berlin), datetime(2026, 1, 1, tzinfo=berlin)) == ("2025", "2025")
