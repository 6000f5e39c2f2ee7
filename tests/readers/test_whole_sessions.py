"""A whole session of each coding assistant, made by hand from what is public of its format, by another hand than its
reader's: ``whole`` holds no transcript of a real session.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from palace import Palace, Role
from tests.readers.front import Read, told
from tests.upgrades.make import drawers_of

WHOLE = Path(__file__).parent / "whole"
CODEX = sorted((WHOLE / "codex").rglob("rollout-*0aa01*"))
"""A session that went on in another file after it was compacted."""
SAID: dict[str, list[list[str]]] = json.loads((WHOLE / "said.json").read_text(encoding="utf-8"))
TOOLS = {"codex": 8, "gemini": 6, "cursor": 7, "copilot": 5}
SUBAGENTS: dict[str, int] = {}


@pytest.mark.parametrize("name", SAID)
def test_what_was_said_is_read_with_its_times_and_tools_and_nothing_that_others_put_in(name: str) -> None:
    found, reading = told(WHOLE / name)
    turns = [turn for one in found for turn in one.turns if turn.role is not Role.TOOL and not turn.replaced_by]
    at = [(turn.said_at.astimezone(UTC).replace(tzinfo=None, microsecond=0)) for turn in turns if turn.said_at]
    read = [[turn.role.value, moment.isoformat(), turn.content] for turn, moment in zip(turns, at, strict=True)]
    assert read == SAID[name]
    assert (reading.failures, reading.notices) == ([], [])
    assert {one.project for one in found} == {"kiln"}
    turns = [turn for one in found for turn in one.turns]
    assert sum(turn.role is Role.TOOL for turn in turns) == TOOLS[name]
    assert reading.left_out["work of subagents"] == SUBAGENTS.get(name, 0)
    assert not [turn for turn in turns if "memory_context" in turn.content or "AGENTS.md" in turn.content]


@pytest.mark.parametrize("name", SAID)
def test_a_session_mined_twice_is_filed_once(name: str, palace: Palace) -> None:
    palace.mine(WHOLE / name)
    assert palace.mine(WHOLE / name).drawers_new == 0
    said = [drawer.content for drawer in drawers_of(palace) if drawer.role is not Role.TOOL and not drawer.replaced_at]
    assert Counter(said) == Counter(text for _, _, text in SAID[name])


@pytest.mark.parametrize("order", [CODEX, CODEX[::-1]], ids=["first file first", "first file last"])
def test_a_codex_session_in_two_files_stands_whole(order: list[Path], palace: Palace) -> None:
    for path in (*order, *order):
        palace.mine(path)
    standing = [drawer for drawer in drawers_of(palace) if not drawer.replaced_at]
    assert len(standing) == len(SAID["codex"]) + TOOLS["codex"]


def test_in_a_paginated_history_the_persons_words_are_the_completed_items(read_lines: Read) -> None:
    content = [{"type": "text", "text": "Fix it"}, {"type": "local_image", "path": "/tmp/kiln.png"}]
    item = {"type": "UserMessage", "id": "u", "content": content}
    unknown = {"role": "user", "content": [{"type": "input_text", "text": "<new_kind>\nput in\n</new_kind>"}]}
    lines = [json.loads(line) for line in CODEX[0].read_text(encoding="utf-8").splitlines()[:1]]
    for number, (kind, payload) in enumerate(
        [
            ("response_item", {"type": "message", **unknown}),
            ("event_msg", {"type": "item_completed", "turn_id": "t", "item": item}),
            ("event_msg", {"type": "item_completed", "turn_id": "t", "item": {"type": "Reasoning", "id": "r"}}),
        ]
    ):
        at = datetime(2026, 4, 6, 8, 1, number, tzinfo=UTC).isoformat()
        lines.append({"timestamp": at, "ordinal": number + 1, "type": kind, "payload": payload})
    [found] = read_lines(*lines)
    assert [(turn.role, turn.content) for turn in found.turns] == [(Role.USER, "Fix it\n[image kiln.png]")]


def test_a_person_is_read_once_where_both_events_tell_of_it(read_lines: Read) -> None:
    item = {"type": "UserMessage", "id": "u", "content": [{"type": "text", "text": "Fix it"}]}
    payloads = [{"type": "user_message", "message": "Fix it"}, {"type": "item_completed", "turn_id": "t", "item": item}]
    [found] = read_lines(*({"type": "event_msg", "payload": payload} for payload in payloads))
    assert [turn.content for turn in found.turns] == ["Fix it"]
