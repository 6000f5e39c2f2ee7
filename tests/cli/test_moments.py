"""Dates on the command line: read and shown in the person's zone."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.errors import BadRequest
from palace_cli.options import last_moment, moment
from tests.cli.conftest import Run

TOKYO, BERLIN = timezone(timedelta(hours=9)), timezone(timedelta(hours=2))


@pytest.fixture
def in_tokyo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_TIMEZONE", "Asia/Tokyo")


def test_a_date_is_its_first_instant_in_the_local_time_zone_and_an_offset_is_kept(zone: Callable[[str], None]) -> None:
    zone("Europe/Berlin")
    assert moment("--since", "2026-04-30") == datetime(2026, 4, 30, tzinfo=BERLIN)
    assert last_moment("--until", "2026-04-30") == datetime(2026, 4, 30, 23, 59, 59, 999999, tzinfo=BERLIN)
    assert last_moment("--until", "2026-04-30T12:00") == datetime(2026, 4, 30, 12, tzinfo=BERLIN)
    assert moment("--now", "2026-04-30T18:20+09:00") == datetime(2026, 4, 30, 18, 20, tzinfo=TOKYO)
    assert moment("--now", None) is None


@pytest.mark.usefixtures("in_tokyo")
def test_a_date_on_the_command_line_is_a_day_in_the_persons_zone() -> None:
    assert moment("--since", "2025-01-01") == datetime(2025, 1, 1, tzinfo=TOKYO)
    assert last_moment("--until", "2025-01-01") == datetime(2025, 1, 1, 23, 59, 59, 999999, tzinfo=TOKYO)
    assert moment("--now", "2025-01-01T10:00Z") == datetime(2025, 1, 1, 10, tzinfo=UTC)
    for text in ("0001-01-01", "0001-01-01T08:59"):
        taken = moment("--since", text)
        assert taken is not None
        assert taken.year == 1


def test_a_date_that_is_none_is_refused_with_an_example() -> None:
    for text in ("", "some day", "2026-13-01", "2026-04-31", "30.04.2026", "04/05/2026", "9999-12-31T23:59-12:00x"):
        with pytest.raises(BadRequest, match=r"--since .* is not a date; write 2026-04-30"):
            moment("--since", text)


def local(days_ago: int) -> datetime:
    """The first instant of a day."""
    return datetime.combine(datetime.now(UTC).date() - timedelta(days=days_ago), datetime.min.time(), tzinfo=UTC)


def test_a_day_and_an_hour_may_be_told_in_words() -> None:
    days = {"today": 0, "yesterday": 1, "3 days ago": 3, "3 days": 3, "2 weeks ago": 14, "2  weeks": 14}
    for text, days_ago in days.items():
        assert moment("--since", text) == local(days_ago)
        assert last_moment("--until", text) == local(days_ago - 1) - timedelta(microseconds=1)
    for text, hours in {"now": 0, "5 hours ago": 5, "an hour": 1}.items():
        for when in (moment("--since", text), last_moment("--until", text)):
            assert when is not None
            assert abs(datetime.now(UTC) - timedelta(hours=hours) - when) < timedelta(minutes=31)
    monday = moment("--since", "last Monday")
    assert monday is not None
    assert monday.weekday() == 0
    assert local(8) < monday < datetime.now(UTC)


@given(st.text())
def test_no_text_gives_a_moment_without_an_offset(text: str) -> None:
    try:
        when = moment("--since", text)
    except BadRequest:
        return
    assert when is not None
    assert when.tzinfo is not None


def test_the_first_and_the_last_day_of_the_calendar_are_days_in_every_zone(zone: Callable[[str], None]) -> None:
    for name in ("UTC", "Europe/Berlin", "America/New_York"):
        zone(name)
        for text in ("0001-01-01", "9999-12-31", "0001-01-01T00:00", "9999-12-31T23:59:59"):
            for read in (moment, last_moment):
                when = read("--since", text)
                assert when is not None
                assert f"{when:%Y-%m-%d}".lstrip("0") == text[:10].lstrip("0"), (name, text)


@pytest.mark.nightly
def test_a_moment_beyond_what_is_kept_filters_and_is_refused_for_a_note(run: Run) -> None:
    assert run("note", "The parrot is called Otto.").exit_code == 0
    for edge, options in (("0001-01-01", ("--since", "--now")), ("9999-12-31", ("--until", "--now"))):
        for option in options:
            result = run("recall", "the parrot Otto", option, edge)
            assert (result.exit_code, "is not a date" in result.stderr) == (0, False)
        refused = run("note", "When?", "--said-at", edge)
        assert refused.stderr.startswith("palace: said_at must be from 0001-01-02 to 9999-12-30")
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)


@pytest.mark.usefixtures("in_tokyo")
def test_a_chat_of_new_years_day_is_of_that_day_wherever_it_is_shown_and_cut(run: Run, tmp_path: Path) -> None:
    # Most of it is of New Year's Eve in Greenwich.
    chat = tmp_path / "WhatsApp Chat with Kenji.txt"
    lines = ("2025/01/01 00:30 - Kenji: A happy new year!", "2025/01/01 20:00 - Mika: The kites flew high.")
    chat.write_text("\n".join(lines), encoding="utf-8")
    assert run("mine", str(chat), "--wing", "Friends").exit_code == 0
    rooms = run("ls", "Friends").stdout
    assert "Kenji, 2025-01-01" in rooms
    assert "2025-01-01 00:30" in rooms
    assert "2024" not in rooms
    assert "Kenji, 2025-01-01 00:30" in run("recall", "happy new year").stdout
    block = run("recall", "happy new year", "--format", "block").stdout
    assert '| 2025-01-01 | user "Kenji" |' in block
    document = json.loads(run("recall", "happy new year", "--json").stdout)
    said_at = datetime.fromisoformat(document["hits"][0]["drawer"]["said_at"])
    assert said_at == datetime(2025, 1, 1, 0, 30, tzinfo=TOKYO)
    assert "happy" in run("recall", "happy new year", "--since", "2025-01-01", "--until", "2025-01-01").stdout
    assert "happy" not in run("recall", "happy new year", "--until", "2024-12-31").stdout


def test_a_zone_that_there_is_not_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_TIMEZONE", "Atlantis")
    for command in (("status",), ("recall", "x", "--since", "2025-01-01")):
        result = run(*command)
        assert (result.exit_code != 0, result.stderr.count("\n")) == (True, 1)
        assert "(PALACE_TIMEZONE) there is no time zone 'Atlantis'" in result.stderr
