"""What holds of the transcripts of coding assistants whatever stands in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palace.errors import UnreadableSource
from palace.mining.readers.assistants.injected import Tags
from palace.records import Conversation, Role

Read = Callable[..., list[Conversation]]
ANY = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
BLOCK = "<memory_context>\n§ W-001/R-01/D-001 | user, 2026-01-02\n  Derek likes tabs\n</memory_context>\n\n"
AT = "2026-01-02T03:04:05Z"

values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=8) | st.sampled_from(["user", "message", "text"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def codex(kind: Any, payload: Any) -> dict[str, Any]:
    return {"timestamp": AT, "type": kind, "payload": payload}


KEYS = {
    "codex": [
        *("type", "role", "content", "message", "turn_id", "num_turns"),
        *("call_id", "output", "arguments", "images", "kind", "item"),
    ],
    "gemini": ["id", "type", "content", "toolCalls", "$rewindTo", "$set", "messages", "thoughts", "displayContent"],
    "cursor": ["role", "message", "content"],
    "copilot": ["content", "toolRequests", "toolCallId", "result", "attachments", "source", "context", "toolName"],
    "claude": ["message", "attachment", "content", "origin", "isMeta", "uuid", "sessionId"],
}
KINDS = [
    "message",
    "function_call",
    "function_call_output",
    "user_message",
    "thread_rolled_back",
    "reasoning",
    "user",
    "x",
]


def objects(names: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(names), values | st.sampled_from(KINDS), max_size=6)


def lines_of(program: str, said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give a transcript with a first line that is as it should be, and others of which only the frame is."""
    match program:
        case "codex":
            kinds = ["response_item", "event_msg", "turn_context", "compacted"]
            rest = [codex(kinds[n % 4], each) for n, each in enumerate(said)]
            return [codex("session_meta", {"id": "s", "cwd": "/w/efoil"}), *rest]
        case "gemini":
            return [{"sessionId": "g", "projectHash": "h"}, *said]
        case "cursor":
            return [{"role": "user", "message": {"content": "x"}}, *said]
        case "copilot":
            kinds = [
                "user.message",
                "assistant.message",
                "tool.execution_start",
                "tool.execution_complete",
                "session.start",
            ]
            rest = [{"type": kinds[n % 5], "id": str(n), "data": each} for n, each in enumerate(said)]
            return [{"type": "session.start", "data": {"sessionId": "s"}}, *rest]
        case _:
            rest = [{"type": ("user", "assistant", "attachment")[n % 3], **each} for n, each in enumerate(said)]
            return [{"type": "user", "sessionId": "s", "message": {"content": "x"}}, *rest]


@pytest.mark.parametrize("program", KEYS)
@ANY
@given(data=st.data())
def test_whatever_a_line_holds_the_others_are_read(program: str, data: st.DataObject, read_lines: Read) -> None:
    said = data.draw(st.lists(objects(KEYS[program]), max_size=6))
    try:
        found = read_lines(*lines_of(program, said))
    except UnreadableSource as problem:
        pytest.fail(f"a line that is odd refuses the file: {problem}")
    assert len({turn.source_id for each in found for turn in each.turns if turn.source_id}) == sum(
        turn.source_id is not None for each in found for turn in each.turns
    )


words = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="<>#[]"), min_size=1, max_size=20
)
talks = st.lists(st.tuples(st.sampled_from([Role.USER, Role.ASSISTANT]), words), min_size=1, max_size=8)


@ANY
@given(talk=talks)
def test_codex_gives_back_what_was_said_and_nothing_that_was_put_around_it(
    talk: list[tuple[Role, str]], read_lines: Read
) -> None:
    lines = [codex("session_meta", {"id": "s", "cwd": "/w/efoil"})]
    for number, (role, text) in enumerate(talk):
        kind = "output_text" if role is Role.ASSISTANT else "input_text"
        lines.append(codex("turn_context", {"turn_id": f"t{number}"}))
        environment = {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "<environment_context>\n</environment_context>"}],
        }
        lines.append(codex("response_item", environment))
        lines.append(
            codex(
                "response_item",
                {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": BLOCK}]},
            )
        )
        lines.append(
            codex("response_item", {"type": "message", "role": str(role), "content": [{"type": kind, "text": text}]})
        )
        event = "user_message" if role is Role.USER else "agent_message"
        lines.append(codex("event_msg", {"type": event, "message": text}))
    with_events = read_lines(*lines)
    alone = read_lines(*(line for line in lines if line["type"] != "event_msg"))
    for found in (with_events, alone):
        assert [(turn.role, turn.content) for turn in found[0].turns] == talk


@ANY
@given(talk=talks)
def test_claude_code_gives_back_what_was_said_without_reminders(talk: list[tuple[Role, str]], read_lines: Read) -> None:
    reminder = "<system-reminder>\nThe date has changed.\n</system-reminder>"
    lines = [
        {
            "type": str(role),
            "uuid": str(number),
            "sessionId": "s",
            "timestamp": AT,
            "message": {"content": f"{BLOCK}{text}\n{reminder}" if role is Role.USER else text},
        }
        for number, (role, text) in enumerate(talk)
    ]
    [found] = read_lines(*lines)
    assert [(turn.role, turn.content) for turn in found.turns] == talk


tags = Tags("note", "long-note")
plain = st.text(st.sampled_from("ab \n<>/note-"), max_size=30)


@given(plain, st.lists(st.sampled_from(["<note>x</note>", "<long-note a='1'>\ny\n</long-note>"]), max_size=3))
def test_blocks_are_taken_off_both_ends_and_nothing_else(text: str, blocks: list[str]) -> None:
    said = tags.part(text).said
    around = tags.part("\n".join([*blocks, text, *blocks]))
    assert around.said == (said if not blocks else said.strip())
    assert around.blocks == tags.part(text).blocks + 2 * len(blocks)


def test_a_block_that_does_not_end_stays() -> None:
    text = "<note>what is this? it ends nowhere"
    assert tags.part(text) == (text, 0)
    assert tags.part("ends nowhere</note>") == ("ends nowhere</note>", 0)


def test_a_million_blocks_take_a_moment() -> None:
    assert tags.part("<note>x</note>" * 200_000 + "said" + "<note>" * 200_000).said.startswith("said")
