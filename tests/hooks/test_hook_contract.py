"""What each coding agent sends is read, whatever it is, and answered in the shape that it takes."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palace.hooks.contract.events import ANSWERS, Harness, HookEvent, Moment
from palace.hooks.contract.reading import MOST_BYTES, Unintelligible, read
from palace.hooks.contract.writing import write

CLAUDE = {
    "session_id": "s-1",
    "transcript_path": "/home/mara/.claude/projects/-home-mara-api/s-1.jsonl",
    "cwd": "/home/mara/api",
    "permission_mode": "default",
    "hook_event_name": "UserPromptSubmit",
    "prompt": "Why did we drop Redis?",
}
CODEX = {
    "session_id": "0199",
    "turn_id": "t-1",
    "transcript_path": None,
    "cwd": "/home/mara/api",
    "hook_event_name": "UserPromptSubmit",
    "model": "gpt-5",
    "permission_mode": "default",
    "prompt": "Why did we drop Redis?",
}
GEMINI = {
    "session_id": "g-1",
    "transcript_path": "/home/mara/.gemini/tmp/x/chats/session-1.json",
    "cwd": "/home/mara/api",
    "hook_event_name": "BeforeAgent",
    "timestamp": "2026-11-20T10:00:00.000Z",
    "prompt": "Why did we drop Redis?",
}
CURSOR = {
    "conversation_id": "c-1",
    "generation_id": "n-1",
    "hook_event_name": "beforeSubmitPrompt",
    "cursor_version": "3.9.1",
    "workspace_roots": ["/home/mara/api"],
    "transcript_path": None,
    "prompt": "Why did we drop Redis?",
}
SENT: dict[Harness, dict[str, Any]] = {
    Harness.CLAUDE_CODE: CLAUDE,
    Harness.CODEX: CODEX,
    Harness.GEMINI: GEMINI,
    Harness.CURSOR: CURSOR,
}
"""A prompt as each program sends it: by its reference, or by its schema."""
UNKNOWN_KEYS_FAIL = {"hookSpecificOutput"}


@pytest.mark.parametrize("harness", list(Harness))
def test_who_sent_an_event_is_told_by_its_fields(harness: Harness) -> None:
    event = read(json.dumps(SENT[harness]))
    assert (event.harness, event.moment) == (harness, Moment.PROMPT)
    assert (event.folder, event.prompt) == ("/home/mara/api", "Why did we drop Redis?")
    assert event.session in {"s-1", "0199", "g-1", "c-1"}


@pytest.mark.parametrize("harness", list(Harness))
def test_a_block_is_written_as_the_program_takes_it(harness: Harness) -> None:
    event = read(json.dumps(SENT[harness]))
    told = json.loads(write(event, "<memory_context>\n…\n</memory_context>"))
    if harness is Harness.CURSOR:
        assert told == {"continue": True, "additional_context": "<memory_context>\n…\n</memory_context>"}
        return
    assert told.keys() == UNKNOWN_KEYS_FAIL
    inner = told["hookSpecificOutput"]
    assert inner.keys() == {"hookEventName", "additionalContext"}
    assert inner["hookEventName"] == SENT[harness]["hook_event_name"]


@pytest.mark.parametrize("harness", list(Harness))
def test_where_there_is_nothing_not_a_byte_is_written(harness: Harness) -> None:
    assert write(read(json.dumps(SENT[harness])), "") == ""


@pytest.mark.parametrize("harness", list(Harness))
def test_only_a_beginning_and_a_prompt_are_answered(harness: Harness) -> None:
    # At a stop an additional context makes a turn go on, and Codex fails for it.
    for moment in Moment:
        answered = write(HookEvent(harness, moment), "block")
        assert bool(answered) == (moment in ANSWERS)


def test_cursor_takes_a_beginning_without_more() -> None:
    event = read(json.dumps({**CURSOR, "hook_event_name": "sessionStart"}))
    assert json.loads(write(event, "block")) == {"additional_context": "block"}


@pytest.mark.parametrize(
    ("name", "moment"),
    [
        ("SessionStart", Moment.START),
        ("sessionStart", Moment.START),
        ("session-start", Moment.START),
        ("PreCompress", Moment.COMPACT),
        ("AfterAgent", Moment.STOP),
        ("SessionEnd", Moment.END),
        ("PostToolUse", Moment.OTHER),
        ("SubagentStop", Moment.OTHER),
        ("Zorp", Moment.OTHER),
        ("", Moment.OTHER),
    ],
)
def test_an_event_is_known_by_whatever_it_is_called(name: str, moment: Moment) -> None:
    assert read("{}", event=name).moment is moment


def test_what_the_event_calls_itself_goes_before_the_command_line() -> None:
    assert read(json.dumps(CLAUDE), event="stop").moment is Moment.PROMPT


def test_a_session_that_was_emptied_has_forgotten_what_was_injected() -> None:
    for source, forgets in (("startup", False), ("resume", False), ("clear", True), ("compact", True)):
        event = read(json.dumps({"hook_event_name": "SessionStart", "source": source}))
        assert event.forgets is forgets


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("", "not_json"),
        ("hello", "not_json"),
        ("[1, 2]", "no_object"),
        ("null", "no_object"),
        ('{"a":', "not_json"),
        ("[" * 100_000, "not_json"),
        ('{"prompt": "' + "x" * MOST_BYTES + '"}', "too_large"),
    ],
)
def test_what_is_no_event_is_told_by_one_word(sent: str, code: str) -> None:
    with pytest.raises(Unintelligible, match=f"^{code}$"):
        read(sent)


def test_an_unknown_program_is_refused() -> None:
    with pytest.raises(Unintelligible, match="unknown_harness"):
        read("{}", harness="zorp")


@pytest.mark.parametrize("odd", [None, 7, True, [], {}, ["x"], "\0", "x" * 100_000, "\ud800"])
def test_fields_of_any_shape_are_read_or_count_as_missing(odd: Any) -> None:
    event = read(json.dumps(dict.fromkeys((*CLAUDE, *CURSOR), odd)))
    assert "\0" not in event.folder + event.transcript
    assert len(event.session) <= 200
    assert len(event.folder) <= 4096
    event.prompt.encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from([*CLAUDE, *CURSOR, "source", "agent_id"]), JSON), st.text(max_size=20))
def test_any_object_is_read_and_answered_in_ascii(fields: dict[str, Any], block: str) -> None:
    event = read(json.dumps(fields))
    assert write(event, block).isascii()


@settings(deadline=None)
@given(st.text())
def test_any_text_is_an_event_or_none(text: str) -> None:
    with suppress(Unintelligible):
        assert isinstance(read(text), HookEvent)
