"""Dates on the command line."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.errors import BadRequest
from palace_cli.options import exclusive, last_moment, moment


def test_a_date_is_its_first_instant_in_the_local_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    assert moment("--since", "2026-04-30") == datetime(2026, 4, 30, tzinfo=timezone(timedelta(hours=2)))


def test_the_end_of_a_range_includes_its_day() -> None:
    assert last_moment("--until", "2026-04-30") == datetime(2026, 4, 30, 23, 59, 59, 999999, tzinfo=UTC)


def test_a_moment_ends_a_range_exactly() -> None:
    assert last_moment("--until", "2026-04-30T12:00") == datetime(2026, 4, 30, 12, tzinfo=UTC)


def test_an_offset_is_kept() -> None:
    expected = datetime(2026, 4, 30, 18, 20, tzinfo=timezone(timedelta(hours=2)))
    assert moment("--now", "2026-04-30T18:20+02:00") == expected


def test_what_is_not_given_stays_none() -> None:
    assert moment("--now", None) is None


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "2026-04-31", "30.04.2026", "9999-12-31T23:59-12:00x"])
def test_a_date_that_is_none_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadRequest, match=r"--since .* is not a date; write 2026-04-30"):
        moment("--since", text)


@given(st.text())
def test_no_text_gives_a_moment_without_an_offset(text: str) -> None:
    try:
        when = moment("--since", text)
    except BadRequest:
        return
    assert when is not None
    assert when.tzinfo is not None


def test_contradicting_options_are_named() -> None:
    with pytest.raises(BadRequest, match="--json and --raw exclude each other"):
        exclusive(("--json", True), ("--raw", True))


def test_one_choice_is_no_contradiction() -> None:
    exclusive(("--json", True), ("--raw", False))
