"""Claude's data export: ``conversations.json`` with ``chat_messages``.

The format is not documented by its maker; this follows exports of 2024 to 2026 and the web client's own
records.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.readers.branches import path_to
from palace.mining.readers.draft import Draft, Stamp
from palace.mining.readers.fields import as_list, as_object, id_field, text_field
from palace.mining.readers.json_records import Record
from palace.mining.readers.reading import Reading
from palace.mining.readers.times import known_time
from palace.records import Conversation, Role

NAME = "claude"

_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
_ROOT = "00000000-0000-4000-8000-000000000000"
"""The parent of a conversation's first message."""


def recognises(value: object) -> bool:
    """Tell one conversation of a Claude export."""
    return isinstance(as_object(value).get("chat_messages"), list)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read conversations in the order of the file.

    The text of an attachment follows the message it came with, between a line that names it and one that ends
    it.
    """
    for record in records:
        place = record.place("conversation")
        conversation = as_object(record.value)
        if not recognises(conversation):
            raise reading.problem("the conversation has no messages (chat_messages)", place)
        draft = Draft(NAME, reading)
        for number, message in _said(conversation):
            _say(draft, message, reading, f"{place}, message {number}")
        yield from draft.finish(
            source_id=id_field(conversation, "uuid"),
            title=text_field(conversation, "name"),
            project=text_field(as_object(conversation.get("project")), "name"),
            started_at=known_time(conversation.get("created_at"), reading.now),
            place=place,
        )


def _said(conversation: dict[str, Any]) -> list[tuple[int, object]]:
    """Number the messages, only those of the current branch where the export tells the branches apart."""
    numbered = list(enumerate(conversation["chat_messages"], 1))
    parents = {uuid: id_field(message, "parent_message_uuid") for uuid, message in _by_uuid(numbered)}
    if len(parents) < len(numbered) or not any(parents.values()):
        return numbered
    leaf = id_field(conversation, "current_leaf_message_uuid")
    path, lost = path_to(leaf if leaf in parents and leaf else next(reversed(parents)), parents)
    if lost not in (None, _ROOT):
        return numbered
    branch = set(path)
    return [(number, message) for number, message in numbered if message["uuid"] in branch]


def _by_uuid(numbered: list[tuple[int, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for _, message in numbered:
        uuid = id_field(as_object(message), "uuid")
        if uuid:
            yield uuid, message


def _say(draft: Draft, message: object, reading: Reading, place: str) -> None:
    if not isinstance(message, dict):
        raise reading.problem("the message is not an object", place)
    role = _ROLES.get(str(message.get("sender")))
    if role is None:
        raise reading.problem("the message has no known sender", place)
    stamp = Stamp(message.get("created_at"), id_field(message, "uuid"))
    draft.say_parts(role, _content(message), stamp, place)


def _content(message: dict[str, Any]) -> list[object]:
    """Give the parts of a message: its blocks (older exports: its text), then what was attached."""
    blocks = [block for block in as_list(message.get("content")) if as_object(block).get("text") != ""]
    text = message.get("text")
    if not blocks and isinstance(text, str) and text:
        blocks = [text]
    attached = [_attachment(as_object(item)) for item in as_list(message.get("attachments"))]
    files = [text_field(as_object(item), "file_name", "name") for item in as_list(message.get("files"))]
    shown = [*attached, *(f"[file {name}]" for name in files if name)]
    if blocks and shown:
        shown[0] = f"\n{shown[0]}"
    return [*blocks, *shown]


def _attachment(item: dict[str, Any]) -> str:
    text, name = item.get("extracted_content"), text_field(item, "file_name", "name")
    label = f"attachment {name}" if name else "attachment"
    return f"[{label}]\n{text}\n[end of {label}]" if isinstance(text, str) and text else f"[{label}]"
