"""GitHub Copilot CLI's sessions: ``events.jsonl`` below ``~/.copilot/session-state/SESSION``.

A line is an event ``{type, id, parentId, timestamp, data}`` (``session-events.schema.json`` of github/copilot-sdk);
events of subagents name the agent or the call that they belong to. Until 2025 a session was one document below
``~/.copilot/history-session-state``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.messages import Messages
from palace.mining.drafts.parts import result_text
from palace.mining.files.fields import as_object, id_field, object_field, objects, text_field
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.mining.readers.sessions import Call, Line, Lines, Session, Tags, counted, folder_name, strip_content
from palace.models import Conversation, Role

NAME = "copilot-cli"

_KINDS = ("session.", "user.", "assistant.", "tool.", "system.", "hook.", "subagent.", "skill.", "permission.")
_TAGS = Tags(NAME)
_OF_THE_PERSON = frozenset({"", "user"})


def recognises(value: object) -> bool:
    """Check whether a value is one event of a session."""
    event = as_object(value)
    kind = event.get("type")
    return isinstance(kind, str) and kind.startswith(_KINDS) and isinstance(event.get("data"), dict)


def recognises_document(value: object) -> bool:
    """Check whether a value is a session in the older format."""
    session = as_object(value)
    return "sessionId" in session and isinstance(session.get("chatMessages"), list)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the session; attached context and bookkeeping are only counted."""
    lines, session = Lines(records, reading, "GitHub Copilot CLI"), _Session(NAME, reading, _TAGS.strip)
    for line in lines:
        with session.one_message():
            session.add(line)
    lines.report(session)
    session.title = session.title or _title_beside(reading)
    yield from session.finish(project=folder_name(session.root or session.folder))


def read_document(record: Record, reading: Reading) -> Iterator[Conversation]:
    """Read a session in the older format: the messages as they were sent to the model."""
    about, draft = as_object(record.value), Session(NAME, reading, dated=False)
    messages, context = Messages(draft), object_field(about, "context")

    def say(message: dict[str, Any], place: str) -> None:
        content = message.get("content")
        if message.get("role") in ("system", "developer"):
            draft.leave_out(LeftOut.ATTACHED)
        elif message.get("role") != "user":
            messages.say(message, place)
        elif content := strip_content(content, _TAGS.strip, draft.leave_out):
            messages.say({**message, "content": content}, place)

    draft.say_each(about.get("chatMessages"), "", say)
    draft.key, draft.title = id_field(about, "sessionId"), text_field(about, "title")
    draft.folder = text_field(context, "cwd", "gitRoot")
    yield from draft.finish(project=folder_name(text_field(context, "gitRoot", "cwd")), place="")


class _Session(Session):
    root: str | None = None

    def add(self, line: Line) -> None:
        """Add the message, call or metadata of an event."""
        kind, data = str(line.value.get("type")), object_field(line.value, "data")
        stamp = Stamp(line.value.get("timestamp"), id_field(line.value, "id"), place=line.place)
        self.is_subagent = bool(line.value.get("agentId") or data.get("parentToolCallId"))
        if kind == "user.message":
            self._typed(data, stamp)
        elif kind == "assistant.message":
            self._reply(data, stamp)
        elif kind == "tool.execution_start":
            self._call(data, stamp)
        elif kind == "tool.execution_complete":
            self._result(data, stamp)
        elif kind in ("session.start", "session.resume", "session.context_changed"):
            context = object_field(data, "context") or data
            self.key = self.key or id_field(data, "sessionId")
            self.folder = self.folder or text_field(context, "cwd", "gitRoot")
            self.root = self.root or text_field(context, "gitRoot")
        elif kind == "session.title_changed":
            self.title = text_field(data, "title") or self.title
        else:
            self.leave_out(counted(NAME).get(kind, LeftOut.BOOKKEEPING))

    def _typed(self, data: dict[str, Any], stamp: Stamp) -> None:
        if str(data.get("source") or "") not in _OF_THE_PERSON:
            self.leave_out(LeftOut.ATTACHED)
            return
        names = [text_field(each, "displayName", "path") for each in objects(data.get("attachments"))]
        self.person([data.get("content") or "", *(f"[file {name}]" for name in names if name)], stamp)

    def _reply(self, data: dict[str, Any], stamp: Stamp) -> None:
        if text_field(data, "reasoningText", "reasoningOpaque"):
            self.leave_out(LeftOut.HIDDEN_REASONING)
        self.say(Role.ASSISTANT, text_field(data, "content") or "", stamp)
        for request in objects(data.get("toolRequests")):
            self._call(request, stamp)

    def _call(self, call: dict[str, Any], stamp: Stamp) -> None:
        key, name = id_field(call, "toolCallId"), text_field(call, "name", "toolName")
        if name is not None and not (key and key in self.tools):
            self.call(key, name, call.get("arguments"), stamp, key or "call")

    def _result(self, data: dict[str, Any], stamp: Stamp) -> None:
        given = data.get("result") if data.get("result") is not None else data.get("error")
        tool, asked = self.tools.get(id_field(data, "toolCallId") or "", (None, None))
        about = as_object(given)
        text = text_field(about, "content", "message", "detailedContent")
        returned = text if text is not None else result_text(about.get("content", given), self.leave_out)
        # A failed tool may report any error text; only the error code tells that a call was refused.
        is_refused = data.get("success") is False and about.get("code") in (None, "rejected", "denied")
        self.returned(Call(tool, asked, returned, is_refused=is_refused), stamp, None, "answers")


def _title_beside(reading: Reading) -> str | None:
    """Find a session's title: ``name:`` or ``summary:`` in the ``workspace.yaml`` beside its events."""
    written = reading.beside("workspace.yaml")
    fields = dict(line.split(": ", 1) for line in (written or "").splitlines() if ": " in line and line[0].isalpha())
    found = next((fields[name].strip().strip("\"'") for name in ("name", "summary") if fields.get(name)), None)
    return found if found and found not in ("|", "|-", ">", ">-", "null") else None
