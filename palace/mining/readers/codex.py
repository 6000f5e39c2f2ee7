"""Codex's sessions: ``rollout-*.jsonl`` below ``~/.codex/sessions``.

A line is ``{timestamp, type, payload}`` (``RolloutItem`` of codex-rs/protocol). ``session_meta`` begins the file; each
message stands twice, as an event for display and as an item sent to the model. Items in the user's role also hold
context that the program adds, so the user's words are taken from the events. Until September 2025 files held items
alone, without times, behind a line of ``{id, timestamp, instructions}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.messages import is_item
from palace.mining.drafts.parts import content_texts, placeholder, result_text, tool_call
from palace.mining.drafts.times import known_time
from palace.mining.files.fields import as_list, as_object, id_field, object_field, objects, parsed, text_field
from palace.mining.files.reading import LeftOut, Reading, Record, Whereabouts
from palace.mining.readers.families import Ids, files_of_subagents, first_line
from palace.mining.readers.sessions import RULES, Call, Line, Lines, OwnText, Session, Tags, folder_name, strip_content
from palace.models import Conversation, Role

NAME = "codex"

_LINES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_HEADER = frozenset({"id", "timestamp", "instructions", "git"})
_VERSION_7 = 7
_IN_NAME = re.compile(r"rollout-(?:.*-)?(\w{8}(?:-\w{4}){3}-\w{12})\.jsonl(?:\.gz)?")
_INDEX = "session_index.jsonl"
_UP_TO_INDEX = 4
"""Levels from ``sessions/2026/01/02`` up to the folder of the index, which holds the names that users gave sessions."""


def recognises(value: object) -> bool:
    """Check whether a value is one line of a rollout."""
    line = as_object(value)
    if str(line.get("type")) in _LINES:
        return isinstance(line.get("payload"), dict)
    return line.get("record_type") == "state" or _is_header(line)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the session with the work of its sub-agents; attached context and bookkeeping are only counted.

    A fork begins with a copy of the session that it was forked from; the copy is read as part of that session. Messages
    that were rolled back are marked as replaced by what was said instead.
    """
    lines = Lines(records, reading, "Codex")
    meta, repeated, own = _parted(lines)
    files = files_of_subagents(reading, _ids, "**/rollout-*", "sessions")
    if _parent(meta) is not None:
        said = 0 if files is None else max(1, sum(_is_said(line.value) for line in repeated + own))
        reading.leave_out(LeftOut.SUBAGENTS, said)
        return
    key = id_field(meta, "id", "session_id") or _id_in_name(reading.where)
    for source_id, part in ((id_field(meta, "forked_from_id"), repeated), (key, own)):
        is_copy = part is repeated
        session = _Session(reading, part, is_copy=is_copy)
        session.tell_all([] if is_copy else files or [])
        lines.report(session)
        session.key, session.title = source_id, _title(reading, source_id) or session.title
        session.folder = text_field(meta, "cwd") or session.folder
        yield from session.finish(
            repository=text_field(object_field(meta, "git"), "repository_url") or "",
            started_at=None if is_copy else known_time(meta.get("timestamp"), reading.now, reading.zone),
        )


def _parent(meta: dict[str, Any]) -> str | None:
    """Return the id of the session that a sub-agent worked for, "" if it is not known; None for a person's session."""
    source = meta.get("source")
    if "subagent" not in (meta.get("thread_source"), source) and "subagent" not in as_object(source):
        return None
    return id_field(object_field(meta, "source", "subagent", "thread_spawn") or meta, "parent_thread_id") or ""


def _ids(where: Whereabouts) -> Ids:
    meta = object_field(first_line(where), "payload")
    return Ids(id_field(meta, "id") or _id_in_name(where), _parent(meta))


def _parted(lines: Iterable[Line]) -> tuple[dict[str, Any], list[Line], list[Line]]:
    """Split a file into its first line, the lines copied from the session it was forked from, and its own."""
    meta: dict[str, Any] = {}
    repeated: list[Line] = []
    own: list[Line] = []
    is_fork = False
    for line in lines:
        # A fork repeats the other session's first line too.
        if line.value.get("type") == "session_meta" or _is_header(line.value):
            is_fork = bool(meta and _parent(meta))
            meta = meta or _payload(line)
        elif (is_fork or id_field(meta, "forked_from_id")) and not own and not _is_own(line.value, meta):
            repeated.append(line)
        else:
            own.append(line)
    start = meta.get("subagent_history_start_ordinal")
    if start is None and not any(id_field(_payload(line), "turn_id") for line in repeated):
        # Without turn ids it cannot be known where the fork's own part begins.
        repeated, own = [], repeated + own
    return meta, repeated, own


def _payload(line: Line) -> dict[str, Any]:
    """Return a line's payload, or the line itself in the older format."""
    return object_field(line.value, "payload") or line.value


def _is_own(line: dict[str, Any], meta: dict[str, Any]) -> bool:
    """Check whether a line is a fork's own: by its number, or as its turn id (UUIDv7) is not older than its id."""
    ordinal, start = line.get("ordinal"), meta.get("subagent_history_start_ordinal")
    if isinstance(ordinal, int) and isinstance(start, int):
        return ordinal >= start
    turn = _made_at(id_field(object_field(line, "payload"), "turn_id"))
    began = _made_at(id_field(meta, "id"))
    return turn is not None and began is not None and turn >= began


def _is_header(line: dict[str, Any]) -> bool:
    return {"id", "timestamp", "instructions"} <= line.keys() <= _HEADER


def _made_at(key: str | None) -> int | None:
    """Return the Unix time in milliseconds of a version 7 UUID (RFC 9562), or None for any other key."""
    try:
        made = UUID(key or "")
    except ValueError:
        return None
    return made.int >> 80 if made.version == _VERSION_7 else None


def _id_in_name(where: Whereabouts | None) -> str | None:
    """Return the session id at the end of a file name: ``rollout-2026-01-02T03-04-05-UUID.jsonl``."""
    found = _IN_NAME.fullmatch(where.path.name) if where else None
    return found[1] if found else None


def _title(reading: Reading, key: str | None) -> str | None:
    """Find the name that the user gave a session in the index beside ``sessions``; the latest entry counts."""
    index = reading.where.beside(_INDEX, _UP_TO_INDEX) if reading.where and key else None
    for line in reversed((index or "").splitlines()):
        entry = as_object(parsed(line)) if key and key in line else {}
        if entry.get("id") == key and (title := text_field(entry, "thread_name")):
            return title
    return None


_TAGS = Tags(NAME)
_SHELL_COMMAND = "<user_shell_command>"
"""Opens a message with a shell command that the user ran, and its output."""
_REQUEST = re.compile(r"^## My request for Codex:[ \t]*(?:\r?\n)?", re.MULTILINE)
_CWD = re.compile(r"\s*<environment_context>\s*<cwd>([^<>\n]{1,4000})</cwd>")
_NOT_SAID = frozenset({"user_instructions", "environment_context"})
"""Kinds of ``user_message`` events that hold context from the program."""
_NOTICES = frozenset({"turn_aborted", "stream_error", "error", "warning", "context_compacted"})
_EVENT = "event_msg"
_IMAGE_MARKS = re.compile(r"<image\b[^<>\n]{0,2000}>|</image>")
_OUTPUTS = ("output", "result", "tools")
_GIVEN = ("arguments", "input", "action", "revised_prompt")


def _is_said(line: dict[str, Any]) -> bool:
    """Check whether a line is a message of the user or the assistant."""
    payload = object_field(line, "payload") or line
    return _kind_of(payload) == "message" and payload.get("role") in ("user", "assistant")


def _kind_of(payload: dict[str, Any]) -> str:
    """Return the type of an event or item; without a type, one with role and content is a message."""
    return str(payload.get("type") or ("message" if {"role", "content"} <= payload.keys() else None))


@dataclass(slots=True)
class _Message:
    role: Role
    content: object
    stamp: Stamp
    call: Call | None = None
    """Set for the result of a tool."""


class _Session(Session):
    """The draft of one session, filled from its lines."""

    def __init__(self, reading: Reading, lines: Sequence[Line], *, is_copy: bool) -> None:
        """Read ``lines``; ``is_copy`` says that they were copied into another session, with that session's times."""
        is_dated = not is_copy and any("timestamp" in line.value for line in lines)
        super().__init__(NAME, reading, _of_the_person, dated=is_dated)
        self._turn: str | None = None
        self._said_in_turn = 0
        self._said: list[Line] = []
        """The messages, each as ``said`` of a line."""
        self._live: list[_Message] = []
        """Messages that have not been rolled back."""
        self._missing: list[_Message] = []
        """Messages that were rolled back and not yet replaced by a new one."""
        payloads = [_payload(line) for line in lines]
        events = [payload for payload, line in zip(payloads, lines, strict=True) if line.value.get("type") == _EVENT]
        self._has_messages = any(event.get("type") == "user_message" for event in events)
        self._has_events = self._has_messages or any(_users_item(event) for event in events)
        self._has_replies = any(_is_said(payload) and payload["role"] == "assistant" for payload in payloads)
        if is_copy:
            self.lack()
        for line, payload in zip(lines, payloads, strict=True):
            stamp = Stamp(None if is_copy else line.value.get("timestamp"), place=line.place)
            with self.one_message():
                self._add(line.value, payload, stamp)

    def tell_all(self, files: list[Whereabouts]) -> None:
        """Add the messages, and those of sub-agents."""
        told = self.with_subagents(
            self._said, "Codex", files, is_result=lambda line: line["said"].call is not None, messages_of=self._of
        )
        for line in told:
            said: _Message = line.value["said"]
            with self.one_message():
                if said.call:
                    self.returned(said.call, said.stamp, None, "answers")
                elif said.role is Role.TOOL:
                    self.say(said.role, str(said.content), said.stamp)
                else:
                    self.say_parts(said.role, said.content, said.stamp, line.place)

    def _of(self, lines: list[Line]) -> list[Line]:
        """Return the messages of a sub-agent."""
        other = _Session(self.reading, _parted(lines)[2], is_copy=False)
        self._is_partial |= other._is_partial
        self._left_out.update(other._left_out)
        return other._said

    def _add(self, line: dict[str, Any], payload: dict[str, Any], stamp: Stamp) -> None:
        kind, of, turn = _kind_of(payload), line.get("type"), id_field(payload, "turn_id")
        if turn and turn != self._turn:
            self._turn, self._said_in_turn = turn, 0
        if of == _EVENT:
            self._event(kind, payload, stamp)
        elif of == "response_item" or (payload is line and (_is_said(payload) or is_item(payload))):
            self._item(kind, payload, stamp)
        elif of == "compacted":
            self.leave_out(LeftOut.SUMMARIES)
        else:
            self.folder = self.folder or text_field(payload, "cwd")
            self.leave_out(LeftOut.BOOKKEEPING)

    def _event(self, kind: str, payload: dict[str, Any], stamp: Stamp) -> None:
        item = object_field(payload, "item")
        if (typed := _users_item(payload)) and not self._has_messages:
            self._typed([said for part in typed if (said := _shown(part))], stamp)
        elif kind == "user_message" and str(payload.get("kind")) not in _NOT_SAID:
            names = [folder_name(str(path)) for path in as_list(payload.get("local_images"))]
            pictures = [f"[image {name}]" for name in names if name] + ["[image]"] * len(as_list(payload.get("images")))
            self._typed([payload.get("message") or "", *pictures], stamp)
        elif kind == "agent_message" and not self._has_replies:
            self._keep(Role.ASSISTANT, payload.get("message") or "", stamp)
        elif kind == "item_completed" and str(item.get("type")).lower() == "plan":
            self._keep(Role.ASSISTANT, item.get("text") or "", stamp)
        elif kind == "thread_name_updated":
            self.title = text_field(payload, "thread_name") or self.title
        elif kind == "thread_rolled_back":
            self._take_back(payload.get("num_turns"))
        else:
            self.leave_out(LeftOut.NOTICES if kind in _NOTICES else LeftOut.BOOKKEEPING)

    def _item(self, kind: str, item: dict[str, Any], stamp: Stamp) -> None:
        if kind == "message":
            self._item_message(item, stamp)
        elif kind == "reasoning":
            self.leave_out(LeftOut.HIDDEN_REASONING)
        elif kind.endswith("_call"):
            name, key = text_field(item, "name") or kind.removesuffix("_call"), id_field(item, "call_id", "id") or ""
            given: Any = next((item[field] for field in _GIVEN if item.get(field) is not None), {})
            self.tools[key] = (name, given)
            self._keep(Role.TOOL, tool_call(name, given), stamp._replace(speaker=name), key)
        elif kind.endswith("_output"):
            key = id_field(item, "call_id") or ""
            given = next((item[name] for name in _OUTPUTS if item.get(name) is not None), "")
            if isinstance(given, dict) and isinstance(given.get("content"), str | list):
                given = given["content"]
            call = Call(*self.tools.get(key, (None, None)), result_text(given, self.leave_out))
            self._keep(Role.TOOL, call.returned, stamp, key and f"{key}:output").call = call
        else:
            self.leave_out(LeftOut.BOOKKEEPING)

    def _item_message(self, item: dict[str, Any], stamp: Stamp) -> None:
        role, content = item.get("role"), item.get("content")
        if role == "assistant":
            self._keep(Role.ASSISTANT, content, stamp)
        elif role != "user":
            self.leave_out(LeftOut.ATTACHED)
        elif not self._has_events:
            self._typed(content, stamp)
        elif (count := sum(_of_the_person(text).blocks for text in content_texts(content))) > 0:
            self.leave_out(LeftOut.ATTACHED, count)

    def _typed(self, content: object, stamp: Stamp) -> None:
        folders = (found[1] for text in content_texts(content) if (found := _CWD.match(text)))
        self.folder = self.folder or next(folders, None)
        if isinstance(content, list):
            texts = [str(as_object(part).get("text")).strip() for part in content]
            # Tags around an image; the image itself becomes a placeholder.
            content = [part for part, text in zip(content, texts, strict=True) if not _IMAGE_MARKS.fullmatch(text)]
        said = strip_content(content, self.part, self.leave_out)
        if isinstance(said, list) and not (said := [part for part in said if part]):
            return
        text = next(iter(content_texts(said)), "")
        if text.lstrip().startswith(_SHELL_COMMAND):
            self._keep(Role.TOOL, text, stamp)
        else:
            self._keep(Role.USER, said, stamp)

    def _keep(self, role: Role, content: object, stamp: Stamp, key: str | None = None) -> _Message:
        """Record and return a message, identified by ``key`` or by its turn and its number in that."""
        if role is not Role.TOOL:
            self._said_in_turn += 1
        if key is None and self._turn:
            key = f"{self._turn}:{self._said_in_turn}"
        said = _Message(role, content, stamp._replace(source_id=key or None))
        if role is Role.USER:
            for each in self._missing:
                each.stamp = each.stamp._replace(replaced_by=key)
            self._missing.clear()
        self._live.append(said)
        self._said.append(Line({"timestamp": stamp.at, "said": said}, stamp.place))
        return said

    def _take_back(self, turns: object) -> None:
        """Roll back the user's last messages, with all that followed them; ``turns`` is their number."""
        left = turns if isinstance(turns, int) else 0
        left = min(left, sum(said.role is Role.USER for said in self._live))
        while left > 0:
            self._missing.append(self._live.pop())
            left -= self._missing[-1].role is Role.USER


def _users_item(event: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the content of a user message in a completed item, the only form since 0.145 in paginated histories."""
    item = object_field(event, "item")
    is_users = event.get("type") == "item_completed" and str(item.get("type")).lower() == "usermessage"
    return objects(item.get("content")) if is_users else []


def _shown(part: dict[str, Any]) -> str | None:
    if part.get("type") == "text":
        return text_field(part, "text")
    name = folder_name(str(part.get("path") or ""))
    return placeholder("image", name) if name or "image" in str(part.get("type")) else None


def _of_the_person(text: str) -> OwnText:
    """Remove the context that the program adds to a user's message."""
    if RULES["codex_context"].fullmatch(text):
        return OwnText("", 1)
    if RULES["codex_editor"].match(text) and (request := _REQUEST.search(text)):
        return OwnText(text[request.end() :].strip(), 1)
    return _TAGS.strip(text)
