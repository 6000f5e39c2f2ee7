"""Claude's data export: ``conversations.json`` with ``chat_messages``.

The format is not documented by its maker; this follows exports of 2024 to 2026 and the web client's own
records.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.branches import lay_out
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.parts import enclosed
from palace.mining.drafts.times import known_time
from palace.mining.files.fields import as_list, as_object, id_field, text_field
from palace.mining.files.json_records import read_each
from palace.mining.files.reading import Reading, Record
from palace.models import Conversation, Role

NAME = "claude"
ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}

_WRITING = {"artifacts": "artifact", "create_file": "file"}
"""Tools by which the assistant writes a document."""
_ROOT = "00000000-0000-4000-8000-000000000000"
"""The parent of a conversation's first message."""


def recognises(value: object) -> bool:
    """Tell one conversation of a Claude export."""
    return isinstance(as_object(value).get("chat_messages"), list)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read conversations in the order of the file.

    The text of an attachment follows the message it came with, between a line that names it and one that ends
    it. An abandoned branch stands before what took its place, all of it replaced by that.
    """
    yield from read_each(records, reading, lambda record: _conversation(record, reading))


def _conversation(record: Record, reading: Reading) -> Iterator[Conversation]:
    conversation = as_object(record.value)
    title = text_field(conversation, "name")
    place = record.place("conversation", title)
    if not recognises(conversation):
        raise reading.problem("the conversation has no messages (chat_messages)", place)
    draft, messages = Draft(NAME, reading), conversation["chat_messages"]
    for number, replaced_by in _in_order(conversation, messages):
        with draft.one_message():
            _say(draft, messages[number], replaced_by, reading, f"{place}, message {number + 1}")
    if text_field(conversation, "summary"):
        draft.leave_out("summaries of conversations")
    project = as_object(conversation.get("project"))
    project_id = id_field(project, "uuid") or id_field(conversation, "project_uuid")
    yield from draft.finish(
        source_id=id_field(conversation, "uuid"),
        title=title,
        project=text_field(project, "name") or reading.projects.get(project_id or ""),
        started_at=known_time(conversation.get("created_at"), reading.now, reading.zone),
        place=place,
    )


def _in_order(conversation: dict[str, Any], messages: list[Any]) -> list[tuple[int, str | None]]:
    """List the places of the messages in the order they go, each with the message that took its branch's place.

    Where the export does not tell branches apart, that is the order of the file.
    """
    as_they_stand: list[tuple[int, str | None]] = [(number, None) for number in range(len(messages))]
    ids = [(id_field(message, "uuid"), message) for message in map(as_object, messages)]
    parents = {uuid: id_field(message, "parent_message_uuid") for uuid, message in ids if uuid}
    if len(parents) < len(messages) or not any(parents.values()):
        return as_they_stand
    leaf = id_field(conversation, "current_leaf_message_uuid")
    laid_out, lost = lay_out(leaf if leaf in parents and leaf else next(reversed(parents)), parents)
    if lost not in (None, _ROOT):
        return as_they_stand
    numbers = {uuid: number for number, uuid in enumerate(parents)}
    return [(numbers[placed.key], placed.replaced_by) for placed in laid_out]


def _say(draft: Draft, message: object, replaced_by: str | None, reading: Reading, place: str) -> None:
    if not isinstance(message, dict):
        raise reading.problem("the message is not an object", place)
    role = ROLES.get(str(message.get("sender")))
    if role is None:
        raise reading.problem(f"the message has no known sender ({message.get('sender')!r:.40})", place)
    stamp = Stamp(message.get("created_at"), id_field(message, "uuid"), replaced_by=replaced_by)
    draft.say_parts(role, _content(message), stamp, place)


def _content(message: dict[str, Any]) -> list[object]:
    blocks = [_block(block) for block in as_list(message.get("content")) if as_object(block).get("text") != ""]
    text = message.get("text")
    if not blocks and isinstance(text, str) and text:
        blocks = [text]
    attached = [_attachment(as_object(item)) for item in as_list(message.get("attachments"))]
    items = map(as_object, (*as_list(message.get("files")), *as_list(message.get("files_v2"))))
    files = dict.fromkeys(text_field(item, "file_name", "name") for item in items)
    shown = [*attached, *(f"[file {name}]" for name in files if name)]
    if blocks and shown:
        shown[0] = f"\n{shown[0]}"
    return [*blocks, *shown]


def _block(block: object) -> object:
    """Return a block as it is; of a call that writes an artifact or a file, the text that is written."""
    call = as_object(block)
    kind = _WRITING.get(str(call.get("name"))) if call.get("type") == "tool_use" else None
    if kind is None:
        return block
    given = as_object(call.get("input"))
    text = given.get("content") or given.get("file_text") or given.get("new_str")
    name = text_field(given, "title", "id") or (text_field(given, "path") or "").rpartition("/")[2]
    label = f"{kind} {name}" if name else kind
    return enclosed(label, text) if isinstance(text, str) and text else block


def _attachment(item: dict[str, Any]) -> str:
    text, name = item.get("extracted_content"), text_field(item, "file_name", "name")
    label = f"attachment {name}" if name else "attachment"
    return enclosed(label, text) if isinstance(text, str) and text else f"[{label}]"
