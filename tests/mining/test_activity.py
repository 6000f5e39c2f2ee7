"""Every run leaves an event: what landed, where, and what failed."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from palace import Activity, BadRequest, Cancellation, Cancelled, Palace, Phase, Progress


def talk(path: Path, *contents: str) -> Path:
    path.write_text(json.dumps({"id": path.stem, "messages": [{"role": "user", "content": each} for each in contents]}))
    return path


def only(palace: Palace) -> Activity:
    (event,) = palace.activity(kind="mined")
    return event


def test_a_run_says_what_landed_where_and_what_failed(palace: Palace, tmp_path: Path) -> None:
    talk(tmp_path / "a.json", "The boat is in berth 3.", "The rent is due in May.")
    (tmp_path / "b.json").write_text("{")
    summary = palace.mine(tmp_path / "a.json", tmp_path / "b.json", wing="Boats")
    event = only(palace)
    assert (event.kind, event.run_id) == ("memory_mined", summary.run_id)
    told = event.details
    assert (told["outcome"], told["drawers_new"], told["wings"]) == ("finished", 2, [{"number": 1, "drawers": 2}])
    assert told["failure_count"] == 1
    assert told["failures"] == [{"file": each.file, "message": each.message} for each in summary.failures]
    assert datetime.now(UTC) - event.happened_at < timedelta(minutes=1)


def test_what_fails_altogether_has_an_event_without_a_run(palace: Palace, tmp_path: Path) -> None:
    (tmp_path / "bro\udcffken.json").write_text("{")
    palace.mine(tmp_path / "bro\udcffken.json")
    event = only(palace)
    assert (event.run_id, event.details["failure_count"], event.details["drawers_new"]) == (None, 1, 0)
    assert palace.runs.list() == ()


def test_a_note_leaves_one_and_one_that_is_refused_says_so(palace: Palace) -> None:
    drawer = palace.note("The spare key is with Derek.", id="key")
    assert only(palace).details == {
        "outcome": "finished", "source": "note", "drawers_new": 1, "wings": [{"number": 1, "drawers": 1}],
    }  # fmt: skip
    palace.note("The mooring is paid.")
    palace.forget(str(drawer.pointer))
    with pytest.raises(BadRequest):
        palace.note("The spare key is with Derek.", id="key")
    refused = palace.activity()[0].details
    assert (refused["outcome"], refused["error"], refused["drawers_new"]) == ("failed", "bad_request", 0)


def test_a_run_that_is_cancelled_says_what_landed_before(palace: Palace, tmp_path: Path) -> None:
    cancel = Cancellation()

    def after_one(now: Progress) -> None:
        if now.phase is Phase.FILE and now.done:
            cancel.cancel()

    paths = [talk(tmp_path / f"{name}.json", f"The boat {name} is in berth 3.") for name in "abc"]
    with pytest.raises(Cancelled):
        palace.mine(*paths, progress=after_one, cancel=cancel)
    told = only(palace).details
    assert (told["outcome"], told["drawers_new"]) == ("cancelled", 1)


def test_a_run_is_unfinished_until_its_end_as_one_stays_that_is_killed(palace: Palace, tmp_path: Path) -> None:
    seen: list[dict[str, object]] = []

    def look(now: Progress) -> None:
        if now.phase is Phase.FILE:
            seen.append(dict(only(palace).details))

    summary = palace.mine(talk(tmp_path / "a.json", "The boat is in berth 3."), progress=look)
    assert seen[-1] == {"outcome": "unfinished"}
    assert only(palace).run_id == summary.run_id


def test_the_latest_come_first_and_can_be_bounded(palace: Palace) -> None:
    for name in ("one", "two", "three"):
        palace.note(f"Note {name}.")
    events = palace.activity()
    assert [event.happened_at for event in events] == sorted((each.happened_at for each in events), reverse=True)
    assert palace.activity(limit=2) == events[:2]
    assert palace.activity(since=events[1].happened_at) == events[:2]
    assert palace.activity(since=datetime.now(UTC) + timedelta(days=1)) == ()
    for limit in (0, 10**12):
        with pytest.raises(BadRequest, match="limit must be from 1"):
            palace.activity(limit=limit)


def test_no_text_and_no_name_of_a_place_is_in_them(palace: Palace, tmp_path: Path) -> None:
    palace.mine(talk(tmp_path / "a.json", "The zeppelin is in berth 3."), wing="Airships")
    palace.forget("Airships")
    shown = str([event.details for event in palace.activity()]).lower()
    assert "zeppelin" not in shown
    assert "airships" not in shown
    palace.forget_everything()
    assert palace.activity() == ()
