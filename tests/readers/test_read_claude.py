"""Claude's export: senders, blocks, attachments, branches."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role

Read = Callable[..., list[Conversation]]
ReadTold = Callable[..., tuple[list[Conversation], Reading]]
ROOT = "00000000-0000-4000-8000-000000000000"


def message(uuid: str, sender: str, text: str, **fields: Any) -> dict[str, Any]:
    blocks = [{"type": "text", "text": text}]
    return {
        "uuid": uuid,
        "sender": sender,
        "text": text,
        "content": blocks,
        "created_at": "2026-03-01T10:00:10.5Z",
        **fields,
    }


def conversation(*messages: Any, **fields: Any) -> dict[str, Any]:
    about = {"uuid": "c", "name": "Kyoto", "created_at": "2026-03-01T10:00:00Z"}
    return {**about, "chat_messages": list(messages), **fields}


def texts(found: Conversation) -> list[str]:
    return [turn.content for turn in found.turns]


def test_messages_are_read_in_order_with_ids_and_times(read: Read) -> None:
    [found] = read([conversation(message("a", "human", "Hi"), message("b", "assistant", "Hello"))])
    assert (found.reader, found.source_id, found.title) == ("claude", "c", "Kyoto")
    assert [(turn.role, turn.source_id) for turn in found.turns] == [(Role.USER, "a"), (Role.ASSISTANT, "b")]
    assert found.turns[0].said_at == datetime(2026, 3, 1, 10, 0, 10, 500000, tzinfo=UTC)
    assert found.warnings == ()


def test_an_older_export_without_blocks_gives_its_text(read: Read) -> None:
    [found] = read([conversation(message("a", "human", "Hi", content=[]))])
    assert texts(found) == ["Hi"]


def test_reasoning_is_left_out_and_tools_speak_for_themselves(read: Read) -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "Searching."},
        {"type": "tool_use", "name": "web_search", "input": {"query": "kyoto"}},
        {"type": "tool_result", "name": "web_search", "content": [{"type": "text", "text": "found"}]},
        {"type": "text", "text": "Here it is."},
    ]
    [found] = read([conversation(message("b", "assistant", "…", content=blocks))])
    assert [(turn.role, turn.content, turn.source_id) for turn in found.turns] == [
        (Role.ASSISTANT, "Searching.", "b"),
        (Role.TOOL, 'web_search {"query": "kyoto"}', "b:2"),
        (Role.TOOL, "found", "b:3"),
        (Role.ASSISTANT, "Here it is.", "b:4"),
    ]


def test_the_text_of_attachments_follows_the_message_between_marks(read: Read) -> None:
    attachments = [{"file_name": "a.txt", "extracted_content": "one\n two "}, {"file_name": "b.bin"}]
    said = message("a", "human", "Read this.", attachments=attachments, files=[{"file_name": "p.png"}])
    [found] = read([conversation(said)])
    assert texts(found) == [
        "Read this.\n\n[attachment a.txt]\none\n two \n[end of attachment a.txt]\n[attachment b.bin]\n[file p.png]"
    ]


def test_an_attachment_alone_is_a_message(read: Read) -> None:
    said = message("a", "human", "", attachments=[{"file_name": "", "extracted_content": "pasted"}])
    assert texts(read([conversation(said)])[0]) == ["[attachment]\npasted\n[end of attachment]"]


def test_an_abandoned_branch_stands_before_what_took_its_place_and_is_replaced_by_it(read: Read) -> None:
    messages = [
        message("q", "human", "Question", parent_message_uuid=ROOT),
        message("a1", "assistant", "First", parent_message_uuid="q"),
        message("a2", "assistant", "Second", parent_message_uuid="q"),
    ]
    [found] = read([conversation(*messages)])
    assert [(turn.content, turn.replaced_by) for turn in found.turns] == [
        ("Question", None),
        ("First", "a2"),
        ("Second", None),
    ]
    [found] = read([conversation(*messages, current_leaf_message_uuid="a1")])
    assert [(turn.content, turn.replaced_by) for turn in found.turns] == [
        ("Question", None),
        ("Second", "a1"),
        ("First", None),
    ]


def test_a_branch_that_leads_nowhere_leaves_nothing_out(read: Read) -> None:
    messages = [message("q", "human", "Question"), message("a", "assistant", "A", parent_message_uuid="gone")]
    assert texts(read([conversation(*messages)])[0]) == ["Question", "A"]


def test_the_project_is_kept(read: Read) -> None:
    [found] = read([conversation(message("a", "human", "Hi"), project={"uuid": "p", "name": "Travel"})])
    assert found.project == "Travel"


def test_a_message_without_a_sender_is_missing_alone(read_told: ReadTold) -> None:
    odd = {**message("b", "human", "x"), "sender": None}
    good = conversation(message("a", "human", "Hi"))
    found, reading = read_told([good, conversation(message("a", "human", "Hi"), odd)])
    assert [len(each.turns) for each in found] == [1, 1]
    assert [each.is_partial for each in found] == [False, True]
    assert [problem.place for problem in reading.failures] == ['conversation 2 ("Kyoto"), message 2']
    assert [problem.reason for problem in reading.failures] == ["the message has no known sender (None)"]
