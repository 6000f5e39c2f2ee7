"""GitHub Copilot CLI's sessions: ``events.jsonl`` below ``~/.copilot/session-state/SESSION``.

A line is an event ``{type, id, parentId, timestamp, data}`` (``session-events.schema.json`` of github/copilot-sdk);
events of other agents name the one, or the call, that they work for. Until 2025 a session was one document below
``~/.copilot/history-session-state``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.messages import Messages
from palace.mining.drafts.parts import BOOKKEEPING, HIDDEN_REASONING, OddContent, as_json, split_content, tool_call
from palace.mining.files.fields import as_list, as_object, id_field, text_field
from palace.mining.files.json_records import read_each
from palace.mining.files.reading import Reading, Record
from palace.mining.readers.agent_sessions import (
    ATTACHED,
    SUBAGENTS,
    SUMMARIES,
    TOLD_BY_PROGRAM,
    Call,
    Line,
    Lines,
    Tags,
    folder_name,
    part_content,
    say_answers,
)
from palace.models import Conversation, Role

NAME = "copilot-cli"

_KINDS = ("session.", "user.", "assistant.", "tool.", "system.", "hook.", "subagent.", "skill.", "permission.")
_TAGS = Tags(
    "system_reminder", "system-reminder", "system_notification", "agent_instructions", "current_datetime", "reminder"
)
_COUNTED = {
    **dict.fromkeys(("session.error", "session.warning", "session.info"), TOLD_BY_PROGRAM),
    **dict.fromkeys(("system.notification", "abort"), TOLD_BY_PROGRAM),
    **dict.fromkeys(("system.message", "skill.invoked", "hook.start", "hook.end"), ATTACHED),
    "session.compaction_complete": SUMMARIES,
    "assistant.reasoning": HIDDEN_REASONING,
}
"""Events in which nothing is said, and as what they are counted; the rest is bookkeeping."""
_OF_THE_PERSON = frozenset({"", "user"})


def recognises(value: object) -> bool:
    """Tell one event of a session."""
    event = as_object(value)
    kind = event.get("type")
    return isinstance(kind, str) and kind.startswith(_KINDS) and isinstance(event.get("data"), dict)


def recognises_document(value: object) -> bool:
    """Tell a session of the older form."""
    session = as_object(value)
    return "sessionId" in session and isinstance(session.get("chatMessages"), list)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the session; what other agents did, what the program attached, and bookkeeping are counted."""
    lines, session = Lines(records, reading, "GitHub Copilot CLI"), _Session(reading)
    for line in lines:
        with session.draft.one_message():
            session.add(line)
    lines.report(session.draft)
    yield from session.finish()


def read_documents(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read sessions of the older form: the messages as the model was sent them."""
    yield from read_each(records, reading, lambda record: _document(as_object(record.value), reading))


def _document(about: dict[str, Any], reading: Reading) -> Iterator[Conversation]:
    draft = Draft(NAME, reading, dated=False)
    messages = Messages(draft, reading)
    for number, message in enumerate(as_list(about.get("chatMessages")), 1):
        value = as_object(message)
        with draft.one_message():
            if value.get("role") in ("system", "developer"):
                draft.leave_out(ATTACHED)
            elif value.get("role") == "user":
                said = part_content(value.get("content"), _TAGS.part, draft.leave_out)
                if said:
                    messages.say({**value, "content": said}, f"message {number}")
            else:
                messages.say(message, f"message {number}")
    context = as_object(about.get("context"))
    yield from draft.finish(
        source_id=id_field(about, "sessionId"),
        title=text_field(about, "title"),
        project=folder_name(text_field(context, "gitRoot", "cwd")),
        folder=text_field(context, "cwd", "gitRoot"),
    )


class _Session:
    def __init__(self, reading: Reading) -> None:
        self.draft = Draft(NAME, reading)
        self._reading = reading
        self._key: str | None = None
        self._title: str | None = None
        self._folder: str | None = None
        self._root: str | None = None
        self._tools: dict[str, tuple[str, object]] = {}
        """Names and arguments of the tools called, by the id of the call."""

    def add(self, line: Line) -> None:
        """Take up an event."""
        kind, data = str(line.value.get("type")), as_object(line.value.get("data"))
        stamp = Stamp(line.value.get("timestamp"), id_field(line.value, "id"), place=line.place)
        if line.value.get("agentId") or data.get("parentToolCallId"):
            self.draft.leave_out(SUBAGENTS)
        elif kind == "user.message":
            self._person(data, stamp)
        elif kind == "assistant.message":
            self._reply(data, stamp)
        elif kind == "tool.execution_start":
            self._call(data, stamp)
        elif kind == "tool.execution_complete":
            self._result(data, stamp)
        elif kind in ("session.start", "session.resume", "session.context_changed"):
            context = as_object(data.get("context")) or data
            self._key = self._key or id_field(data, "sessionId")
            self._folder = self._folder or text_field(context, "cwd", "gitRoot")
            self._root = self._root or text_field(context, "gitRoot")
        elif kind == "session.title_changed":
            self._title = text_field(data, "title") or self._title
        else:
            self.draft.leave_out(_COUNTED.get(kind, BOOKKEEPING))

    def _person(self, data: dict[str, Any], stamp: Stamp) -> None:
        if str(data.get("source") or "") not in _OF_THE_PERSON:
            self.draft.leave_out(ATTACHED)
            return
        names = [text_field(as_object(each), "displayName", "path") for each in as_list(data.get("attachments"))]
        files = [f"[file {name}]" for name in names if name]
        said = part_content([data.get("content") or "", *files], _TAGS.part, self.draft.leave_out)
        if parts := [part for part in as_list(said) if part]:
            self.draft.say_parts(Role.USER, parts, stamp, stamp.place)

    def _reply(self, data: dict[str, Any], stamp: Stamp) -> None:
        if text_field(data, "reasoningText", "reasoningOpaque"):
            self.draft.leave_out(HIDDEN_REASONING)
        if text_field(data, "content"):
            self.draft.say_parts(Role.ASSISTANT, data["content"], stamp, stamp.place)
        for request in as_list(data.get("toolRequests")):
            self._call(as_object(request), stamp)

    def _call(self, call: dict[str, Any], stamp: Stamp) -> None:
        key, name = id_field(call, "toolCallId"), text_field(call, "name", "toolName")
        if name is None or (key and key in self._tools):
            return
        if key:
            self._tools[key] = (name, call.get("arguments"))
        text = tool_call(name, call.get("arguments") or {})
        self.draft.say(Role.TOOL, text, stamp._replace(speaker=name), key or "call")

    def _result(self, data: dict[str, Any], stamp: Stamp) -> None:
        given = data.get("result") if data.get("result") is not None else data.get("error")
        tool, asked = self._tools.get(id_field(data, "toolCallId") or "", (None, None))
        returned, own = self._text(given), stamp._replace(speaker=tool)
        self.draft.say(Role.TOOL, returned, own)
        # An error of the tool's own may be of any words; that it was refused is said by the code.
        is_refused = data.get("success") is False and as_object(given).get("code") in (None, "rejected", "denied")
        say_answers(self.draft, Call(tool, asked, returned, is_refused=is_refused), own, "answers")

    def _text(self, given: object) -> str:
        value = as_object(given)
        text = text_field(value, "content", "message", "detailedContent")
        if text is not None:
            return text
        try:
            return "\n".join(piece.text for piece in split_content(value.get("content", given), self.draft.leave_out))
        except OddContent:
            return as_json(given) if given is not None else ""

    def finish(self) -> Iterator[Conversation]:
        """Yield the conversation."""
        key = self._key or _id_of_path(self._reading)
        yield from self.draft.finish(
            source_id=key,
            title=self._title or _title_beside(self._reading),
            project=folder_name(self._root or self._folder),
            folder=self._folder,
            place=f"session {key}" if key else "",
        )


def _id_of_path(reading: Reading) -> str | None:
    if reading.where is None:
        return None
    path = reading.where.path
    return path.parent.name if path.name == "events.jsonl" else path.name.removesuffix(".gz").removesuffix(".jsonl")


def _title_beside(reading: Reading) -> str | None:
    """Find what the session is called: ``name:`` or ``summary:`` of the ``workspace.yaml`` beside its events."""
    written = reading.where.beside("workspace.yaml") if reading.where else None
    fields = dict(line.split(": ", 1) for line in (written or "").splitlines() if ": " in line and line[0].isalpha())
    found = next((fields[name].strip().strip("\"'") for name in ("name", "summary") if fields.get(name)), None)
    return found if found and found not in ("|", "|-", ">", ">-", "null") else None
