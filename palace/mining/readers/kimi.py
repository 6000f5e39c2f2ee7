"""Kimi CLI's sessions: ``wire.jsonl`` below ``~/.kimi/sessions/FOLDER/SESSION`` (``kimi_cli`` 1.52.0).

A line is an event with its time, ``{timestamp, message: {type, payload}}``; a reply or the arguments of a call may be
split over several lines. FOLDER is the MD5 of the project's folder, which ``kimi.json`` lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import md5
from pathlib import PurePosixPath
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.parts import result_text
from palace.mining.files.fields import as_object, id_field, object_field, objects, parsed, text_field
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.mining.readers.sessions import Call, Line, Lines, Session, counted
from palace.models import Conversation, Role

NAME = "kimi"

_UP_TO_LIST = 3
_LIST, _STATE = "kimi.json", "state.json"


def recognises(value: object) -> bool:
    """Check whether a value is one line of a session."""
    line = as_object(value)
    message = object_field(line, "message")
    is_event = "timestamp" in line and isinstance(message.get("type"), str) and "payload" in message
    return is_event or (line.get("type") == "metadata" and "protocol_version" in line)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the session; thoughts and bookkeeping are only counted, and so is the file of a sub-agent alone."""
    path = reading.where.path if reading.where else PurePosixPath()
    lines, session = Lines(records, reading, "Kimi CLI"), _Session(NAME, reading)
    files = reading.below("subagents" if path.name == "wire.jsonl" else "")
    for line in session.with_subagents(lines, "Kimi CLI", files, is_result=_is_result):
        with session.one_message():
            session.add(line)
    session.end_part()
    lines.report(session)
    if "subagents" in path.parts[-3:]:
        reading.leave_out(LeftOut.SUBAGENTS, max(1, session.said))
        return
    if path.name == "wire.jsonl" and reading.where:
        session.key = path.parent.name
        session.title = text_field(as_object(parsed(reading.where.beside(_STATE))), "custom_title")
        folders = objects(as_object(parsed(reading.where.beside(_LIST, _UP_TO_LIST))).get("work_dirs"))
        paths = (str(each.get("path")) for each in folders)
        hashed = path.parent.parent.name
        session.folder = next(
            (each for each in paths if md5(each.encode(), usedforsecurity=False).hexdigest() == hashed), None
        )
    yield from session.finish()


def _is_result(line: dict[str, Any]) -> bool:
    return object_field(line, "message").get("type") == "ToolResult"


class _Session(Session):
    said = 0
    _text: tuple[list[str], Stamp] | None = None
    _call: tuple[dict[str, Any], list[str], Stamp] | None = None

    def add(self, line: Line) -> None:
        """Add the message, call or result of a line."""
        kind, payload = (
            str(object_field(line.value, "message").get("type")),
            object_field(line.value, "message", "payload"),
        )
        stamp = Stamp(line.value.get("timestamp"), place=line.place)
        if self._store_part(kind, payload, stamp):
            return
        self.end_part()
        match kind:
            case "TurnBegin" | "SteerInput" | "BtwBegin":
                self.said += 1
                self.person(payload.get("user_input", payload.get("question")), stamp)
            case "ContentPart" if payload.get("type") == "think":
                self.leave_out(LeftOut.HIDDEN_REASONING)
            case "ContentPart":
                self.say_parts(Role.ASSISTANT, [payload], stamp, line.place)
            case "ToolCall":
                self._call = payload, [text_field(object_field(payload, "function"), "arguments") or ""], stamp
            case "ToolResult":
                self._result(payload, stamp)
            case "BtwEnd":
                self.say(Role.ASSISTANT, text_field(payload, "response") or "", stamp)
            case _:
                self.leave_out(counted(NAME).get(kind, LeftOut.BOOKKEEPING))

    def turn_to(self, *, is_subagent: bool) -> None:
        """End what was stored where the work of a sub-agent begins or ends."""
        if is_subagent is not self.is_subagent:
            self.end_part()
        super().turn_to(is_subagent=is_subagent)

    def _store_part(self, kind: str, payload: dict[str, Any], stamp: Stamp) -> bool:
        """Store a line that is a part of a reply or call, and return whether it is one."""
        if kind == "ToolCallPart" and self._call:
            self._call[1].append(text_field(payload, "arguments_part") or "")
        elif kind == "ContentPart" and payload.get("type") == "text":
            self.end_part(is_text=False)
            self._text = self._text or ([], stamp)
            self._text[0].append(str(payload.get("text") or ""))
        else:
            return False
        return True

    def end_part(self, *, is_text: bool = True) -> None:
        """Add the call and, if ``is_text``, the reply whose parts were stored."""
        if is_text and self._text:
            texts, stamp = self._text
            self._text = None
            self.said += 1
            self.say(Role.ASSISTANT, "".join(texts), stamp)
        if self._call:
            call, arguments, stamp = self._call
            self._call = None
            self.call(
                id_field(call, "id"), text_field(object_field(call, "function"), "name"), "".join(arguments), stamp
            )

    def _result(self, payload: dict[str, Any], stamp: Stamp) -> None:
        key, value = id_field(payload, "tool_call_id") or "", object_field(payload, "return_value")
        name, given = self.tools.get(key, (None, None))
        output = result_text(value.get("output"), self.leave_out)
        texts = [text for text in (output, text_field(value, "message")) if text]
        self.returned(Call(name, given, "\n".join(texts), parsed(output)), stamp, None, "answers")
