"""What becomes of drawers and rooms that are undated, and when their source tells later when they were said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from palace import Drawer, Palace, Room
from tests.changes.views import everything_said

TIDES = "\n".join(f"Line {n} of what I know about the tides of the bay." for n in range(6))
BOATS = [f"This is the sentence number {n} of a long talk about boats." for n in range(4)]


def chat(path: Path, *contents: str, dated: bool) -> Path:
    messages: list[dict[str, Any]] = [
        {
            "role": ("user", "assistant")[n % 2],
            "content": content,
            **({"timestamp": f"2024-05-01T10:0{n}:00Z"} if dated else {}),
        }
        for n, content in enumerate(contents)
    ]
    path.write_text(json.dumps(messages), encoding="utf-8")
    return path


def rooms(palace: Palace) -> list[Room]:
    return [room for wing in palace.tree.wings() for room in palace.tree.rooms(wing)]


def standing(palace: Palace) -> list[Drawer]:
    found = [drawer for room in rooms(palace) for drawer in palace.tree.drawers(room)]
    return [drawer for drawer in found if drawer.replaced_at is None]


def days(palace: Palace) -> list[str | None]:
    return [drawer.said_at.date().isoformat() if drawer.said_at else None for drawer in standing(palace)]


def test_a_note_whose_file_is_renamed_after_its_day_gets_that_day_and_stands_once(
    palace: Palace, tmp_path: Path
) -> None:
    source = tmp_path / "tides.md"
    source.write_text(TIDES)
    palace.mine(source)
    (undated,) = standing(palace)
    renamed = source.rename(tmp_path / "2024-05-01-tides.md")
    assert palace.mine(renamed, dry_run=True).drawers_new == 1
    palace.mine(renamed)
    assert days(palace) == ["2024-05-01"]
    (room,) = rooms(palace)
    assert room.started_at is not None
    assert room.started_at.date().isoformat() == "2024-05-01"
    (dated,) = standing(palace)
    assert palace.show(str(undated.pointer)).drawer.replaced_by == dated.pointer
    again = palace.mine(renamed)
    assert (again.drawers_new, again.drawers_unchanged) == (0, 1)


def test_a_date_is_taken_from_what_has_it_by_undoing_alone_and_not_by_a_source_that_lost_it(
    palace: Palace, tmp_path: Path
) -> None:
    palace.mine(chat(tmp_path / "boats.json", *BOATS, dated=False))
    run_id = palace.mine(chat(tmp_path / "boats.json", *BOATS, dated=True)).run_id
    again = palace.mine(chat(tmp_path / "boats.json", *BOATS, dated=False))
    assert (again.drawers_new, again.drawers_unchanged) == (0, 4)
    assert days(palace) == ["2024-05-01"] * 4
    assert run_id is not None
    assert palace.runs.undo(run_id).removal.drawers == 4
    assert days(palace) == [None] * 4


@pytest.mark.nightly
def test_a_forgotten_message_stays_forgotten_when_its_source_gets_a_date(palace: Palace, tmp_path: Path) -> None:
    palace.mine(chat(tmp_path / "boats.json", *BOATS, dated=False))
    palace.forget(str(standing(palace)[1].pointer))
    summary = palace.mine(chat(tmp_path / "boats.json", *BOATS, dated=True))
    assert (summary.drawers_new, summary.drawers_forgotten) == (3, 1)
    assert BOATS[1] not in [drawer.content for drawer in standing(palace)]


def test_forgetting_a_message_that_got_its_date_later_forgets_its_undated_reading_as_well(
    palace: Palace, tmp_path: Path
) -> None:
    palace.mine(chat(tmp_path / "boats.json", *BOATS, dated=False))
    palace.mine(chat(tmp_path / "boats.json", *BOATS, dated=True))
    pointer = str(standing(palace)[1].pointer)
    assert palace.forget(pointer, dry_run=True).removal.drawers == 2
    palace.forget(pointer, now=True)
    assert BOATS[1].lower() not in everything_said(palace)
    for dated in (False, True):
        summary = palace.mine(chat(tmp_path / "boats.json", *BOATS, dated=dated))
        assert (summary.drawers_new, summary.drawers_forgotten) == (0, 1)


def test_an_undated_room_is_named_after_its_file_and_keeps_that_name_or_the_persons(
    palace: Palace, tmp_path: Path
) -> None:
    palace.mine(chat(tmp_path / "boat talk.json", *BOATS, dated=False))
    (room,) = rooms(palace)
    assert room.name == "boat talk"
    palace.mine(chat(tmp_path / "other name.json", *BOATS, "And the moon.", dated=False))
    assert [room.name for room in rooms(palace)] == ["boat talk"]
    palace.tree.rename("W-001/R-01", "About boats")
    palace.mine(chat(tmp_path / "boat talk.json", *BOATS, "And the moon.", "And the sun.", dated=True))
    assert [room.name for room in rooms(palace)] == ["About boats"]
