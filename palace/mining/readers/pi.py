"""Sessions of OpenClaw and of pi, the agent that it contains: a tree of entries as JSON lines.

The files are below ``~/.openclaw/agents/AGENT/sessions`` and ``~/.pi/agent/sessions``; ``docs/session-format.md`` of
``@mariozechner/pi-coding-agent`` 0.73.1 describes them. Newer OpenClaw keeps the same lines in a database of each agent
(``openclaw`` 2026.9.6), in its latest versions compressed; its archives of old sessions are not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.links import find_taken_back
from palace.mining.drafts.parts import result_text
from palace.mining.files.fields import as_object, id_field, object_field, objects, parsed, text_field
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.mining.readers.sessions import Line, Lines, Session, Tags, counted, with_exit_code
from palace.models import Conversation, Role

NAME, OPENCLAW = "pi", "openclaw"

_TAGS = Tags(NAME)


def recognises(value: object) -> bool:
    """Check whether a value is one entry of a session."""
    entry = as_object(value)
    if entry.get("type") == "session":
        return {"id", "timestamp", "cwd"} <= entry.keys()
    return entry.get("type") == "message" and {"parentId", "message"} <= entry.keys()


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the session; messages of abandoned branches of its tree are marked as replaced."""
    is_openclaw = reading.where is not None and ".openclaw" in reading.where.path.parts
    yield from _read(records, reading, OPENCLAW if is_openclaw else NAME)


def read_rows(about: dict[str, Any], rows: list[dict[str, Any]], reading: Reading) -> Iterator[Conversation]:
    """Read a session of OpenClaw's database, whose rows are the lines of the older file."""
    if ":subagent:" in (text_field(about, "session_key") or ""):
        reading.leave_out(LeftOut.SUBAGENTS, max(1, len(rows)))
        return
    written = (Record(parsed(row["event_json"] or row["event_zstd"]), row["seq"], fault=row["fault"]) for row in rows)
    yield from _read(written, reading, OPENCLAW)


def _read(records: Iterator[Record], reading: Reading, name: str) -> Iterator[Conversation]:
    lines, entries = Lines(records, reading, "pi"), list[Line]()
    session = _Session(name, reading, _TAGS.strip)
    for line in lines:
        if line.value.get("type") == "session":
            session.key, session.folder = id_field(line.value, "id"), text_field(line.value, "cwd")
        elif line.value.get("type") == "session_info":
            session.title = text_field(line.value, "name") or session.title
        else:
            entries.append(line)
    lines.report(session)
    if name == OPENCLAW and _is_subagent(session.key, reading):
        reading.leave_out(LeftOut.SUBAGENTS, max(1, len(entries)))
        return
    parents = {id_field(line.value, "id") or "": id_field(line.value, "parentId") for line in entries}
    roles = {id_field(line.value, "id") or "": object_field(line.value, "message").get("role") for line in entries}
    taken_back = find_taken_back(parents, {key: role == "user" for key, role in roles.items()})
    for line in entries:
        key = id_field(line.value, "id")
        stamp = Stamp(line.value.get("timestamp"), key, replaced_by=taken_back.get(key or ""), place=line.place)
        with session.one_message():
            session.add(line.value, stamp)
    yield from session.finish()


def _is_subagent(key: str | None, reading: Reading) -> bool:
    sessions = as_object(parsed(reading.beside("sessions.json")))
    return any(":subagent:" in name and as_object(each).get("sessionId") == key for name, each in sessions.items())


class _Session(Session):
    def add(self, entry: dict[str, Any], stamp: Stamp) -> None:
        """Add the message of an entry."""
        if entry.get("type") != "message":
            self.leave_out(counted(NAME).get(str(entry.get("type")), LeftOut.BOOKKEEPING))
            return
        message = object_field(entry, "message")
        content = message.get("content")
        match message.get("role"):
            case "user":
                self.person(content, stamp)
            case "assistant":
                self._reply(message, stamp)
            case "toolResult":
                key = id_field(message, "toolCallId")
                self.tools.setdefault(key or "", (text_field(message, "toolName"), None))
                self.result(key, result_text(content, self.leave_out), stamp)
            case "bashExecution":
                self.say(Role.USER, f"! {message.get('command')}", stamp)
                output = with_exit_code(str(message.get("output") or ""), message.get("exitCode"))
                self.say(Role.TOOL, output, stamp, "output")
            case "custom" | "branchSummary" | "compactionSummary":
                self.leave_out(LeftOut.ATTACHED)
            case _:
                raise self.reading.problem("the message has an unknown role", stamp.place)

    def _reply(self, message: dict[str, Any], stamp: Stamp) -> None:
        content = message.get("content")
        if not isinstance(content, list):
            self.say_parts(Role.ASSISTANT, content, stamp, stamp.place)
            return
        if message.get("errorMessage"):
            self.leave_out(LeftOut.NOTICES)
        is_first = True
        for number, part in enumerate(objects(content)):
            if part.get("type") == "toolCall":
                self.call(id_field(part, "id"), text_field(part, "name"), part.get("arguments"), stamp, number)
            elif part.get("type") == "thinking":
                self.leave_out(LeftOut.HIDDEN_REASONING)
            else:
                self.say(Role.ASSISTANT, result_text([part], self.leave_out), stamp, None if is_first else number)
                is_first = False
