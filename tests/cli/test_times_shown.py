"""Times on the command line are read and shown in the person's zone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from palace_cli import clock
from palace_cli.options import last_moment, moment
from palace_cli.render.figures import moment as shown

Run = Callable[..., Any]
TOKYO = timezone(timedelta(hours=9))


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Leave no zone behind for other tests of this process."""
    token = clock._ZONE.set(None)
    yield
    clock._ZONE.reset(token)


@pytest.fixture
def in_tokyo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_TIMEZONE", "Asia/Tokyo")


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    """A chat of New Year's Day in Tokyo, most of which is New Year's Eve in Greenwich."""
    path = tmp_path / "WhatsApp Chat with Kenji.txt"
    lines = ("2025/01/01 00:30 - Kenji: A happy new year!", "2025/01/01 20:00 - Mika: The kites flew high.")
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.usefixtures("in_tokyo")
def test_a_date_on_the_command_line_is_a_day_in_the_persons_zone() -> None:
    assert moment("--since", "2025-01-01") == datetime(2025, 1, 1, tzinfo=TOKYO)
    assert last_moment("--until", "2025-01-01") == datetime(2025, 1, 1, 23, 59, 59, 999999, tzinfo=TOKYO)
    assert moment("--now", "2025-01-01T10:00Z") == datetime(2025, 1, 1, 10, tzinfo=UTC)


@pytest.mark.usefixtures("in_tokyo")
@pytest.mark.parametrize("text", ["0001-01-01", "0001-01-01T08:59"])
def test_a_day_at_the_end_of_the_calendar_is_taken_and_does_not_break(text: str) -> None:
    taken = moment("--since", text)
    assert taken is not None
    assert taken.year == 1


def test_a_moment_is_shown_in_the_zone_that_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    from palace.settings import load_settings

    eve = datetime(2024, 12, 31, 20, tzinfo=UTC)
    clock.set_zone(load_settings(timezone="Asia/Tokyo"))
    assert shown(eve) == "2025-01-01 05:00"
    clock.set_zone(load_settings(timezone="America/New_York"))
    assert shown(eve) == "2024-12-31 15:00"


@pytest.mark.usefixtures("in_tokyo")
def test_a_chat_of_new_years_day_is_of_that_day_wherever_it_is_shown(run: Run, chat: Path) -> None:
    assert run("mine", str(chat), "--wing", "Friends").exit_code == 0
    rooms = run("ls", "Friends").stdout
    assert "Kenji, 2025-01-01" in rooms
    assert "2025-01-01 00:30" in rooms
    assert "2024" not in rooms
    recalled = run("recall", "happy new year")
    assert "Kenji, 2025-01-01 00:30" in recalled.stdout
    block = run("recall", "happy new year", "--format", "block").stdout
    assert '| 2025-01-01 | user "Kenji" |' in block
    assert "| 2024" not in block
    document = json.loads(run("recall", "happy new year", "--json").stdout)
    said_at = datetime.fromisoformat(document["hits"][0]["drawer"]["said_at"])
    assert said_at == datetime(2025, 1, 1, 0, 30, tzinfo=TOKYO)


@pytest.mark.usefixtures("in_tokyo")
def test_since_and_until_cut_at_the_persons_midnight(run: Run, chat: Path) -> None:
    assert run("mine", str(chat)).exit_code == 0
    assert "happy" in run("recall", "happy new year", "--since", "2025-01-01", "--until", "2025-01-01").stdout
    assert "happy" not in run("recall", "happy new year", "--until", "2024-12-31").stdout


def test_a_zone_that_there_is_not_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_TIMEZONE", "Atlantis")
    for command in (("status",), ("recall", "x", "--since", "2025-01-01")):
        result = run(*command)
        assert result.exit_code != 0
        assert result.stderr.splitlines() == [
            "palace: setting timezone (PALACE_TIMEZONE) there is no time zone 'Atlantis';"
            " write it like Europe/Berlin, or UTC"
        ]
