"""What one session of Codex says: the person's words, the replies and the tools, apart from what the program put in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from palace.mining.readers.assistants.answered import Call, say_answers
from palace.mining.readers.assistants.injected import (
    ATTACHED,
    SUMMARIES,
    TOLD_BY_PROGRAM,
    Parted,
    Tags,
    part_content,
    without_image_marks,
)
from palace.mining.readers.assistants.lines import Line, folder_name
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.drafts.messages import is_item
from palace.mining.readers.drafts.parts import OddContent, as_json, split_content, tool_call
from palace.mining.readers.fields import as_list, as_object, id_field, text_field
from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role

_AROUND = (
    ("# agents.md instructions", "</instructions>"),
    ("<agent_message_board_notification>", "</agent_message_board_notification>"),
    ("<agents_instructions>", "</agents_instructions>"),
    ("<codex_internal_context", "</codex_internal_context>"),
    ("<environment_context>", "</environment_context>"),
    ("<extension_context>", "</extension_context>"),
    ("<goal_context>", "</goal_context>"),
    ("<hook_prompt", "</hook_prompt>"),
    ("<instructions>", "</instructions>"),
    ("<multiagent_context>", "</multiagent_context>"),
    ("<permissions instructions>", "</permissions instructions>"),
    ("<recommended_plugins>", "</recommended_plugins>"),
    ("<skill>", "</skill>"),
    ("<subagent_notification>", "</subagent_notification>"),
    ("<turn_aborted>", "</turn_aborted>"),
    ("<user_action>", "</user_action>"),
    ("<user_instructions>", "</user_instructions>"),
)
"""How what the program says in the person's name begins and ends, in lower case (codex-rs/core/src/context)."""
_BEGINNINGS = tuple(begin for begin, _ in _AROUND)
_ENDINGS = tuple(end for _, end in _AROUND)
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
    return payload.get("type") == "message" and payload.get("role") in ("user", "assistant")


@dataclass(slots=True)
class _Said:
    """Something that was said, before it is known whether it was taken back."""

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
        self._reading, self._is_copy = reading, is_copy
        self._said: list[_Said] = []
        self._turn: str | None = None
        self._said_in_turn = 0
        self._tools: dict[str, tuple[str, object]] = {}
        """Names and arguments of the tools called, by the id of the call."""
        self._title: str | None = None
        self._folder: str | None = None
        self.repository: str | None = None
        """The address of what was worked in."""
        self._live: list[int] = []
        """Places of what was said and not taken back; so many of them are the person's."""
        self._standing = 0
        self._missing: list[int] = []
        """Places of what was taken back and nothing was said instead of yet."""
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
        """Give the conversation, or nothing where nothing was said."""
        for said in self._said:
            with self.draft.one_message():
                stamp = said.stamp._replace(replaced_by=said.replaced_by)
                if said.role is Role.TOOL:
                    self.draft.say(said.role, str(said.content), stamp)
                    if said.call:
                        say_answers(self.draft, said.call, stamp, "answers")
                else:
                    self.draft.say_parts(said.role, said.content, stamp, stamp.place)
        yield from self.draft.finish(
            source_id=source_id,
            title=title or self._title,
            project=folder_name(folder or self._folder),
            folder=folder or self._folder,
            repository=self.repository or "",
            started_at=started_at,
            place=f"session {source_id}" if source_id else "",
        )

    def _add(self, line: Line, payload: dict[str, Any]) -> None:
        kind = str(payload.get("type"))
        turn = id_field(payload, "turn_id")
        if turn and turn != self._turn:
            self._turn, self._said_in_turn = turn, 0
        stamp = Stamp(None if self._is_copy else line.value.get("timestamp"), place=line.place)
        if _is_event(line):
            self._event(kind, payload, stamp)
        elif line.value.get("type") == "response_item" or (
            payload is line.value and (is_said(payload) or is_item(payload))
        ):
            self._item(kind, payload, stamp)
        elif line.value.get("type") == "compacted":
            self.draft.leave_out(SUMMARIES)
        else:
            self._folder = self._folder or text_field(payload, "cwd")
            self.draft.leave_out("bookkeeping")

    def _event(self, kind: str, payload: dict[str, Any], stamp: Stamp) -> None:
        item = as_object(payload.get("item"))
        if (typed := _users_item(payload)) and not self._has_messages:
            self._person([said for part in typed if (said := _typed(as_object(part)))], stamp)
        elif kind == "user_message" and str(payload.get("kind")) not in _NOT_SAID:
            pictures = [
                f"[image {name}]" for path in as_list(payload.get("local_images")) if (name := folder_name(str(path)))
            ]
            pictures += ["[image]"] * len(as_list(payload.get("images")))
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
            self.draft.leave_out(TOLD_BY_PROGRAM if kind in _NOTICES else "bookkeeping")

    def _item(self, kind: str, item: dict[str, Any], stamp: Stamp) -> None:
        if kind == "message":
            self._message(item, stamp)
        elif kind == "reasoning":
            self.draft.leave_out("hidden reasoning")
        elif kind.endswith("_call"):
            self._call(kind, item, stamp)
        elif kind.endswith("_output"):
            key = id_field(item, "call_id") or ""
            given = next((item[name] for name in _OUTPUTS if item.get(name) is not None), "")
            (tool, asked), returned = self._tools.get(key, (None, None)), self._text(given)
            self._say(Role.TOOL, returned, stamp._replace(speaker=tool), key and f"{key}:output")
            self._said[-1].call = Call(tool, asked, returned)
        else:
            self.draft.leave_out("bookkeeping")

    def _message(self, item: dict[str, Any], stamp: Stamp) -> None:
        role, content = item.get("role"), item.get("content")
        if role == "assistant":
            self._say(Role.ASSISTANT, content, stamp)
        elif role != "user":
            self.draft.leave_out(ATTACHED)
        elif not self._has_events:
            self._person(content, stamp)
        elif (count := _injected(content)) > 0:
            self.draft.leave_out(ATTACHED, count)

    def _person(self, content: object, stamp: Stamp) -> None:
        self._folder = self._folder or next((found[1] for text in _texts(content) if (found := _CWD.match(text))), None)
        said = part_content(without_image_marks(content), _of_the_person, self.draft.leave_out)
        if isinstance(said, list) and not any(said):
            return
        first = said[0] if isinstance(said, list) and said else said
        text = first if isinstance(first, str) else as_object(first).get("text")
        if isinstance(text, str) and text.lstrip().startswith(_SHELL_COMMAND):
            self._say(Role.TOOL, text, stamp)
            return
        self._say(Role.USER, [part for part in said if part] if isinstance(said, list) else said, stamp)

    def _call(self, kind: str, item: dict[str, Any], stamp: Stamp) -> None:
        name = text_field(item, "name") or kind.removesuffix("_call")
        key = id_field(item, "call_id", "id") or ""
        given: Any = next((item[field] for field in _GIVEN if item.get(field) is not None), {})
        self._tools[key] = (name, given)
        self._say(Role.TOOL, tool_call(name, given), stamp._replace(speaker=name), key)

    def _say(self, role: Role, content: object, stamp: Stamp, key: str | None = None) -> None:
        """Keep what was said; a message goes by its turn and its place in that, a call by its own id."""
        if role is not Role.TOOL:
            self._said_in_turn += 1
        if key is None and self._turn:
            key = f"{self._turn}:{self._said_in_turn}"
        said = _Said(role, content, stamp._replace(source_id=key or None))
        if role is Role.USER:
            for place in self._missing:
                self._said[place].replaced_by = key
            self._missing.clear()
            self._standing += 1
        self._live.append(len(self._said))
        self._said.append(said)

    def _take_back(self, turns: object) -> None:
        """Note that the last of the person's messages, with all that followed them, are taken back."""
        left = turns if isinstance(turns, int) else 0
        while left > 0 and self._standing:
            place = self._live.pop()
            self._missing.append(place)
            if self._said[place].role is Role.USER:
                self._standing -= 1
                left -= 1

    def _text(self, given: object) -> str:
        if isinstance(given, dict) and isinstance(given.get("content"), str | list):
            given = given["content"]
        if given is None or isinstance(given, str):
            return given or ""
        try:
            return "\n".join(piece.text for piece in split_content(given, self.draft.leave_out))
        except OddContent:
            return as_json(given)


def _is_event(line: Line) -> bool:
    return line.value.get("type") == "event_msg"


def _users_item(event: dict[str, Any]) -> list[Any]:
    """Give what the person typed as a completed item: paginated histories, since 0.145, have no other event of it."""
    item = as_object(event.get("item"))
    is_users = event.get("type") == "item_completed" and str(item.get("type")).lower() == "usermessage"
    return as_list(item.get("content")) if is_users else []


def _typed(part: dict[str, Any]) -> str | None:
    """Give a part of what was typed; for a picture its placeholder."""
    if part.get("type") == "text":
        return text_field(part, "text")
    name = folder_name(str(part.get("path") or ""))
    return f"[image {name}]" if name else "[image]" if "image" in str(part.get("type")) else None


def _of_the_person(text: str) -> Parted:
    """Take what the program says in the person's name off a text."""
    stripped = text.strip()
    begins, ends = stripped[:_LONGEST].lower(), stripped[-_LONGEST:].lower()
    if begins.startswith(_BEGINNINGS) and ends.endswith(_ENDINGS):
        return Parted("", 1)
    if stripped.startswith(_WARNINGS):
        return Parted("", 1)
    if stripped.startswith(_EDITOR) and (request := _REQUEST.search(text)):
        return Parted(text[request.end() :].strip(), 1)
    return _TAGS.part(text)


def _injected(content: object) -> int:
    """Count what of a message the program said."""
    return sum(_of_the_person(text).blocks for text in _texts(content))


def _texts(content: object) -> list[str]:
    texts = [content] if isinstance(content, str) else [as_object(part).get("text") for part in as_list(content)]
    return [text for text in texts if isinstance(text, str)]
