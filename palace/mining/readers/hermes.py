"""Hermes' sessions: rows of ``state.db`` in ``~/.hermes`` (``hermes_state.py`` of ``hermes-agent`` 0.19.0).

See ``agent_databases``. Messages have OpenAI's form. When a session grows too long, its messages are marked as
compacted, and some are repeated behind a summary; messages that were taken back are inactive.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.parts import result_text
from palace.mining.files.fields import as_object, id_field, object_field, objects, parsed, text_field
from palace.mining.files.reading import LeftOut, Reading
from palace.mining.readers.families import Ids
from palace.mining.readers.sessions import Session, Tags
from palace.models import Conversation, Role

NAME = "hermes"

_TAGS = Tags(NAME)
_ENCODED = "\x00json:"
_SUMMARIES = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]")


def read_rows(about: dict[str, Any], messages: list[dict[str, Any]], reading: Reading) -> Iterator[Conversation]:
    """Read a session with those of its sub-agents; one without its session is only counted."""
    if ids(about).parent:
        reading.leave_out(LeftOut.SUBAGENTS, max(1, len(messages)))
        return
    session = _Session(NAME, reading, _TAGS.strip)
    session.key, session.folder, session.title = (text_field(about, name) for name in ("id", "cwd", "title"))
    compacted = {_content(row) for row in messages if row.get("compacted")}
    later: str | None = None
    replaced: dict[object, str | None] = {}
    for row in reversed(messages):
        if row.get("active") == 0 and not row.get("compacted"):
            replaced[row["id"]] = later
        elif row["role"] == "user" and row["session_id"] == session.key:
            later = str(row["id"])
    for row, place in session.rows(messages, "timestamp", lambda row: row["role"] == "tool"):
        if not row.get("compacted") and _content(row) in compacted:
            continue
        stamp = Stamp(row.get("timestamp"), id_field(row, "id"), replaced_by=replaced.get(row["id"]), place=place)
        with session.one_message():
            session.row(row, stamp)
    yield from session.finish()


def ids(about: dict[str, Any]) -> Ids:
    """Return the ids of a session and of the one that it worked for."""
    return Ids(id_field(about, "id"), id_field(as_object(parsed(about.get("model_config"))), "_delegate_from"))


def _content(row: dict[str, Any]) -> tuple[object, ...]:
    return tuple(row.get(name) for name in ("session_id", "role", "content", "tool_call_id", "tool_calls"))


class _Session(Session):
    def row(self, row: dict[str, Any], stamp: Stamp) -> None:
        """Add a message with its calls."""
        role, content = row.get("role"), row.get("content")
        if isinstance(content, str) and content.startswith(_ENCODED):
            content = parsed(content.removeprefix(_ENCODED))
        if isinstance(content, str) and content.startswith(_SUMMARIES):
            self.leave_out(LeftOut.SUMMARIES)
        elif role == "user":
            self.person(content, stamp)
        elif role == "tool":
            key = text_field(row, "tool_call_id")
            self.tools.setdefault(key or "", (text_field(row, "tool_name"), None))
            self.result(key, result_text(content, self.leave_out), stamp)
        elif role == "assistant":
            self.leave_out(LeftOut.HIDDEN_REASONING, int(bool(row.get("reasoning") or row.get("reasoning_content"))))
            self.say_parts(Role.ASSISTANT, content, stamp, stamp.place)
            for number, call in enumerate(objects(parsed(row.get("tool_calls")))):
                function = object_field(call, "function")
                name, arguments = text_field(function, "name"), function.get("arguments")
                self.call(id_field(call, "id"), name, arguments, stamp, f"call-{number}")
        else:
            self.leave_out(LeftOut.ATTACHED)
