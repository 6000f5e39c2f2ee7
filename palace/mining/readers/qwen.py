"""Qwen Code's sessions: ``SESSION.jsonl`` below ``~/.qwen/projects/FOLDER/chats`` (``@qwen-code/qwen-code`` 0.15.10).

A line is a record of a tree, ``{uuid, parentUuid, sessionId, timestamp, type, cwd, message}``, whose messages have
Gemini's form. Older sessions have the format of Gemini CLI, of which Qwen Code is a fork, and are read as such.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.links import find_taken_back
from palace.mining.drafts.parts import as_json
from palace.mining.files.fields import as_object, id_field, object_field, objects, text_field
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.mining.readers.gemini_cli import GeminiSession, returned, stripped
from palace.mining.readers.sessions import Line, Lines, Tags, counted
from palace.models import Conversation, Role

NAME = "qwen"

_TAGS = Tags(NAME)


def recognises(value: object) -> bool:
    """Check whether a value is one record of a session."""
    record = as_object(value)
    is_message = isinstance(object_field(record, "message").get("parts"), list)
    return {"uuid", "parentUuid", "sessionId"} <= record.keys() and (is_message or "systemPayload" in record)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the session; messages of abandoned branches of its tree are marked as replaced."""
    lines, entries = Lines(records, reading, "Qwen Code"), list[Line]()
    session = _Session(NAME, reading, lambda text: stripped(text, _TAGS))
    parents: dict[str, str | None] = {}
    links: dict[str, str | None] = {}
    """The message that each record is, or that precedes it."""
    prompts: dict[str, bool] = {}
    for line in lines:
        record, payload = line.value, object_field(line.value, "systemPayload")
        own = id_field(record, "uuid") or ""
        above = id_field(record, "parentUuid")
        # Other records, such as one of a rewind, may stand between messages.
        links[own] = links.get(above or "", above)
        if record.get("type") != "system":
            parents[own], prompts[own], links[own] = links[own], _is_prompt(record), own
        session.key = session.key or id_field(record, "sessionId")
        session.folder = session.folder or text_field(record, "cwd")
        session.title = text_field(payload, "customTitle") or session.title
        entries.append(line)
    lines.report(session)
    taken_back = find_taken_back(parents, prompts)
    files = reading.below(f"subagents/{session.key}", 1)
    for line in session.with_subagents(entries, "Qwen Code", files, is_result=_is_result):
        session.is_subagent = session.is_subagent or bool(line.value.get("isSidechain"))
        key = id_field(line.value, "uuid")
        stamp = Stamp(line.value.get("timestamp"), key, replaced_by=taken_back.get(key or ""), place=line.place)
        with session.one_message():
            session.record(line.value, stamp)
    yield from session.finish(turn_ids_are_global=True)


def _is_prompt(record: dict[str, Any]) -> bool:
    return record.get("type") == "user" and not (record.get("subtype") or record.get("isSidechain"))


def _is_result(record: dict[str, Any]) -> bool:
    return record.get("type") == "tool_result"


class _Session(GeminiSession):
    def record(self, record: dict[str, Any], stamp: Stamp) -> None:
        """Add the message or command of a record."""
        kind, subtype = str(record.get("type")), text_field(record, "subtype") or ""
        payload, parts = object_field(record, "systemPayload"), objects(object_field(record, "message").get("parts"))
        if subtype == "slash_command" and payload.get("phase") == "invocation":
            self.say(Role.USER, text_field(payload, "rawCommand") or "", stamp)
        elif kind == "system" or subtype:
            self.leave_out(counted(NAME).get(subtype, LeftOut.BOOKKEEPING))
        elif kind == "user":
            self.person(self.typed(parts, set()), stamp)
        elif kind == "tool_result":
            self._results(record, parts, stamp)
        elif kind == "assistant":
            self._reply(parts, stamp)
        else:
            raise self.reading.problem("the record has an unknown type", stamp.place)

    def _reply(self, parts: list[dict[str, Any]], stamp: Stamp) -> None:
        self.say_parts(Role.ASSISTANT, [each for each in parts if "functionCall" not in each], stamp, stamp.place)
        for number, part in enumerate(parts):
            if call := object_field(part, "functionCall"):
                self.call(id_field(call, "id"), text_field(call, "name"), call.get("args"), stamp, f"call-{number}")

    def _results(self, record: dict[str, Any], parts: list[dict[str, Any]], stamp: Stamp) -> None:
        about = object_field(record, "toolCallResult")
        for number, part in enumerate(parts):
            key = id_field(object_field(part, "functionResponse"), "id") or id_field(about, "callId")
            is_refused = about.get("status") == "cancelled"
            self.result(key, returned(part), stamp, number or None, is_refused=is_refused)
        if not parts and about:
            shown = about.get("resultDisplay")
            self.result(id_field(about, "callId"), shown if isinstance(shown, str) else as_json(shown), stamp)
