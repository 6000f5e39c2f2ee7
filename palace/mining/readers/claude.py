"""Claude's data export: conversations, projects with their documents, memories and chats of Claude Design.

Anthropic does not document the format; this follows exports of 2024 to 2026 and the web client's own records. Newer
exports have one file per project (``projects/ID.json``), per account's memories and per chat of Claude Design
(``design_chats``); older ones a single array of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.links import lay_out
from palace.mining.drafts.parts import enclosed
from palace.mining.drafts.times import known_time
from palace.mining.files.fields import as_list, as_object, id_field, object_field, objects, text_field
from palace.mining.files.reading import Reading, Record
from palace.models import Conversation, Role

NAME = "claude"
WING = "Claude: about you"
EMPTY_NOTES = "projects and memories without text"

_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
_WRITING = {"artifacts": "artifact", "create_file": "file"}
"""Names of tools that write a document, with the word that labels it."""
_ROOT = "00000000-0000-4000-8000-000000000000"
"""The parent of a conversation's first message."""
_MEMORIES = ("conversations_memory", "project_memories")


def recognises(value: object) -> bool:
    """Check whether a value is one conversation."""
    return isinstance(as_object(value).get("chat_messages"), list)


def read_conversation(record: Record, reading: Reading) -> Iterator[Conversation]:
    """Read one conversation.

    The text of an attachment follows its message, between a line that names it and one that ends it. An abandoned
    branch comes before the branch that replaced it, each of its messages marked as replaced.
    """
    conversation = as_object(record.value)
    title = text_field(conversation, "name")
    place = record.place("conversation", title)
    if not recognises(conversation):
        raise reading.problem("the conversation has no messages (chat_messages)", place)
    draft, messages = Draft(NAME, reading), conversation["chat_messages"]
    for number, replaced_by in _in_order(conversation, messages):
        message, where = messages[number], f"{place}, message {number + 1}"
        with draft.one_message():
            if not isinstance(message, dict):
                raise reading.problem("the message is not an object", where)
            role = _ROLES.get(str(message.get("sender")))
            if role is None:
                raise reading.problem(f"the message has no known sender ({message.get('sender')!r:.40})", where)
            stamp = Stamp(message.get("created_at"), id_field(message, "uuid"), replaced_by=replaced_by)
            draft.say_parts(role, _content(message), stamp, where)
    if text_field(conversation, "summary"):
        draft.leave_out("summaries of conversations")
    project = object_field(conversation, "project")
    project_id = id_field(project, "uuid") or id_field(conversation, "project_uuid")
    yield from draft.finish(
        source_id=id_field(conversation, "uuid"),
        title=title,
        project=text_field(project, "name") or reading.projects.get(project_id or ""),
        started_at=known_time(conversation.get("created_at"), reading.now, reading.zone),
        place=place,
    )


def _in_order(conversation: dict[str, Any], messages: list[Any]) -> list[tuple[int, str | None]]:
    """List the indexes of the messages in conversation order, each with the id of the message that replaced its branch.

    Without usable parent ids, that is the order of the file.
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


def _content(message: dict[str, Any]) -> list[object]:
    blocks = [_block(block) for block in as_list(message.get("content")) if as_object(block).get("text") != ""]
    text = message.get("text")
    if not blocks and isinstance(text, str) and text:
        blocks = [text]
    attached = [_attachment(item) for item in objects(message.get("attachments"))]
    files = objects(message.get("files")) + objects(message.get("files_v2"))
    names = dict.fromkeys(text_field(item, "file_name", "name") for item in files)
    shown = [*attached, *(f"[file {name}]" for name in names if name)]
    if blocks and shown:
        shown[0] = f"\n{shown[0]}"
    return [*blocks, *shown]


def _block(block: object) -> object:
    """Return a block unchanged, or the document that it writes if it is a call that writes an artifact or a file."""
    call = as_object(block)
    kind = _WRITING.get(str(call.get("name"))) if call.get("type") == "tool_use" else None
    if kind is None:
        return block
    given = object_field(call, "input")
    text = given.get("content") or given.get("file_text") or given.get("new_str")
    name = text_field(given, "title", "id") or (text_field(given, "path") or "").rpartition("/")[2]
    label = f"{kind} {name}" if name else kind
    return enclosed(label, text) if isinstance(text, str) and text else block


def _attachment(item: dict[str, Any]) -> str:
    text, name = item.get("extracted_content"), text_field(item, "file_name", "name")
    label = f"attachment {name}" if name else "attachment"
    return enclosed(label, text) if isinstance(text, str) and text else f"[{label}]"


def recognises_notes(value: object) -> bool:
    """Check whether a value is a project or an account's memories."""
    record = as_object(value)
    is_project = isinstance(record.get("docs"), list) or "prompt_template" in record
    return (is_project and "uuid" in record and "name" in record) or any(field in record for field in _MEMORIES)


def read_notes(record: Record, reading: Reading) -> Iterator[Conversation]:
    """Read a project and its documents, or memories, as notes; each goes to its project's wing, or to ``WING``."""
    value = as_object(record.value)
    if not recognises_notes(value):
        raise reading.problem("is neither a project nor a memory of a Claude export", record.place("item"))
    if any(field in value for field in _MEMORIES):
        yield from _memories(value, record.place("item"), reading)
    else:
        yield from _project(value, record, reading)


def _project(project: dict[str, Any], record: Record, reading: Reading) -> Iterator[Conversation]:
    name, own_id = text_field(project, "name"), id_field(project, "uuid")
    place = record.place("project", name)
    draft = Draft(NAME, reading, dated=False)
    for field in ("description", "prompt_template"):
        said_at = project.get("updated_at") or project.get("created_at")
        draft.say(Role.USER, text_field(project, field) or "", Stamp(said_at, field))
    yield from draft.finish(source_id=f"project:{own_id}", title=f"About {name}", project=name, place=place)
    for document in objects(project.get("docs")):
        draft = Draft(NAME, reading, dated=False)
        draft.say(Role.USER, text_field(document, "content") or "", Stamp(document.get("created_at")))
        title, document_id = text_field(document, "filename", "file_name"), id_field(document, "uuid")
        source_id = f"document:{document_id or f'{own_id}/{title}'}"
        yield from draft.finish(source_id=source_id, title=title, project=name, place=f"{place}, {title}")


def _memories(value: dict[str, Any], place: str, reading: Reading) -> Iterator[Conversation]:
    account = id_field(value, "account_uuid") or "account"
    memories = [(f"memory:{account}", text_field(value, "conversations_memory"), WING)]
    for project, text in object_field(value, "project_memories").items():
        said = text if isinstance(text, str) else text_field(as_object(text), "content", "memory")
        memories.append((f"project-memory:{project}", said, reading.projects.get(project, WING)))
    for number, file in enumerate(objects(value.get("memory_files")), 1):
        name = text_field(file, "path", "name", "filename", "file_name") or str(number)
        memories.append((f"memory-file:{account}/{name}", text_field(file, "content", "text"), WING))
    for source_id, text, wing in memories:
        draft = Draft(NAME, reading, dated=False)
        draft.say(Role.ASSISTANT, text or "", Stamp())
        yield from draft.finish(source_id=source_id, title="What Claude remembers", project=wing, place=place)


def recognises_design(value: object) -> bool:
    """Check whether a value is a chat of Claude Design, whose messages have objects as content."""
    chat = as_object(value)
    return "uuid" in chat and any(isinstance(each.get("content"), dict) for each in objects(chat.get("messages"))[:3])


def read_design(record: Record, reading: Reading) -> Iterator[Conversation]:
    """Read a chat of Claude Design into its project's wing."""
    chat = as_object(record.value)
    title = text_field(chat, "title", "name")
    place = record.place("chat", title)
    draft = Draft(NAME, reading, dated=False)
    draft.say_each(chat.get("messages"), place, partial(_say_design, draft))
    yield from draft.finish(
        source_id=id_field(chat, "uuid"),
        title=title,
        project=text_field(object_field(chat, "project"), "name"),
        started_at=known_time(chat.get("created_at"), reading.now, reading.zone),
        place=place,
    )


def _say_design(draft: Draft, message: dict[str, Any], place: str) -> None:
    content = object_field(message, "content")
    given = content.get("role") or message.get("role")
    role = _ROLES.get(str(given))
    if role is None:
        raise draft.reading.problem(f"the message has no known role ({given!r:.40})", place)
    blocks = objects(content.get("contentBlocks"))
    calls = [block.get("toolCall") for block in blocks]
    shown: list[object] = [
        {"type": "tool_use", **call} if isinstance(call, dict) else block
        for call, block in zip(calls, blocks, strict=True)
    ]
    text = content.get("content")
    if isinstance(text, str) and text and not any(block.get("text") for block in blocks):
        shown.insert(0, text)
    names = [text_field(item, "name", "file_name") for item in objects(content.get("attachments"))]
    stamp = Stamp(message.get("created_at") or content.get("timestamp"), id_field(message, "uuid"))
    draft.say_parts(role, [*shown, *(f"[file {name}]" for name in names if name)], stamp, place)
