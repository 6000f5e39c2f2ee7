"""A part of a known conversation that is mined on its own, and what only looks like one."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from palace import Palace
from palace.config.settings import Settings
from palace.testing import HashingEmbedder

TALK = [
    f"{'What do you think' if n % 2 == 0 else 'I believe it depends'}, in point {n}, of the harbour and its cranes?"
    for n in range(24)
]


def chat(path: Path, contents: Sequence[str], *, begins: int | None = None, first: int = 0, **fields: Any) -> Path:
    """Write a chat whose turns are those from ``first`` on of a talk that began at an hour, or is undated."""
    messages = [
        {
            "role": ("user", "assistant")[(first + n) % 2],
            "content": content,
            **({} if begins is None else {"timestamp": f"2026-03-01T{begins:02}:{first + n:02}:00Z"}),
        }
        for n, content in enumerate(contents)
    ]
    path.write_text(json.dumps({**fields, "messages": messages}), encoding="utf-8")
    return path


def counted(palace: Palace) -> int:
    return sum(room.drawer_count for wing in palace.tree.wings() for room in palace.tree.rooms(wing))


@pytest.mark.parametrize(("begins", "fields"), [(None, {}), pytest.param(9, {"id": "talk"}, marks=pytest.mark.nightly)])
def test_a_part_from_the_middle_of_a_known_chat_is_not_filed_again(
    palace: Palace, tmp_path: Path, begins: int | None, fields: dict[str, Any]
) -> None:
    palace.mine(chat(tmp_path / "whole.json", TALK, begins=begins, **fields))
    part = chat(tmp_path / "part.json", TALK[8:14], begins=begins, first=8)
    assert palace.mine(part, dry_run=True).drawers_unchanged == 6
    summary = palace.mine(part)
    assert (summary.drawers_new, summary.drawers_unchanged) == (0, 6)
    assert (len(palace.tree.rooms(palace.tree.wings()[0])), counted(palace)) == (1, 24)


def test_an_undated_part_of_a_dated_chat_is_not_filed_again(palace: Palace, tmp_path: Path) -> None:
    palace.mine(chat(tmp_path / "whole.json", TALK, begins=9))
    assert palace.mine(chat(tmp_path / "part.json", TALK[8:14], first=8)).drawers_new == 0


def test_what_was_said_again_at_another_time_is_another_chat(palace: Palace, tmp_path: Path) -> None:
    palace.mine(chat(tmp_path / "whole.json", TALK, begins=9))
    other = chat(tmp_path / "other.json", TALK[8:14], begins=9, first=20)
    messages = json.loads(other.read_text())["messages"]
    for n, message in enumerate(messages):
        message["timestamp"] = f"2026-04-{n + 1:02}T10:00:00Z"
        message["role"] = ("user", "assistant")[n % 2]
    other.write_text(json.dumps(messages))
    assert palace.mine(other).drawers_new == 6


def test_a_dated_part_of_an_undated_chat_says_when_it_was_said_and_is_filed(palace: Palace, tmp_path: Path) -> None:
    palace.mine(chat(tmp_path / "whole.json", TALK))
    assert palace.mine(chat(tmp_path / "part.json", TALK[8:14], begins=9, first=8)).drawers_new == 6


@pytest.mark.nightly
@pytest.mark.parametrize(
    "said",
    [
        [*TALK[8:12], "And what becomes of the slipway behind the cranes?"],
        [*TALK[8:11], *TALK[12:15]],
        [TALK[8], TALK[10], TALK[9], TALK[11]],
        [TALK[8]],
        [TALK[8], TALK[9]],
    ],
    ids=["with more", "with a gap", "in another order", "one turn", "too little"],
)
def test_what_is_not_wholly_in_a_known_chat_is_filed_whole(palace: Palace, tmp_path: Path, said: list[str]) -> None:
    palace.mine(chat(tmp_path / "whole.json", TALK))
    assert palace.mine(chat(tmp_path / "other.json", said)).drawers_new == len(said)


@pytest.mark.nightly
def test_a_note_that_was_also_pasted_into_a_chat_is_a_note_of_its_own(palace: Palace, tmp_path: Path) -> None:
    note = " ".join(TALK[:8])
    palace.mine(chat(tmp_path / "whole.json", [*TALK[:4], note, *TALK[4:]]))
    (tmp_path / "note.md").write_text(note)
    assert palace.mine(tmp_path / "note.md", wing="Harbour").drawers_new == 1


def test_a_part_with_a_forgotten_message_does_not_bring_it_back(palace: Palace, tmp_path: Path) -> None:
    palace.mine(chat(tmp_path / "whole.json", TALK))
    palace.forget("W-001/R-01/D-011")
    summary = palace.mine(chat(tmp_path / "part.json", TALK[8:14], first=8))
    assert (summary.drawers_new, summary.drawers_unchanged, summary.drawers_forgotten) == (0, 5, 1)


def test_a_part_of_what_another_user_has_is_filed(palace: Palace, settings: Settings, tmp_path: Path) -> None:
    palace.mine(chat(tmp_path / "whole.json", TALK))
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as other:
        assert other.mine(chat(tmp_path / "part.json", TALK[8:14], first=8)).drawers_new == 6
