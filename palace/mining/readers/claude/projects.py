"""What a Claude export holds beside conversations: projects with their documents, and memories. All become notes.

Newer exports have a file for each project (``projects/ID.json``) and for each account's memories, older ones one
array of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.readers.alone import read_each
from palace.mining.readers.claude.conversations import NAME
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.fields import as_list, as_object, id_field, text_field
from palace.mining.readers.json_records import Record
from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role

WING = "Claude: about you"

_MEMORIES = ("conversations_memory", "project_memories")


def recognises(value: object) -> bool:
    """Tell a project, or an account's memories."""
    record = as_object(value)
    is_project = isinstance(record.get("docs"), list) or "prompt_template" in record
    return (is_project and "uuid" in record and "name" in record) or any(field in record for field in _MEMORIES)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read each project and document as a note in the project's wing, each memory in its project's or its own."""
    yield from read_each(
        records, reading, lambda record: _notes(record, reading), empty="projects and memories without text"
    )


def _notes(record: Record, reading: Reading) -> Iterator[Conversation]:
    value = as_object(record.value)
    if not recognises(value):
        raise reading.problem("is neither a project nor a memory of a Claude export", record.place("item"))
    if any(field in value for field in _MEMORIES):
        yield from _memories(value, record.place("item"), reading)
    else:
        yield from _project(value, record, reading)


def _project(project: dict[str, Any], record: Record, reading: Reading) -> Iterator[Conversation]:
    name, place = text_field(project, "name"), record.place("project", text_field(project, "name"))
    documents = [as_object(document) for document in as_list(project.get("docs"))]
    own_id = id_field(project, "uuid")
    draft = Draft(NAME, reading, dated=False)
    for field in ("description", "prompt_template"):
        said_at = project.get("updated_at") or project.get("created_at")
        draft.say(Role.USER, text_field(project, field) or "", Stamp(said_at, field))
    yield from draft.finish(source_id=f"project:{own_id}", title=f"About {name}", project=name, place=place)
    for document in documents:
        draft = Draft(NAME, reading, dated=False)
        draft.say(Role.USER, text_field(document, "content") or "", Stamp(document.get("created_at")))
        title, document_id = text_field(document, "filename", "file_name"), id_field(document, "uuid")
        source_id = f"document:{document_id or f'{own_id}/{title}'}"
        yield from draft.finish(source_id=source_id, title=title, project=name, place=f"{place}, {title}")


def _memories(value: dict[str, Any], place: str, reading: Reading) -> Iterator[Conversation]:
    account = id_field(value, "account_uuid") or "account"
    yield from _memory(f"memory:{account}", text_field(value, "conversations_memory"), WING, reading, place)
    for project, text in as_object(value.get("project_memories")).items():
        wing = reading.projects.get(project, WING)
        said = text if isinstance(text, str) else text_field(as_object(text), "content", "memory")
        yield from _memory(f"project-memory:{project}", said, wing, reading, place)
    for number, item in enumerate(as_list(value.get("memory_files")), 1):
        file = as_object(item)
        name = text_field(file, "path", "name", "filename", "file_name") or str(number)
        yield from _memory(f"memory-file:{account}/{name}", text_field(file, "content", "text"), WING, reading, place)


def _memory(source_id: str, text: str | None, wing: str, reading: Reading, place: str) -> Iterator[Conversation]:
    draft = Draft(NAME, reading, dated=False)
    draft.say(Role.ASSISTANT, text or "", Stamp())
    yield from draft.finish(source_id=source_id, title="What Claude remembers", project=wing, place=place)
