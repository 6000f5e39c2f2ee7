"""What a Claude export holds beside conversations: projects with their documents, memories, chats of Claude Design.

Newer exports have a file for each project (``projects/ID.json``), for each account's memories, and for each chat of
Claude Design (``design_chats``); older ones one array of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.times import known_time
from palace.mining.files.fields import as_list, as_object, id_field, text_field
from palace.mining.files.json_records import read_each
from palace.mining.files.reading import Reading, Record
from palace.mining.readers.claude import NAME, ROLES
from palace.models import Conversation, Role

WING = "Claude: about you"

_MEMORIES = ("conversations_memory", "project_memories")


def recognises(value: object) -> bool:
    """Tell a project, or an account's memories."""
    record = as_object(value)
    is_project = isinstance(record.get("docs"), list) or "prompt_template" in record
    return (is_project and "uuid" in record and "name" in record) or any(field in record for field in _MEMORIES)


def recognises_design(value: object) -> bool:
    """Tell a chat of Claude Design: messages whose content is an object."""
    chat = as_object(value)
    messages = [as_object(message) for message in as_list(chat.get("messages"))[:3]]
    return "uuid" in chat and any(isinstance(message.get("content"), dict) for message in messages)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read each project and document as a note in the project's wing, each memory in its project's or its own."""
    yield from read_each(
        records, reading, lambda record: _notes(record, reading), empty="projects and memories without text"
    )


def read_design(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read each chat of Claude Design as a conversation, in its project's wing."""
    yield from read_each(records, reading, lambda record: _chat(record, reading))


def _notes(record: Record, reading: Reading) -> Iterator[Conversation]:
    value = as_object(record.value)
    if not recognises(value):
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
    for document in map(as_object, as_list(project.get("docs"))):
        draft = Draft(NAME, reading, dated=False)
        draft.say(Role.USER, text_field(document, "content") or "", Stamp(document.get("created_at")))
        title, document_id = text_field(document, "filename", "file_name"), id_field(document, "uuid")
        source_id = f"document:{document_id or f'{own_id}/{title}'}"
        yield from draft.finish(source_id=source_id, title=title, project=name, place=f"{place}, {title}")


def _memories(value: dict[str, Any], place: str, reading: Reading) -> Iterator[Conversation]:
    account = id_field(value, "account_uuid") or "account"
    memories = [(f"memory:{account}", text_field(value, "conversations_memory"), WING)]
    for project, text in as_object(value.get("project_memories")).items():
        said = text if isinstance(text, str) else text_field(as_object(text), "content", "memory")
        memories.append((f"project-memory:{project}", said, reading.projects.get(project, WING)))
    for number, file in enumerate(map(as_object, as_list(value.get("memory_files"))), 1):
        name = text_field(file, "path", "name", "filename", "file_name") or str(number)
        memories.append((f"memory-file:{account}/{name}", text_field(file, "content", "text"), WING))
    for source_id, text, wing in memories:
        draft = Draft(NAME, reading, dated=False)
        draft.say(Role.ASSISTANT, text or "", Stamp())
        yield from draft.finish(source_id=source_id, title="What Claude remembers", project=wing, place=place)


def _chat(record: Record, reading: Reading) -> Iterator[Conversation]:
    chat = as_object(record.value)
    title = text_field(chat, "title", "name")
    place = record.place("chat", title)
    draft = Draft(NAME, reading, dated=False)
    for number, message in enumerate(as_list(chat.get("messages")), 1):
        with draft.one_message():
            _say(draft, as_object(message), reading, f"{place}, message {number}")
    yield from draft.finish(
        source_id=id_field(chat, "uuid"),
        title=title,
        project=text_field(as_object(chat.get("project")), "name"),
        started_at=known_time(chat.get("created_at"), reading.now, reading.zone),
        place=place,
    )


def _say(draft: Draft, message: dict[str, Any], reading: Reading, place: str) -> None:
    content = as_object(message.get("content"))
    given = content.get("role") or message.get("role")
    role = ROLES.get(str(given))
    if role is None:
        raise reading.problem(f"the message has no known role ({given!r:.40})", place)
    blocks = [_block(as_object(block)) for block in as_list(content.get("contentBlocks"))]
    text = content.get("content")
    if isinstance(text, str) and text and not any(block.get("text") for block in blocks):
        blocks.insert(0, {"type": "text", "text": text})
    names = [text_field(as_object(item), "name", "file_name") for item in as_list(content.get("attachments"))]
    stamp = Stamp(message.get("created_at") or content.get("timestamp"), id_field(message, "uuid"))
    draft.say_parts(role, [*blocks, *(f"[file {name}]" for name in names if name)], stamp, place)


def _block(block: dict[str, Any]) -> dict[str, Any]:
    call = block.get("toolCall")
    return {"type": "tool_use", **call} if isinstance(call, dict) else block
