"""OpenAI-style messages, JSON and JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palace.errors import UnreadableSource
from palace.mining.readers.discovery.paths import list_sources
from palace.mining.readers.reading import Reading
from palace.mining.readers.registry import read_conversations
from palace.records import Conversation, Role

Read = Callable[..., list[Conversation]]
ReadTold = Callable[..., tuple[list[Conversation], Reading]]

PAIR = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]


def contents(conversation: Conversation) -> list[tuple[Role, str]]:
    return [(turn.role, turn.content) for turn in conversation.turns]


def test_a_bare_list_of_messages_is_one_conversation(read: Read) -> None:
    [conversation] = read(PAIR)
    assert conversation.reader == "openai"
    assert contents(conversation) == [(Role.USER, "Hi"), (Role.ASSISTANT, "Hello!")]
    assert conversation.source_id is None
    assert conversation.warnings == ()


def test_an_object_with_messages_brings_its_title_id_project_and_times(read: Read) -> None:
    messages = [
        {"role": "user", "content": "a", "timestamp": "2024-05-01T10:00:00+02:00", "id": "m1"},
        {"role": "assistant", "content": "b", "created_at": 1714550401, "id": "m2"},
        {"role": "user", "content": "c", "created": 1714550402500, "id": "m3"},
    ]
    about = {"id": "c1", "title": "Batteries", "project": "Efoil", "created_at": "2024-05-01T08:00:00Z"}
    [conversation] = read({"messages": messages, **about})
    assert (conversation.source_id, conversation.title, conversation.project) == ("c1", "Batteries", "Efoil")
    assert conversation.started_at == datetime(2024, 5, 1, 8, tzinfo=UTC)
    assert [turn.source_id for turn in conversation.turns] == ["m1", "m2", "m3"]
    assert [turn.said_at for turn in conversation.turns] == [
        datetime(2024, 5, 1, 8, tzinfo=UTC),
        datetime(2024, 5, 1, 8, 0, 1, tzinfo=UTC),
        datetime(2024, 5, 1, 8, 0, 2, 500000, tzinfo=UTC),
    ]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_list_of_conversations_is_read_one_by_one(read: Read, indent: int | None) -> None:
    text = json.dumps([{"id": 1, "messages": PAIR}, {"id": 2, "messages": PAIR}], indent=indent)
    assert [(c.source_id, c.place) for c in read(text)] == [("1", "conversation 1"), ("2", "conversation 2")]


def test_json_lines_of_messages_are_one_conversation(read_lines: Read) -> None:
    [conversation] = read_lines(*PAIR)
    assert len(conversation.turns) == 2


def test_json_lines_of_messages_are_told_apart_by_the_session_they_name(read_lines: Read) -> None:
    messages = [{**message, "session_id": key} for key in ("s1", "s2", "s1") for message in PAIR]
    first, second = read_lines(*messages)
    assert (first.source_id, len(first.turns), second.source_id, len(second.turns)) == ("s1", 4, "s2", 2)


def test_json_lines_of_conversations_are_told_apart_by_line(read_lines: Read) -> None:
    found = read_lines({"messages": PAIR}, {"messages": PAIR})
    assert [conversation.place for conversation in found] == ["line 1", "line 2"]


def test_the_last_line_needs_no_line_break(read_lines: Read) -> None:
    assert len(read_lines(*PAIR, end="")[0].turns) == 2


def test_parts_become_one_text_with_placeholders_for_media(read: Read) -> None:
    parts = [
        {"type": "text", "text": "Look:"},
        {"type": "image_url", "image_url": {"url": "data:…"}},
        {"type": "input_text", "text": "what is it?"},
        {"type": "file", "filename": "plan.pdf"},
    ]
    [conversation] = read([{"role": "user", "content": parts}])
    assert contents(conversation) == [(Role.USER, "Look:\n[image]\nwhat is it?\n[file plan.pdf]")]


def test_hidden_reasoning_is_left_out(read: Read) -> None:
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "output_text", "text": "Yes."}]
    [conversation] = read([{"role": "assistant", "content": parts}])
    assert contents(conversation) == [(Role.ASSISTANT, "Yes.")]


def test_tool_calls_and_their_results_are_turns_of_the_tool(read: Read) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}
    messages = [
        {"role": "user", "content": "Weather?", "id": "m1"},
        {"role": "assistant", "content": None, "tool_calls": [call], "id": "m2"},
        {"role": "tool", "tool_call_id": "call_1", "content": "rain", "id": "m3"},
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}, "id": "m4"},
    ]
    [conversation] = read(messages)
    assert contents(conversation)[1:] == [
        (Role.TOOL, 'weather {"city": "Oslo"}'),
        (Role.TOOL, "rain"),
        (Role.TOOL, "f {}"),
    ]
    ids = [turn.source_id for turn in conversation.turns]
    assert ids == ["m1", "m2:call-0", "m3", "m4:call-0"]


def test_tool_blocks_inside_messages_are_turns_of_the_tool(read: Read) -> None:
    use = {"type": "tool_use", "id": "t", "name": "read_file", "input": {"path": "ä.py"}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "x = 1"}]}
    messages = [
        {"role": "assistant", "content": [{"type": "text", "text": "Reading."}, use], "id": "a"},
        {"role": "user", "content": [result], "id": "b"},
    ]
    [conversation] = read(messages)
    assert [(turn.role, turn.content, turn.source_id) for turn in conversation.turns] == [
        (Role.ASSISTANT, "Reading.", "a"),
        (Role.TOOL, 'read_file {"path": "ä.py"}', "a:1"),
        (Role.TOOL, "x = 1", "b:0"),
    ]


def test_a_developer_message_is_a_system_message_and_a_name_is_the_speaker(read: Read) -> None:
    messages = [{"role": "developer", "content": "Be brief."}, {"role": "user", "name": "Derek", "content": "Hi"}]
    [conversation] = read(messages)
    assert [(turn.role, turn.speaker) for turn in conversation.turns] == [(Role.SYSTEM, None), (Role.USER, "Derek")]


def test_an_empty_message_is_left_out_and_white_space_is_kept(read: Read) -> None:
    messages = [{"role": "user", "content": text} for text in ("", " \n ", None)]
    [conversation] = read(messages)
    assert contents(conversation) == [(Role.USER, " \n ")]


def test_a_conversation_in_which_nothing_is_said_is_not_given(read: Read) -> None:
    assert read({"messages": [{"role": "user", "content": ""}]}) == []


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"content": "x"}, "the message has no role"),
        ({"role": "critic", "content": "x"}, "the message has an unknown role ('critic')"),
        ({"role": "user"}, "the message has no content"),
        ({"role": "user", "content": 3}, "content is neither text nor a list of parts"),
        ({"role": "user", "content": [3]}, "part 1 of the content is neither text nor an object"),
        ("x", "the message is not an object"),
    ],
)
def test_an_odd_message_is_missing_alone(read_told: ReadTold, message: Any, reason: str) -> None:
    found, reading = read_told([{"messages": PAIR}, {"title": "Odd", "messages": [PAIR[0], message, PAIR[1]]}])
    assert [(len(conversation.turns), conversation.is_partial) for conversation in found] == [(2, False), (2, True)]
    assert [(problem.place, problem.reason) for problem in reading.failures] == [
        ('conversation 2 ("Odd"), message 2', reason)
    ]
    assert reading.left_out == {"messages that could not be read": 1}


def test_of_many_odd_messages_the_first_are_named_and_all_are_counted(read_told: ReadTold) -> None:
    _, reading = read_told([PAIR[0], *({"role": None, "content": "x"} for _ in range(500)), PAIR[1]])
    assert reading.left_out == {"messages that could not be read": 500}
    assert len(reading.failures) == 21
    assert reading.failures[-1].reason == "there are more messages that could not be read: only the first 20 are named"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"text": "plain"}, "plain"),
        ({"type": "text", "text": {"value": "of a thread"}}, "of a thread"),
        ({"parts": ["a", {"text": "b"}]}, "a\nb"),
        ({"type": "image_url", "image_url": {"url": "x"}}, "[image]"),
    ],
)
def test_a_part_that_stands_alone_is_read_as_a_list_of_one(read_told: ReadTold, content: object, says: str) -> None:
    [found], reading = read_told([{"role": "user", "content": content}])
    assert contents(found) == [(Role.USER, says)]
    assert reading.failures == []


def test_a_list_whose_first_messages_are_odd_is_read_all_the_same(read_told: ReadTold) -> None:
    [found], reading = read_told({"messages": [{"role": None, "content": "x"}] * 4 + PAIR})
    assert len(found.turns) == 2
    assert reading.left_out == {"messages that could not be read": 4}


def test_conversations_before_a_fault_of_the_json_are_given_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text('[{"messages": [{"role": "user", "content": "a"}]}, {"messages": [{"con')
    stream = read_conversations(list_sources(path)[0])
    assert next(stream).turns[0].content == "a"
    with pytest.raises(UnreadableSource, match="item 2, line 1, column"):
        next(stream)


def test_an_odd_message_of_a_session_is_missing_alone(read_told: ReadTold) -> None:
    lines = [{**message, "session_id": key} for key in ("s1", "s2") for message in PAIR]
    lines.insert(3, {"role": "critic", "content": "no", "session_id": "s2"})
    found, reading = read_told("\n".join(map(json.dumps, lines)), "chat.jsonl")
    assert [(each.source_id, len(each.turns), each.is_partial) for each in found] == [("s1", 2, False), ("s2", 2, True)]
    assert [problem.place for problem in reading.failures] == ["line 4"]


def test_a_broken_line_among_conversations_fails_alone(read_told: ReadTold) -> None:
    good = json.dumps({"messages": PAIR})
    found, reading = read_told(f'{good}\n{{"messages": oops}}\n{good}\n{good[:-9]}', "chat.jsonl")
    assert [conversation.place for conversation in found] == ["line 1", "line 3"]
    assert [problem.place for problem in reading.failures] == ["line 2, column 14", "line 4"]


@pytest.mark.parametrize("bad", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "broken", ['{"role": oops}', '{"role": "user", "content": "cut', '{"role": "user",', "\x00\x01"]
)
def test_a_broken_line_is_missing_alone_wherever_it_stands(read_told: ReadTold, bad: int, broken: str) -> None:
    lines = [json.dumps({"role": "user", "content": text}) for text in "abc"]
    lines.insert(bad, broken)
    if not bad and broken == "\x00\x01":
        return  # no JSON at all, to whoever looks at the beginning
    [found], reading = read_told("\n".join([*lines, ""]), "chat.jsonl")
    assert [turn.content for turn in found.turns] == ["a", "b", "c"]
    assert found.is_partial
    assert reading.left_out == {"lines that could not be read": 1}
    [problem] = reading.failures
    assert problem.place.startswith(f"line {bad + 1}, column ")


def test_a_last_line_that_breaks_off_costs_nothing_but_itself(read_told: ReadTold) -> None:
    whole = "".join(json.dumps({"role": "user", "content": text}) + "\n" for text in "ab")
    cut = json.dumps({"role": "user", "content": "ünfinished"}, ensure_ascii=False).encode()
    for length in range(1, len(cut)):
        [found], reading = read_told(whole.encode() + cut[:length], "chat.jsonl")
        assert [turn.content for turn in found.turns] == ["a", "b"]
        assert [(problem.place, problem.reason) for problem in reading.failures] == [("line 3", "the line is cut off")]


def test_lines_of_which_none_can_be_read_are_refused(read: Read) -> None:
    with pytest.raises(UnreadableSource, match=r"chat.jsonl, line 1, column 10 \(byte 9\): the JSON is not valid"):
        read('{"role": oops}\n' * 3, "chat.jsonl")


def test_a_broken_document_is_not_taken_for_lines(read: Read) -> None:
    with pytest.raises(UnreadableSource, match=r"line 3, column 9 \(byte \d+\): the JSON is not valid"):
        read('{"messages": [\n{"role": "user", "content": "x"}\n], "x": oops}\n', "chat.json")


def test_a_repeated_message_id_gives_no_turn_twice_and_another_text_an_id_of_its_own(read: Read) -> None:
    messages = [{"role": "user", "content": text, "id": "m"} for text in ("a", "a", "b")]
    [conversation] = read(messages)
    assert [(turn.content, turn.source_id) for turn in conversation.turns] == [("a", "m"), ("b", "m~2")]


def test_names_that_cannot_be_stored_are_mended_and_contents_are_not(read: Read) -> None:
    text = '{"title": "a\\ud800\\u0000b", "messages": [{"role": "user", "content": "x\\ud800\\u0000y"}]}'
    [conversation] = read(text)
    assert conversation.title == "a\ufffd\ufffdb"
    assert conversation.turns[0].content == "x\ud800\x00y"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(st.lists(st.text(st.characters(), min_size=1), min_size=1, max_size=4))
def test_any_content_survives_unchanged(read: Read, texts: list[str]) -> None:
    [conversation] = read([{"role": "user", "content": text} for text in texts], f"{uuid4()}.json")
    assert [turn.content for turn in conversation.turns] == texts


@pytest.mark.parametrize("behind", ["", "\n", "\n \n\n"])
def test_one_object_on_one_line_is_a_document_not_json_lines(read: Read, behind: str) -> None:
    [found] = read(json.dumps({"messages": PAIR}) + behind)
    assert found.place == "conversation 1"


def test_blank_lines_between_json_lines_are_counted(read: Read) -> None:
    line = json.dumps({"messages": PAIR})
    assert [found.place for found in read(f"{line}\n\n \n{line}\n")] == ["line 1", "line 4"]
