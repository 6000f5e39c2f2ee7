"""The query line: words and filters, read and written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.errors import BadRequest
from palace_cli.tui.seeking.line import FILTERS, Line, read_line, with_filter, with_filters
from palace_cli.tui.seeking.times import first_moment, last_moment, written_span

WORDS = st.lists(st.text(st.characters(categories=["L", "N", "P"], exclude_characters=':"\\'), min_size=1), max_size=5)
VALUES = st.text(min_size=1).map(lambda text: " ".join(text.split())).filter(bool)


def test_filters_stand_among_words_and_what_cannot_be_asked_is_told_in_one_line() -> None:
    for text, line in {
        "which wing:boats wire since:2026-05 overheated role:user": Line(
            "which wire overheated", {"wing": "boats", "since": "2026-05", "role": "user"}
        ),
        'wire wing:"Efoil rebuild"': Line("wire", {"wing": "Efoil rebuild"}),
        'wing:"Efoil re': Line("", {"wing": "Efoil re"}),
        r'wing:"the \"big\" one" x': Line("x", {"wing": 'the "big" one'}),
        "http://wing:8 note:that": Line("http://wing:8 note:that"),
    }.items():
        assert read_line(text) == line
    assert read_line("wing: wire").problem == "wing: wants a value behind it"
    assert read_line("role:user role:tool").problem == "role: stands there twice; one of them holds"
    assert with_filter("a role:user b role:tool c", "role", "system") == "a role:system b c"


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    line = read_line(text)
    assert set(line.filters) <= set(FILTERS)
    assert line.problem is None or "\n" not in line.problem


@given(WORDS, st.dictionaries(st.sampled_from(FILTERS), VALUES))
def test_what_is_written_is_read_again(words: list[str], filters: dict[str, str]) -> None:
    assert read_line(with_filters(" ".join(words), dict(filters))) == Line(" ".join(words), filters)


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
