"""Codex's sessions: ``rollout-*.jsonl`` below ``~/.codex/sessions``.

A line is ``{timestamp, type, payload}`` (``RolloutItem`` of codex-rs/protocol): ``session_meta`` begins the file, what
was said stands twice, as an event for people and as an item that the model is sent. The items also hold what the
program says to the model in the person's name, so the events say what the person said. Until September 2025 the items
stood alone, without times, behind a line of ``{id, timestamp, instructions}``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.messages import is_item
from palace.mining.drafts.parts import BOOKKEEPING, HIDDEN_REASONING, content_texts, placeholder, result_text, tool_call
from palace.mining.drafts.times import known_time
from palace.mining.files.fields import as_list, as_object, id_field, text_field
from palace.mining.files.reading import Reading, Record
from palace.mining.readers.agent_sessions import (
    ATTACHED,
    SUBAGENTS,
    SUMMARIES,
    TOLD_BY_PROGRAM,
    Call,
    Line,
    Lines,
    Parted,
    Tags,
    folder_name,
    part_content,
    say_answers,
    without_image_marks,
)
from palace.models import Conversation, Role

NAME = "codex"

_LINES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_HEADER = frozenset({"id", "timestamp", "instructions", "git"})
_VERSION_7 = "7"
_INDEX = "session_index.jsonl"
_UP_TO_INDEX = 4
"""From ``sessions/2026/01/02`` to where Codex keeps the names that people gave."""


def recognises(value: object) -> bool:
    """Tell one line of a rollout."""
    line = as_object(value)
    if str(line.get("type")) in _LINES:
        return isinstance(line.get("payload"), dict)
    return line.get("record_type") == "state" or _is_header(line)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the session; work of subagents, what the program attached, and bookkeeping are counted.

    A fork repeats the session that it was forked from in front of its own: that is read as what it is, a part of the
    other session. What was taken back is replaced by what was said instead.
    """
    lines = Lines(records, reading, "Codex")
    meta, repeated, own = _parted(lines)
    if _is_subagent(meta):
        reading.leave_out(SUBAGENTS, max(1, sum(is_said(line.value) for line in repeated + own)))
        return
    if not any(id_field(as_object(line.value.get("payload")), "turn_id") for line in repeated):
        # Without ids of turns nobody can tell where the fork begins.
        repeated, own = [], repeated + own
    key = id_field(meta, "id", "session_id") or _id_in_name(reading)
    for source_id, part in ((id_field(meta, "forked_from_id"), repeated), (key, own)):
        session = Session(NAME, reading, part, is_copy=part is repeated)
        session.repository = text_field(as_object(meta.get("git")), "repository_url")
        lines.report(session.draft)
        began = None if part is repeated else known_time(meta.get("timestamp"), reading.now, reading.zone)
        yield from session.finish(source_id, _title(reading, source_id), text_field(meta, "cwd"), began)


def _parted(lines: Lines) -> tuple[dict[str, Any], list[Line], list[Line]]:
    """Split a file into its first line, those of the session that it was forked from, and its own."""
    meta: dict[str, Any] = {}
    repeated: list[Line] = []
    own: list[Line] = []
    for line in lines:
        payload = as_object(line.value.get("payload"))
        # A fork repeats the other session's first line too.
        if line.value.get("type") == "session_meta" or _is_header(line.value):
            meta = meta or payload or line.value
        elif id_field(meta, "forked_from_id") and not own and not _is_own(payload, meta):
            repeated.append(line)
        else:
            own.append(line)
    return meta, repeated, own


def _is_own(payload: dict[str, Any], meta: dict[str, Any]) -> bool:
    """Tell the first turn of a fork's own: turns have ids with the time they were made at, as sessions have."""
    turn = _made_at(id_field(payload, "turn_id"))
    began = _made_at(id_field(meta, "id")) or _milliseconds(text_field(meta, "timestamp"))
    return turn is not None and began is not None and turn >= began


def _is_header(line: dict[str, Any]) -> bool:
    return {"id", "timestamp", "instructions"} <= line.keys() <= _HEADER


def _is_subagent(meta: dict[str, Any]) -> bool:
    source = meta.get("source")
    return "subagent" in (meta.get("thread_source"), source) or "subagent" in as_object(source)


def _made_at(key: str | None) -> int | None:
    """Return the milliseconds since 1970 that a UUID of version 7 begins with (RFC 9562)."""
    digits = (key or "").replace("-", "")
    if len(digits) != 32 or digits[12] != _VERSION_7:
        return None
    try:
        return int(digits[:12], 16)
    except ValueError:
        return None


def _milliseconds(moment: str | None) -> int | None:
    try:
        at = datetime.fromisoformat(moment or "")
        return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def _id_in_name(reading: Reading) -> str | None:
    """Return the id that the file's name ends with: ``rollout-2026-01-02T03-04-05-UUID.jsonl``."""
    name = reading.where.path.name if reading.where else ""
    key = name.removesuffix(".gz").removesuffix(".jsonl")[-36:]
    return key if name.startswith("rollout-") and key.count("-") == 4 and len(key) == 36 else None


def _title(reading: Reading, key: str | None) -> str | None:
    """Find the name that the person gave the session, in the list beside ``sessions``; the latest holds."""
    index = reading.where.beside(_INDEX, _UP_TO_INDEX) if reading.where and key else None
    for line in reversed((index or "").splitlines()):
        try:
            entry = as_object(json.loads(line)) if key and key in line else {}
        except (ValueError, RecursionError):
            continue
        if entry.get("id") == key and (title := text_field(entry, "thread_name")):
            return title
    return None


_IN_TAGS = (
    *("agent_message_board_notification", "agents_instructions", "environment_context", "extension_context"),
    *("goal_context", "instructions", "multiagent_context", "recommended_plugins", "skill", "subagent_notification"),
    *("turn_aborted", "user_action", "user_instructions"),
)
_BEGINNINGS = (
    *(f"<{name}>" for name in _IN_TAGS),
    *("# agents.md instructions", "<codex_internal_context", "<hook_prompt", "<permissions instructions>"),
)
_ENDINGS = (
    *(f"</{name}>" for name in _IN_TAGS),
    *("</codex_internal_context>", "</hook_prompt>", "</permissions instructions>"),
)
"""How what the program says in the person's name begins and ends, in lower case (codex-rs/core/src/context)."""
_LONGEST = max(map(len, (*_BEGINNINGS, *_ENDINGS)))
_TAGS = Tags("environment_context", "user_instructions", "recommended_plugins", "INSTRUCTIONS")
_SHELL_COMMAND = "<user_shell_command>"
"""What the person ran themselves, with what came of it."""
_WARNINGS = ("Warning: The maximum number of unified exec processes", "Warning: apply_patch was requested via")
_EDITOR = ("# Context from my IDE setup:", "# Files mentioned by the user:", "# Selected text:")
_REQUEST = re.compile(r"^## My request for Codex:[ \t]*(?:\r?\n)?", re.MULTILINE)
_CWD = re.compile(r"\s*<environment_context>\s*<cwd>([^<>\n]{1,4000})</cwd>")
_NOT_SAID = frozenset({"user_instructions", "environment_context"})
"""Kinds of an event of the person's that are none."""
_NOTICES = frozenset({"turn_aborted", "stream_error", "error", "warning", "context_compacted"})
_OUTPUTS = ("output", "result", "tools")
_GIVEN = ("arguments", "input", "action", "revised_prompt")


def is_said(line: dict[str, Any]) -> bool:
    """Tell a line on which a person or an assistant speaks."""
    payload = as_object(line.get("payload")) or line
    return _kind_of(payload) == "message" and payload.get("role") in ("user", "assistant")


def _kind_of(payload: dict[str, Any]) -> str:
    """Return the type of an event or item; what has a role and content is a message."""
    return str(payload.get("type") or ("message" if {"role", "content"} <= payload.keys() else None))


@dataclass(slots=True)
class _Said:
    role: Role
    content: object
    stamp: Stamp
    replaced_by: str | None = None
    call: Call | None = None
    """Of what a tool returned."""


class Session:
    """The lines of one session, read."""

    def __init__(self, name: str, reading: Reading, lines: Sequence[Line], *, is_copy: bool) -> None:
        """``is_copy``: they stand in another session, which gave them times of its own."""
        self.draft = Draft(name, reading, dated=not is_copy and any("timestamp" in line.value for line in lines))
        self._is_copy = is_copy
        self._said: list[_Said] = []
        self._turn: str | None = None
        self._said_in_turn = 0
        self._tools: dict[str, tuple[str, object]] = {}
        """Names and arguments of the tools called, by the id of the call."""
        self._title: str | None = None
        self._folder: str | None = None
        self.repository: str | None = None
        """The address of what was worked in."""
        self._live: list[_Said] = []
        """What was said and not taken back."""
        self._missing: list[_Said] = []
        """What was taken back and nothing was said instead of yet."""
        payloads = [as_object(line.value.get("payload")) or line.value for line in lines]
        events = [payload for payload, line in zip(payloads, lines, strict=True) if _is_event(line)]
        self._has_messages = any(event.get("type") == "user_message" for event in events)
        self._has_events = self._has_messages or any(_users_item(event) for event in events)
        self._has_replies = any(is_said(payload) and payload["role"] == "assistant" for payload in payloads)
        if is_copy:
            self.draft.lack()
        for line, payload in zip(lines, payloads, strict=True):
            with self.draft.one_message():
                self._add(line, payload)

    def finish(
        self, source_id: str | None, title: str | None, folder: str | None, started_at: datetime | None
    ) -> Iterator[Conversation]:
        """Yield the conversation, or nothing where nothing was said."""
        for said in self._said:
            with self.draft.one_message():
                stamp = said.stamp._replace(replaced_by=said.replaced_by)
                if said.role is Role.TOOL:
                    self.draft.say(said.role, str(said.content), stamp)
                    if said.call:
                        say_answers(self.draft, said.call, stamp, "answers")
                else:
                    self.draft.say_parts(said.role, said.content, stamp, stamp.place)
        folder = folder or self._folder
        yield from self.draft.finish(
            source_id=source_id,
            title=title or self._title,
            project=folder_name(folder),
            folder=folder,
            repository=self.repository or "",
            started_at=started_at,
            place=f"session {source_id}" if source_id else "",
        )

    def _add(self, line: Line, payload: dict[str, Any]) -> None:
        kind, of = _kind_of(payload), line.value.get("type")
        turn = id_field(payload, "turn_id")
        if turn and turn != self._turn:
            self._turn, self._said_in_turn = turn, 0
        stamp = Stamp(None if self._is_copy else line.value.get("timestamp"), place=line.place)
        if _is_event(line):
            self._event(kind, payload, stamp)
        elif of == "response_item" or (payload is line.value and (is_said(payload) or is_item(payload))):
            self._item(kind, payload, stamp)
        elif of == "compacted":
            self.draft.leave_out(SUMMARIES)
        else:
            self._folder = self._folder or text_field(payload, "cwd")
            self.draft.leave_out(BOOKKEEPING)

    def _event(self, kind: str, payload: dict[str, Any], stamp: Stamp) -> None:
        item = as_object(payload.get("item"))
        if (typed := _users_item(payload)) and not self._has_messages:
            self._person([said for part in typed if (said := _typed(as_object(part)))], stamp)
        elif kind == "user_message" and str(payload.get("kind")) not in _NOT_SAID:
            names = [folder_name(str(path)) for path in as_list(payload.get("local_images"))]
            pictures = [f"[image {name}]" for name in names if name] + ["[image]"] * len(as_list(payload.get("images")))
            self._person([payload.get("message") or "", *pictures], stamp)
        elif kind == "agent_message" and not self._has_replies:
            self._say(Role.ASSISTANT, payload.get("message") or "", stamp)
        elif kind == "item_completed" and str(item.get("type")).lower() == "plan":
            self._say(Role.ASSISTANT, item.get("text") or "", stamp)
        elif kind == "thread_name_updated":
            self._title = text_field(payload, "thread_name") or self._title
        elif kind == "thread_rolled_back":
            self._take_back(payload.get("num_turns"))
        else:
            self.draft.leave_out(TOLD_BY_PROGRAM if kind in _NOTICES else BOOKKEEPING)

    def _item(self, kind: str, item: dict[str, Any], stamp: Stamp) -> None:
        if kind == "message":
            self._message(item, stamp)
        elif kind == "reasoning":
            self.draft.leave_out(HIDDEN_REASONING)
        elif kind.endswith("_call"):
            name, key = text_field(item, "name") or kind.removesuffix("_call"), id_field(item, "call_id", "id") or ""
            given: Any = next((item[field] for field in _GIVEN if item.get(field) is not None), {})
            self._tools[key] = (name, given)
            self._say(Role.TOOL, tool_call(name, given), stamp._replace(speaker=name), key)
        elif kind.endswith("_output"):
            key = id_field(item, "call_id") or ""
            given = next((item[name] for name in _OUTPUTS if item.get(name) is not None), "")
            if isinstance(given, dict) and isinstance(given.get("content"), str | list):
                given = given["content"]
            (tool, asked), returned = self._tools.get(key, (None, None)), result_text(given, self.draft.leave_out)
            said = self._say(Role.TOOL, returned, stamp._replace(speaker=tool), key and f"{key}:output")
            said.call = Call(tool, asked, returned)
        else:
            self.draft.leave_out(BOOKKEEPING)

    def _message(self, item: dict[str, Any], stamp: Stamp) -> None:
        role, content = item.get("role"), item.get("content")
        if role == "assistant":
            self._say(Role.ASSISTANT, content, stamp)
        elif role != "user":
            self.draft.leave_out(ATTACHED)
        elif not self._has_events:
            self._person(content, stamp)
        elif (count := sum(_of_the_person(text).blocks for text in content_texts(content))) > 0:
            self.draft.leave_out(ATTACHED, count)

    def _person(self, content: object, stamp: Stamp) -> None:
        folders = (found[1] for text in content_texts(content) if (found := _CWD.match(text)))
        self._folder = self._folder or next(folders, None)
        said = part_content(without_image_marks(content), _of_the_person, self.draft.leave_out)
        if isinstance(said, list) and not any(said):
            return
        first = said[0] if isinstance(said, list) else said
        text = first if isinstance(first, str) else as_object(first).get("text")
        if isinstance(text, str) and text.lstrip().startswith(_SHELL_COMMAND):
            self._say(Role.TOOL, text, stamp)
            return
        self._say(Role.USER, [part for part in said if part] if isinstance(said, list) else said, stamp)

    def _say(self, role: Role, content: object, stamp: Stamp, key: str | None = None) -> _Said:
        """Keep what was said; a message goes by its turn and its place in that, a call by its own id."""
        if role is not Role.TOOL:
            self._said_in_turn += 1
        if key is None and self._turn:
            key = f"{self._turn}:{self._said_in_turn}"
        said = _Said(role, content, stamp._replace(source_id=key or None))
        if role is Role.USER:
            for each in self._missing:
                each.replaced_by = key
            self._missing.clear()
        self._live.append(said)
        self._said.append(said)
        return said

    def _take_back(self, turns: object) -> None:
        """Note that the last of the person's messages, with all that followed them, are taken back."""
        left = turns if isinstance(turns, int) else 0
        left = min(left, sum(said.role is Role.USER for said in self._live))
        while left > 0:
            self._missing.append(self._live.pop())
            left -= self._missing[-1].role is Role.USER


def _is_event(line: Line) -> bool:
    return line.value.get("type") == "event_msg"


def _users_item(event: dict[str, Any]) -> list[Any]:
    """Return what the person typed as a completed item: paginated histories, since 0.145, have no other event of it."""
    item = as_object(event.get("item"))
    is_users = event.get("type") == "item_completed" and str(item.get("type")).lower() == "usermessage"
    return as_list(item.get("content")) if is_users else []


def _typed(part: dict[str, Any]) -> str | None:
    if part.get("type") == "text":
        return text_field(part, "text")
    name = folder_name(str(part.get("path") or ""))
    return placeholder("image", name) if name or "image" in str(part.get("type")) else None


def _of_the_person(text: str) -> Parted:
    """Take what the program says in the person's name off a text."""
    stripped = text.strip()
    begins, ends = stripped[:_LONGEST].lower(), stripped[-_LONGEST:].lower()
    if (begins.startswith(_BEGINNINGS) and ends.endswith(_ENDINGS)) or stripped.startswith(_WARNINGS):
        return Parted("", 1)
    if stripped.startswith(_EDITOR) and (request := _REQUEST.search(text)):
        return Parted(text[request.end() :].strip(), 1)
    return _TAGS.part(text)
