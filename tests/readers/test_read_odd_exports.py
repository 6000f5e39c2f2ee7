"""Exports with values of the wrong kind anywhere: conversations or one clear line, never another error."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palace.errors import UnreadableSource
from palace.mining.readers.reading import Reading
from palace.records import Conversation
from tests.readers.conftest import told

WORDS = (
    *("type", "text", "content", "parts", "content_type", "metadata", "attachments", "name", "id", "asset_pointer"),
    *("content_references", "matched_text", "items", "alt", "user_context_message_data", "about_user_message"),
    *(
        "elements",
        "style",
        "indent",
        "offset",
        "fields",
        "title",
        "value",
        "files",
        "rows",
        "message_blocks",
        "message",
    ),
    *("blocks", "reactions", "count", "users", "url", "user_id", "input", "command", "new_str", "functionCall", "args"),
    *("audio", "transcript", "source", "data", "tool_calls", "function", "arguments", "output", "call_id", "role"),
    *("thread_ts", "ts", "subtype", "previous_message", "profile", "user_profile", "toolCall", "prompt", "refusal"),
)
NAMES = st.sampled_from(
    [
        *("text", "rich_text", "rich_text_list", "rich_text_section", "table", "section", "image", "document", "file"),
        *("tool_use", "tool_result", "artifacts", "message_changed", "queued_command", "local_command", "ordered"),
        *("image_asset_pointer", "audio_transcription", "user_editable_context", "model_editable_context", "thoughts"),
        *("function_call", "function_call_output", "reasoning", "user", "assistant", "1. [2024-05-01]. x"),
    ]
)
plain = st.none() | st.booleans() | st.integers(-3, 99) | st.floats(allow_nan=False) | st.text(max_size=4) | NAMES
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=20,
)
objects = st.dictionaries(st.sampled_from(WORDS), values, max_size=6)


def chatgpt(odd: dict[str, Any]) -> object:
    message = {"author": {"role": "assistant"}, "content": {"parts": ["x"], **odd}, "metadata": odd, **odd}
    node = {"id": "a", "parent": None, "message": message}
    return [{"mapping": {"a": node, "b": {"message": {**odd, "author": {"role": "user"}, "content": odd}}}, **odd}]


def claude(odd: dict[str, Any]) -> object:
    message = {
        "sender": "human",
        "content": [odd, {"type": "tool_use", "name": "artifacts", "input": odd}],
        "files": [odd],
    }
    return [{"chat_messages": [message, {**message, "attachments": [odd], **odd}], "project": odd}]


def projects(odd: dict[str, Any]) -> object:
    memories = {"conversations_memory": odd.get("text"), "project_memories": {"p": odd}, "memory_files": [odd, 3]}
    return [{"uuid": "p", "name": "P", "docs": [odd, *odd.values()]}, memories]


def design(odd: dict[str, Any]) -> object:
    content = {"role": "user", "content": odd.get("text"), "contentBlocks": [odd], "attachments": [odd], **odd}
    return {"uuid": "d", "messages": [{"role": "user", "content": content}, {"content": odd, **odd}]}


def claude_code(odd: dict[str, Any]) -> object:
    line = {"type": "user", "sessionId": "s", "message": {"content": "x"}}
    return [line, {**line, "message": {"content": [odd]}}, {**line, "type": "attachment", "attachment": odd}]


def messages(odd: dict[str, Any]) -> object:
    return [
        {"messages": [{"role": "user", "content": "x"}, odd, {"role": "assistant", "content": [odd], **odd}], **odd}
    ]


def items(odd: dict[str, Any]) -> object:
    return {"object": "response", "output": [{"type": "web_search_call"}, odd, {**odd, "type": "mcp_call"}]}


def slack(odd: dict[str, Any]) -> object:
    message = {"type": "message", "user": "U1", "text": "", "ts": "1767607200.1", "blocks": [odd], "attachments": [odd]}
    changed = {"subtype": "message_changed", "ts": "1767607201.1", "message": odd, "previous_message": message}
    return [message, {**message, "files": [odd], "reactions": [odd]}, changed, {**message, **odd}]


SHAPES = (chatgpt, claude, projects, design, claude_code, messages, items, slack)


@pytest.mark.parametrize("shape", SHAPES)
@settings(deadline=None, max_examples=150)
@given(odd=objects)
def test_whatever_stands_in_an_export_reading_ends_in_conversations_or_clear_lines(
    shape: Callable[[dict[str, Any]], object], odd: dict[str, Any]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tree")
        target = path / "boats" / "2026-01-05.json" if shape is slack else path / "chat.json"
        target.parent.mkdir(parents=True)
        target.write_text(json.dumps(shape(odd)), encoding="utf-8")
        if shape is slack:
            (path / "channels.json").write_text(json.dumps([{"id": "C1", "name": "boats", "members": [odd]}]))
            (path / "users.json").write_text(json.dumps([odd, {"id": "U1", "profile": odd}]))
        found, reading = told_or_refused(path)
        assert all(conversation.turns for conversation in found)
        assert not any("\n" in str(problem) for problem in reading.failures)
        assert all(kind and count > 0 for kind, count in reading.left_out.items())


def told_or_refused(path: Path) -> tuple[list[Conversation], Reading]:
    """Read what a path offers; an error that ends the reading is taken for a failure."""
    try:
        return told(path)
    except UnreadableSource as problem:
        return [], Reading(path.name, failures=[problem])
