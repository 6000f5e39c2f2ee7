"""A whole session of each coding assistant, made by hand from what is public of its format, by another hand than its
reader's: ``whole`` holds no transcript of a real session."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from palace import Palace
from palace.records import Conversation, Role
from tests.readers.conftest import told
from tests.upgrades.make import drawers_of

WHOLE = Path(__file__).parent / "whole"
CODEX = sorted((WHOLE / "codex").rglob("rollout-*0aa01*"))
"""A session that went on in another file after it was compacted."""
SAID = {
    "codex": [
        (
            Role.USER,
            "2026-04-06T08:00:06",
            "The thermocouple reads 12 degrees too much above 1000. Where do we correct it?",
        ),
        (Role.ASSISTANT, "2026-04-06T08:00:10", "I look for the calibration first."),
        (
            Role.ASSISTANT,
            "2026-04-06T08:00:20",
            "In `calibrate` of src/probe.rs: it is one straight line, so above 1000 degrees it runs away.",
        ),
        (
            Role.USER,
            "2026-04-06T08:02:01",
            "Use the table of the maker then, type S. Let somebody check the numbers in parallel.",
        ),
        (
            Role.ASSISTANT,
            "2026-04-06T08:03:10",
            "`calibrate` takes the table of type S now, and all 42 values agree with the standard.",
        ),
        (Role.USER, "2026-04-06T14:00:03", "And the display, does it still round to five degrees?"),
        (Role.ASSISTANT, "2026-04-06T14:00:12", "Yes, in ui/gauge.rs, on purpose: the noise is two degrees."),
    ],
    "gemini": [
        (Role.USER, "2026-04-13T10:00:05", "Why does the kiln overshoot by 30 degrees when it is half empty?"),
        (Role.ASSISTANT, "2026-04-13T10:00:12", "I read the controller."),
        (
            Role.ASSISTANT,
            "2026-04-13T10:00:41",
            "The integral winds up while the element is at its limit: KI is 0.8 and nothing clamps it.",
        ),
        (
            Role.USER,
            "2026-04-13T10:05:00",
            "Clamp the integral at the limit, leave KI alone. Have the simulation agent try it.",
        ),
        (Role.ASSISTANT, "2026-04-13T10:06:40", "Clamped. In the simulation the overshoot is 3 degrees."),
    ],
    "cursor": [
        (Role.USER, "2026-04-16T14:12:00", "The gauge flickers when the relay switches. Why?"),
        (Role.ASSISTANT, "2026-04-16T14:12:00", "I look at how it is drawn."),
        (
            Role.ASSISTANT,
            "2026-04-16T14:12:00",
            "Each switch sends a full redraw; the needle jumps through zero.",
        ),
        (
            Role.USER,
            "2026-04-16T14:15:00",
            "Redraw the needle only. And have someone look for other full redraws.",
        ),
        (
            Role.ASSISTANT,
            "2026-04-16T14:15:00",
            "Only the needle is drawn now; there are two more full redraws, both at start.",
        ),
    ],
    "copilot": [
        (Role.USER, "2026-05-05T07:30:10", "Which relay do we use, and how many cycles does it last?"),
        (
            Role.ASSISTANT,
            "2026-05-05T07:30:20",
            "A solid state relay, SSR-40 DA. It has no contacts, so cycles do not wear it; heat does.",
        ),
        (
            Role.USER,
            "2026-05-05T07:31:00",
            "Then note in the parts list that the heat sink matters. Let the explore agent find its temperature first.",
        ),
        (Role.ASSISTANT, "2026-05-05T07:31:05", "I ask the explore agent."),
        (
            Role.ASSISTANT,
            "2026-05-05T07:31:50",
            "Noted: the heat sink reaches 61 degrees, keep it below 80.",
        ),
    ],
}
TOOLS = {"codex": 6, "gemini": 4, "cursor": 5, "copilot": 4}
SUBAGENTS = {"codex": 3, "gemini": 2, "cursor": 2, "copilot": 4}


@pytest.mark.parametrize("name", SAID)
def test_what_was_said_is_read_with_its_times(name: str) -> None:
    found, reading = told(WHOLE / name)
    turns = [turn for one in found for turn in one.turns if turn.role is not Role.TOOL and not turn.replaced_by]
    at = [(turn.said_at.astimezone(UTC).replace(tzinfo=None, microsecond=0)) for turn in turns if turn.said_at]
    read = [(turn.role, moment.isoformat(), turn.content) for turn, moment in zip(turns, at, strict=True)]
    assert read == SAID[name]
    assert (reading.failures, reading.notices) == ([], [])


@pytest.mark.parametrize("name", SAID)
def test_tools_are_read_and_what_others_put_in_is_not(name: str) -> None:
    found, reading = told(WHOLE / name)
    turns = [turn for one in found for turn in one.turns]
    assert sum(turn.role is Role.TOOL for turn in turns) == TOOLS[name]
    assert reading.left_out["work of subagents"] == SUBAGENTS[name]
    assert not [turn for turn in turns if "memory_context" in turn.content or "AGENTS.md" in turn.content]


@pytest.mark.parametrize("name", SAID)
def test_the_project_is_the_folder_it_was_said_in(name: str) -> None:
    found, _ = told(WHOLE / name)
    assert {one.project for one in found} == {"kiln"}


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


def test_in_a_paginated_history_the_persons_words_are_the_completed_items(
    read_lines: Callable[..., list[Conversation]],
) -> None:
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


def test_a_person_is_read_once_where_both_events_tell_of_it(read_lines: Callable[..., list[Conversation]]) -> None:
    item = {"type": "UserMessage", "id": "u", "content": [{"type": "text", "text": "Fix it"}]}
    payloads = [{"type": "user_message", "message": "Fix it"}, {"type": "item_completed", "turn_id": "t", "item": item}]
    [found] = read_lines(*({"type": "event_msg", "payload": payload} for payload in payloads))
    assert [turn.content for turn in found.turns] == ["Fix it"]
