"""What each coding agent sends is read, whatever it is."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.opened import OpenPalace
from palace_hook import notes
from tests.hooks.conftest import failures
from tests.hooks.parts import MOST_BYTES, HookContext, Unintelligible, answer_request, read_event

PROMPT = "Why did we drop Redis?"
SHARED = {"cwd": "/home/mara/api", "prompt": PROMPT, "hook_event_name": "UserPromptSubmit"}
SENT: dict[str, dict[str, Any]] = {
    "claude-code": {
        **SHARED,
        "session_id": "s-1",
        "transcript_path": "/home/mara/.claude/projects/-home-mara-api/s-1.jsonl",
        "permission_mode": "default",
    },
    "codex": {**SHARED, "session_id": "s-1", "turn_id": "t-1", "transcript_path": None, "model": "gpt-5"},
    "gemini": {
        **SHARED,
        "session_id": "s-1",
        "transcript_path": "/home/mara/.gemini/tmp/x/chats/session-1.json",
        "hook_event_name": "BeforeAgent",
        "timestamp": "2026-11-20T10:00:00.000Z",
    },
    "cursor": {
        "conversation_id": "s-1",
        "generation_id": "n-1",
        "hook_event_name": "beforeSubmitPrompt",
        "cursor_version": "3.9.1",
        "workspace_roots": ["/home/mara/api"],
        "transcript_path": None,
        "prompt": PROMPT,
    },
}
"""A prompt as each program sends it: by its reference, or by its schema."""
NAMES = sorted({name for sent in SENT.values() for name in sent} | {"source", "agent_id"})


def request(sent: object, harness: str | None = None) -> dict[str, Any]:
    """Make a request as the client does."""
    text = sent if isinstance(sent, str) else json.dumps(sent)
    return {"event": "", "harness": harness, "user": None, "folder": "/", "input": text, "environment": {}}


def test_who_sent_an_event_is_told_by_its_fields() -> None:
    for harness, sent in SENT.items():
        event = read_event(json.dumps(sent))
        assert (event.harness, event.moment) == (harness, "prompt")
        assert (event.session, event.folder, event.prompt) == ("s-1", "/home/mara/api", PROMPT)


def test_an_event_is_known_by_whatever_it_is_called_and_what_it_says_goes_before_the_command_line() -> None:
    names = {
        **dict.fromkeys(("SessionStart", "sessionStart", "session-start"), "session-start"),
        **dict.fromkeys(("PreCompress", "PreCompact"), "pre-compact"),
        **{"AfterAgent": "stop", "SessionEnd": "session-end"},
        **dict.fromkeys(("PreToolUse", "preToolUse", "BeforeTool", "before-tool"), "before-tool"),
        **dict.fromkeys(("PostToolUse", "postToolUseFailure", "AfterTool"), "after-tool"),
        **dict.fromkeys(("SubagentStop", "Zorp", ""), "other"),
    }
    assert {name: read_event("{}", event=name).moment for name in names} == names
    assert read_event(json.dumps(SENT["codex"]), event="stop").moment == "prompt"


def test_what_is_no_event_is_told_by_one_word() -> None:
    rows = [
        ("", "not_json"),
        ("hello", "not_json"),
        ("[1, 2]", "no_object"),
        ("null", "no_object"),
        ('{"a":', "not_json"),
        ("[" * 100_000, "not_json"),
        ('{"prompt": "' + "x" * MOST_BYTES + '"}', "too_large"),
    ]
    for sent, code in rows:
        with pytest.raises(Unintelligible, match=f"^{code}$"):
            read_event(sent)
    with pytest.raises(Unintelligible, match="unknown_harness"):
        read_event("{}", harness="zorp")


def test_fields_of_any_shape_are_read_or_count_as_missing() -> None:
    shapes: tuple[Any, ...] = (None, 7, True, [], {}, ["x"], "\0", "x" * 100_000, "\ud800")
    for odd in shapes:
        event = read_event(json.dumps(dict.fromkeys(NAMES, odd)))
        assert "\0" not in event.folder + event.transcript
        assert (len(event.session) <= 200, len(event.folder) <= 4096) == (True, True)
        event.prompt.encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(st.dictionaries(st.sampled_from(NAMES), JSON), st.text())
def test_any_object_and_any_text_is_an_event_or_none(fields: dict[str, Any], text: str) -> None:
    read_event(json.dumps(fields))
    with suppress(Unintelligible):
        read_event(text)


def test_client_and_palace_write_down_alike_where_a_session_began(tmp_path: Path) -> None:
    def away(user: str) -> OpenPalace:
        raise AssertionError(user)

    one, other = tmp_path / "one", tmp_path / "other"
    for home in (one, other):
        home.mkdir()
    for session in ("s-1", "A", "../x", "x" * 65, "x" * 500, "ü", "\ud83d"):
        for folder, source in (("/a", "startup"), ("/b", "resume"), ("/b", "startup"), ("/c", "clear")):
            sent = {"session_id": session, "hook_event_name": "SessionStart", "cwd": folder, "source": source}
            notes.write_down(str(one), request(sent))
            answer_request(HookContext(other, "mara", away), request(sent))
    found = [
        {path.name: (path.read_bytes(), path.stat().st_mode & 0o777) for path in (home / "hooks" / "began").iterdir()}
        for home in (one, other)
    ]
    assert found[0] == found[1]
    assert len(found[0]) == 7
    assert {mode for _, mode in found[0].values()} == {0o600}
    notes.note_failure(str(one), "pro\nmpt \x1b[31m", None, "secret: hunter2 " * 100, "client")
    assert [[word.isprintable() and len(word) <= 60 for word in each] for each in failures(one)] == [[True] * 4]
