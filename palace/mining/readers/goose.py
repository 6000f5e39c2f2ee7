"""Goose's sessions: rows of ``sessions.db`` (see ``agent_databases``), formerly a ``.jsonl`` file each.

Both are below ``~/.local/share/goose/sessions``. The first line of a file is about the session; messages have parts
(``conversation/message.rs`` of block/goose).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.parts import result_text
from palace.mining.files.fields import as_object, id_field, object_field, objects, text_field
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.mining.readers.families import Ids
from palace.mining.readers.sessions import Lines, Session, Tags
from palace.models import Conversation

NAME = "goose"

_TAGS = Tags(NAME)
_PARTS = frozenset({"text", "image", "toolRequest", "toolResponse", "thinking"})
"""Types of the parts that a first message may have."""
_NOTICES = frozenset({"systemNotification", "toolConfirmationRequest", "actionRequired"})


def recognises(value: object) -> bool:
    """Check whether a value is the first line of a session's file, or a message of one."""
    line = as_object(value)
    if {"working_dir", "description"} <= line.keys():
        return True
    content = line.get("content")
    has_parts = isinstance(content, list) and all(part.get("type") in _PARTS for part in objects(content))
    return {"role", "created"} <= line.keys() and has_parts


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the file of a session."""
    lines, session = Lines(records, reading, "Goose"), GooseSession(NAME, reading, _TAGS.strip)
    for line in lines:
        if "working_dir" in line.value:
            session.folder, session.title = text_field(line.value, "working_dir"), text_field(line.value, "description")
            continue
        with session.one_message():
            session.message(line.value, line.place)
    lines.report(session)
    path = reading.where.path if reading.where else None
    session.key = path.name.partition(".")[0] if path else None
    yield from session.finish()


def read_rows(about: dict[str, Any], messages: list[dict[str, Any]], reading: Reading) -> Iterator[Conversation]:
    """Read a session of the database with those of its sub-agents; one without its session is only counted."""
    if ids(about).parent is not None:
        reading.leave_out(LeftOut.SUBAGENTS, max(1, len(messages)))
        return
    session = GooseSession(NAME, reading, _TAGS.strip)
    session.key, session.folder = id_field(about, "id"), text_field(about, "working_dir")
    session.title = text_field(about, "name", "description")
    for row, place in session.rows(messages, "created_timestamp", _is_result):
        message = {**row, "content": row["content_json"], "created": row["created_timestamp"]}
        message |= {"id": row.get("message_id") or row["id"], "metadata": row.get("metadata_json")}
        with session.one_message():
            session.message(message, place)
    yield from session.finish()


def ids(about: dict[str, Any]) -> Ids:
    """Return the ids of a session and of the one that it worked for."""
    is_subagent = about.get("session_type") in ("sub_agent", "subagent")
    parent = text_field(about, "parent_session_id") or ""
    return Ids(id_field(about, "id"), parent if is_subagent else None)


def _is_result(row: dict[str, Any]) -> bool:
    return any(part.get("type") == "toolResponse" for part in objects(row["content_json"]))


class GooseSession(Session):
    """The draft of a session."""

    def message(self, message: dict[str, Any], place: str) -> None:
        """Add a message with its calls and results."""
        role, parts = message.get("role"), message.get("content")
        if role not in ("user", "assistant") or not isinstance(parts, list):
            raise self.reading.problem("the message has no role or no content", place)
        if object_field(message, "metadata").get("userVisible") is False:
            self.leave_out(LeftOut.SUMMARIES)
            return
        stamp = Stamp(message.get("created"), id_field(message, "id"), place=place)
        words = [part for part in objects(parts) if part.get("type") in ("text", "image")]
        self.speak(role, words, stamp)
        for number, part in enumerate(objects(parts)):
            kind, key = part.get("type"), id_field(part, "id")
            if kind in ("toolRequest", "frontendToolRequest"):
                call = object_field(part, "toolCall", "value") or object_field(part, "toolCall")
                self.call(key, text_field(call, "name"), call.get("arguments"), stamp, f"call-{number}")
            elif kind == "toolResponse":
                self._result(key, object_field(part, "toolResult"), stamp, number)
            elif kind in _NOTICES:
                self.leave_out(LeftOut.NOTICES)
            elif kind not in ("text", "image"):
                self.leave_out(LeftOut.HIDDEN_REASONING)

    def _result(self, key: str | None, result: dict[str, Any], stamp: Stamp, number: int) -> None:
        value = result.get("value")
        content = as_object(value).get("content", value)
        output = text_field(result, "error") or result_text(content, self.leave_out)
        self.result(key, output, stamp, f"result-{number}")
