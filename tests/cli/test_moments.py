"""Dates on the command line."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

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


@pytest.mark.parametrize(
    "text",
    [
        "",
        "some day",
        "2026-13-01",
        "2026-04-31",
        "30.04.2026",
        "04/05/2026",
        "yesterday, or so",
        "9999-12-31T23:59-12:00x",
    ],
)
def test_a_date_that_is_none_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadRequest, match=r"--since .* is not a date; write 2026-04-30"):
        moment("--since", text)


def local(days_ago: int) -> datetime:
    """The first instant of a day."""
    return datetime.combine(datetime.now(UTC).date() - timedelta(days=days_ago), datetime.min.time(), tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "days_ago"),
    [("today", 0), ("yesterday", 1), ("3 days ago", 3), ("3 days", 3), ("2 weeks ago", 14), ("2  weeks", 14)],
)
def test_a_day_may_be_told_in_words(text: str, days_ago: int) -> None:
    assert moment("--since", text) == local(days_ago)
    assert last_moment("--until", text) == local(days_ago - 1) - timedelta(microseconds=1)


def test_last_monday_is_a_monday_within_a_week() -> None:
    monday = moment("--since", "last Monday")
    assert monday is not None
    assert monday.weekday() == 0
    assert local(8) < monday < datetime.now(UTC)


@pytest.mark.parametrize(("text", "hours"), [("now", 0), ("5 hours ago", 5), ("an hour", 1)])
def test_an_hour_may_be_told_in_words(text: str, hours: int) -> None:
    for when in (moment("--since", text), last_moment("--until", text)):
        assert when is not None
        assert abs(datetime.now(UTC) - timedelta(hours=hours) - when) < timedelta(minutes=31)


@given(st.text())
def test_no_text_gives_a_moment_without_an_offset(text: str) -> None:
    try:
        when = moment("--since", text)
    except BadRequest:
        return
    assert when is not None
    assert when.tzinfo is not None


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York"])
@pytest.mark.parametrize("text", ["0001-01-01", "9999-12-31", "0001-01-01T00:00", "9999-12-31T23:59:59"])
def test_the_first_and_the_last_day_of_the_calendar_are_days_in_every_zone(
    monkeypatch: pytest.MonkeyPatch, zone: str, text: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    for read in (moment, last_moment):
        when = read("--since", text)
        assert when is not None
        assert f"{when:%Y-%m-%d}".lstrip("0") == text[:10].lstrip("0")


def test_a_moment_beyond_what_is_kept_filters_and_is_refused_for_a_note(run: Callable[..., Any]) -> None:
    assert run("note", "The parrot is called Otto.").exit_code == 0
    for edge in ("0001-01-01", "9999-12-31"):
        for option in ("--since", "--until", "--now"):
            result = run("recall", "the parrot Otto", option, edge)
            assert result.exit_code == 0
            assert "is not a date" not in result.stderr
        refused = run("note", "When?", "--said-at", edge)
        assert refused.stderr.startswith(
            "palace: said_at must be from 0001-01-02 to 9999-12-30, as every time zone has"
        )
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)


def test_contradicting_options_are_named() -> None:
    with pytest.raises(BadRequest, match="--json and --raw exclude each other"):
        exclusive(("--json", True), ("--raw", True))


def test_one_choice_is_no_contradiction() -> None:
    exclusive(("--json", True), ("--raw", False))
