"""ChatGPT's export: trees of messages, content kinds, missing pieces."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role

Read = Callable[..., list[Conversation]]
ReadTold = Callable[..., tuple[list[Conversation], Reading]]


def message(role: str, *parts: object, **fields: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": list(parts)}
    return {"author": {"role": role}, "content": content, "create_time": 1710000000.5, **fields}


def tree(*nodes: tuple[str, str | None, dict[str, Any] | None], **fields: Any) -> dict[str, Any]:
    mapping: dict[str, Any] = {
        key: {"id": key, "parent": parent, "children": [], "message": said and {"id": f"m-{key}", **said}}
        for key, parent, said in nodes
    }
    return {"title": "T", "conversation_id": "c", "create_time": 1710000000.0, "mapping": mapping, **fields}


def chain(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    keys = ["root", *(f"n{index}" for index in range(len(messages)))]
    said = zip(keys[1:], keys, messages, strict=False)
    return tree(("root", None, None), *said, current_node=keys[-1], **fields)


def texts(conversation: Conversation) -> list[str]:
    return [turn.content for turn in conversation.turns]


def test_the_path_to_the_current_node_is_what_was_said(read: Read) -> None:
    nodes = [
        ("root", None, None),
        ("q", "root", message("user", "Question")),
        ("a1", "q", message("assistant", "First answer")),
        ("a2", "q", message("assistant", "Regenerated answer")),
        ("q2", "a2", message("user", "Thanks")),
    ]
    [conversation] = read([tree(*nodes, current_node="q2")])
    assert conversation.reader == "chatgpt"
    shown = [turn for turn in conversation.turns if turn.replaced_by is None]
    assert [turn.content for turn in shown] == ["Question", "Regenerated answer", "Thanks"]
    assert [turn.source_id for turn in shown] == ["m-q", "m-a2", "m-q2"]
    assert (conversation.source_id, conversation.title) == ("c", "T")
    assert conversation.started_at == datetime(2024, 3, 9, 16, tzinfo=UTC)
    assert conversation.turns[0].said_at == datetime(2024, 3, 9, 16, 0, 0, 500000, tzinfo=UTC)


def test_a_newer_export_of_a_grown_conversation_begins_with_the_same_turns(read: Read) -> None:
    said = [message("user", "a"), message("assistant", "b"), message("user", "c")]
    [before] = read([chain(*said[:2])])
    [after] = read([chain(*said)])
    assert after.turns[:2] == before.turns
    assert after.source_id == before.source_id


def test_without_a_current_node_the_latest_leaf_is_followed(read: Read) -> None:
    nodes = [
        ("root", None, None),
        ("q", "root", message("user", "Question")),
        ("late", "q", message("assistant", "late", create_time=1710000009.0)),
        ("early", "q", message("assistant", "early", create_time=1710000001.0)),
    ]
    for found in (read([tree(*nodes)])[0], read([tree(*nodes, current_node="gone")])[0]):
        assert [(turn.content, turn.replaced_by) for turn in found.turns] == [
            ("Question", None),
            ("early", "m-late"),
            ("late", None),
        ]


def test_a_tree_that_bites_its_tail_is_read_once_around(read: Read) -> None:
    nodes = [("a", "b", message("user", "one")), ("b", "a", message("assistant", "two"))]
    assert texts(read([tree(*nodes, current_node="b")])[0]) == ["one", "two"]


def test_an_empty_conversation_gives_nothing(read: Read) -> None:
    assert read([{"title": "T", "mapping": {}, "current_node": "x"}]) == []


def test_a_missing_parent_is_told(read: Read) -> None:
    [conversation] = read([tree(("a", "gone", message("user", "x")), current_node="a")])
    assert conversation.warnings == ("what was said before message a is missing from the export",)


def test_hidden_messages_reasoning_and_custom_instructions_are_left_out(read: Read) -> None:
    hidden = message("system", "secret", metadata={"is_visually_hidden_from_conversation": True})
    thoughts = message("assistant", content={"content_type": "thoughts", "thoughts": [{"content": "hm"}]})
    recap = message("assistant", content={"content_type": "reasoning_recap", "content": "Thought for 3s"})
    custom = message("user", content={"content_type": "user_editable_context", "user_profile": "me"})
    said = message("user", "Hello")
    assert texts(read([chain(hidden, message("system", ""), custom, thoughts, recap, said)])[0]) == ["Hello"]


def test_calls_to_tools_and_their_output_are_turns_of_the_tool(read: Read) -> None:
    code = {"content_type": "code", "language": "python", "text": "print(1)"}
    output = {"content_type": "execution_output", "text": "1\n"}
    messages = [
        message("assistant", content=code, recipient="python"),
        message("tool", content=output, author={"role": "tool", "name": "python"}),
        message("assistant", '{"q": 1}', recipient="web.search"),
    ]
    [conversation] = read([chain(*messages)])
    assert [(turn.role, turn.speaker, turn.content) for turn in conversation.turns] == [
        (Role.TOOL, "python", "python print(1)"),
        (Role.TOOL, "python", "1\n"),
        (Role.TOOL, "web.search", 'web.search {"q": 1}'),
    ]


def test_code_said_to_everybody_is_the_assistants(read: Read) -> None:
    code = {"content_type": "code", "language": "python", "text": "x = 1"}
    [conversation] = read([chain(message("assistant", content=code, recipient="all"))])
    assert [(turn.role, turn.content) for turn in conversation.turns] == [(Role.ASSISTANT, "x = 1")]


def test_pictures_leave_a_placeholder_and_voice_its_words(read: Read) -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    voice = [
        {"content_type": "audio_transcription", "text": "good morning"},
        {"content_type": "real_time_user_audio_video_asset_pointer"},
    ]
    [conversation] = read([chain(message("user", picture, "What is it?"), message("user", *voice))])
    assert texts(conversation) == ["[image x]\nWhat is it?", "good morning"]


def test_quotes_and_pages_keep_what_they_show(read: Read) -> None:
    quote = {"content_type": "tether_quote", "url": "https://a.example", "title": "A", "text": "words"}
    page = {"content_type": "tether_browsing_display", "result": "page text", "summary": None}
    [conversation] = read([chain(message("tool", content=quote), message("tool", content=page))])
    assert texts(conversation) == ["A\nhttps://a.example\nwords", "page text"]


def test_a_conversation_without_an_id_or_title_is_read(read: Read) -> None:
    [conversation] = read([{"title": None, "mapping": chain(message("user", "x"))["mapping"]}])
    assert (conversation.source_id, conversation.title) == (None, None)


def test_a_single_conversation_is_read_as_well(read: Read) -> None:
    assert texts(read(chain(message("user", "x")))[0]) == ["x"]


def test_a_message_without_a_role_fails_its_conversation_alone(read_told: ReadTold) -> None:
    found, reading = read_told(
        [chain(message("user", "x")), chain(message("user", "x", author={})), chain(message("user", "y"))]
    )
    assert [texts(conversation) for conversation in found] == [["x"], ["y"]]
    [problem] = reading.failures
    assert problem.place == 'conversation 2 ("T"), message 2'
    assert problem.reason == "the message has no known role (author.role is None)"


def test_an_element_that_is_no_conversation_fails_alone(read_told: ReadTold) -> None:
    found, reading = read_told([chain(message("user", "x")), {"title": "y"}])
    assert len(found) == 1
    assert [str(problem).split(", ", 1)[1] for problem in reading.failures] == [
        'conversation 2 ("y"): the conversation has no messages (mapping)'
    ]


def test_times_not_to_be_believed_are_left_out_and_counted(read: Read) -> None:
    times = [1710000000.0, 0, 4e9, None, "soon", float("nan")]
    [conversation] = read([chain(*(message("user", str(t), create_time=t) for t in times))])
    assert [turn.said_at is None for turn in conversation.turns] == [False, True, True, True, True, True]
    assert conversation.warnings == (
        "1 message without a time",
        '1 message with a time in the future (message 4: "4000000000.0")',
        '1 message with a time at 1970 or before (message 3: "0")',
        '2 messages with an unreadable time (the first at message 6: "soon")',
    )
