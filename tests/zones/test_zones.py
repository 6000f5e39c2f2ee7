"""The person's time zone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from palace import BadRequest, load_settings
from palace.config.zones import SystemZone, find_zone, in_zone, system_zone

MOMENT = datetime(2024, 12, 31, 20, tzinfo=UTC)
SetZone = Callable[[str], None]


@pytest.fixture
def set_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[SetZone]:
    """Set this computer's zone for a test."""

    def change(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield change
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_HOME", str(tmp_path))


def test_the_zone_is_the_one_that_the_settings_name_else_this_computers(
    set_zone: SetZone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Asia/Tokyo", ":Asia/Tokyo", "JST-9"):
        set_zone(name)
        assert in_zone(MOMENT, load_settings().zone).isoformat() == "2025-01-01T05:00:00+09:00"
    set_zone("America/New_York")
    (tmp_path / "config.toml").write_text('timezone = "Asia/Tokyo"\n', encoding="utf-8")
    assert load_settings().zone == ZoneInfo("Asia/Tokyo")
    monkeypatch.setenv("PALACE_TIMEZONE", "Europe/Berlin")
    assert load_settings().zone == ZoneInfo("Europe/Berlin")
    assert load_settings(timezone="Asia/Tokyo").zone == ZoneInfo("Asia/Tokyo")


def test_a_zone_that_there_is_not_is_refused_in_one_line() -> None:
    for name in ("", "Berlin", "Europe", "../../etc/passwd", "/etc/localtime", "a\0b", "UTC+2", "ü"):
        with pytest.raises(BadRequest, match=r"PALACE_TIMEZONE.*write it like Europe/Berlin, or UTC") as caught:
            load_settings(timezone=name)
        assert "\n" not in str(caught.value)


def test_a_rule_in_place_of_a_name_is_followed_through_the_year(set_zone: SetZone) -> None:
    set_zone("CET-1CEST,M3.5.0,M10.5.0/3")
    zone = system_zone()
    assert isinstance(zone, SystemZone)
    assert in_zone(datetime(2024, 1, 1, 12, tzinfo=UTC), zone).isoformat() == "2024-01-01T13:00:00+01:00"
    assert in_zone(datetime(2024, 7, 1, 12, tzinfo=UTC), zone).isoformat() == "2024-07-01T14:00:00+02:00"


def test_the_systems_zone_agrees_with_the_database_of_zones(set_zone: SetZone) -> None:
    set_zone("Europe/Berlin")
    berlin, system = ZoneInfo("Europe/Berlin"), SystemZone()
    for day in ("2024-03-31", "2024-10-27", "2024-07-01"):
        midnight = datetime.fromisoformat(f"{day}T00:00:00+00:00")
        for quarter in range(96):
            moment = midnight + timedelta(minutes=15 * quarter)
            assert in_zone(moment, system).isoformat() == in_zone(moment, berlin).isoformat()
            assert in_zone(moment, system).astimezone(UTC) == moment


@given(st.datetimes(timezones=st.just(UTC)), st.sampled_from(["Asia/Tokyo", "America/New_York", "UTC"]))
@example(datetime(1, 1, 1, tzinfo=UTC), "America/New_York")
@example(datetime(9999, 12, 31, 23, 59, tzinfo=UTC), "Asia/Tokyo")
def test_every_moment_can_be_shown_in_every_zone(moment: datetime, name: str) -> None:
    for zone in (find_zone(name), SystemZone(), timezone(timedelta(hours=-23, minutes=-59))):
        assert in_zone(moment, zone) == moment
