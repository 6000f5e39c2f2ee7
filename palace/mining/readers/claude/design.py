"""Chats of Claude Design: a file each in the ``design_chats`` of an export of Claude's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.readers.alone import read_each
from palace.mining.readers.claude.conversations import NAME
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.fields import as_list, as_object, id_field, text_field
from palace.mining.readers.json_records import Record
from palace.mining.readers.reading import Reading
from palace.mining.readers.times.formats import known_time
from palace.records import Conversation, Role

_ROLES = {"user": Role.USER, "human": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}


def recognises(value: object) -> bool:
    """Tell a design chat: messages whose content is an object."""
    chat = as_object(value)
    messages = [as_object(message) for message in as_list(chat.get("messages"))[:3]]
    return "uuid" in chat and any(isinstance(message.get("content"), dict) for message in messages)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read each chat as a conversation, in its project's wing."""
    yield from read_each(records, reading, lambda record: _chat(record, reading))


def _chat(record: Record, reading: Reading) -> Iterator[Conversation]:
    chat = as_object(record.value)
    title, project = text_field(chat, "title", "name"), text_field(as_object(chat.get("project")), "name")
    place = record.place("chat", title)
    draft = Draft(NAME, reading, dated=False)
    for number, message in enumerate(as_list(chat.get("messages")), 1):
        with draft.one_message():
            _say(draft, as_object(message), reading, f"{place}, message {number}")
    yield from draft.finish(
        source_id=id_field(chat, "uuid"),
        title=title,
        project=project,
        started_at=known_time(chat.get("created_at"), reading.now, reading.zone),
        place=place,
    )


def _say(draft: Draft, message: dict[str, Any], reading: Reading, place: str) -> None:
    content = as_object(message.get("content"))
    given = content.get("role") or message.get("role")
    role = _ROLES.get(str(given))
    if role is None:
        raise reading.problem(f"the message has no known role ({given!r:.40})", place)
    blocks = [_block(as_object(block)) for block in as_list(content.get("contentBlocks"))]
    text = content.get("content")
    if isinstance(text, str) and text and not any(block.get("text") for block in blocks):
        blocks.insert(0, {"type": "text", "text": text})
    names = [text_field(as_object(item), "name", "file_name") for item in as_list(content.get("attachments"))]
    files = [f"[file {name}]" for name in names if name]
    stamp = Stamp(message.get("created_at") or content.get("timestamp"), id_field(message, "uuid"))
    draft.say_parts(role, [*blocks, *files], stamp, place)


def _block(block: dict[str, Any]) -> dict[str, Any]:
    call = block.get("toolCall")
    return {"type": "tool_use", **call} if isinstance(call, dict) else block
