"""opencode's sessions: messages made of parts, whichever way they are kept (``message-v2.ts`` of anomalyco/opencode).

``opencode.db`` keeps them as rows (``opencode_database``), older versions as a file each (``opencode_storage``), and
``opencode export`` writes one session as a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.parts import BOOKKEEPING, HIDDEN_REASONING, as_json, placeholder, tool_call
from palace.mining.files.fields import as_list, as_object, id_field, text_field
from palace.mining.files.json_records import read_each
from palace.mining.files.reading import Reading, Record
from palace.mining.readers.agent_sessions import (
    ATTACHED,
    SUBAGENTS,
    SUMMARIES,
    TOLD_BY_PROGRAM,
    Call,
    Tags,
    folder_name,
    part_content,
    say_answers,
)
from palace.models import Conversation, Role

NAME = "opencode"

_TAGS = Tags("system-reminder")
_DEFAULT_TITLE = re.compile(r"(New|Child) session - \d{4}-\d\d-\d\dT[\d:.]+Z")


class Message(NamedTuple):
    """A message as opencode keeps it."""

    info: dict[str, Any]
    parts: list[dict[str, Any]]
    place: str


def recognises(value: object) -> bool:
    """Tell a session as ``opencode export`` writes it."""
    session = as_object(value)
    about = as_object(session.get("info"))
    first = as_object(next(iter(as_list(session.get("messages"))), None))
    return "messages" in session and "directory" in about and (not first or "info" in first)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read sessions as ``opencode export`` writes them."""
    yield from read_each(records, reading, lambda record: _exported(as_object(record.value), reading))


def _exported(session: dict[str, Any], reading: Reading) -> Iterator[Conversation]:
    messages = []
    for number, each in enumerate(map(as_object, as_list(session.get("messages"))), 1):
        parts = [as_object(part) for part in as_list(each.get("parts"))]
        messages.append(Message(as_object(each.get("info")), parts, f"message {number}"))
    yield from read_session(as_object(session.get("info")), messages, reading)


def read_session(
    about: dict[str, Any], messages: Iterable[Message], reading: Reading, *, is_partial: bool = False
) -> Iterator[Conversation]:
    """Read one session; that of a subagent is counted.

    What the program put into the person's messages, thoughts and summaries are counted.
    """
    key, messages = id_field(about, "id"), list(messages)
    if id_field(about, "parentID", "parent_id"):
        reading.leave_out(SUBAGENTS, max(1, len(messages)))
        return
    draft = Draft(NAME, reading)
    if is_partial:
        draft.lack()
    for message in messages:
        with draft.one_message():
            _say(draft, message, reading)
    title, folder = text_field(about, "title"), text_field(about, "directory")
    yield from draft.finish(
        source_id=key,
        title=None if title and _DEFAULT_TITLE.fullmatch(title) else title,
        project=folder_name(folder),
        folder=folder,
        repository=text_field(about, "projectID", "project_id") or "",  # the repository's first commit
        place=f"session {key}" if key else "",
        turn_ids_are_global=True,
    )


def _say(draft: Draft, message: Message, reading: Reading) -> None:
    info = message.info
    stamp = Stamp(as_object(info.get("time")).get("created"), id_field(info, "id"), place=message.place)
    if info.get("role") == "user":
        _person(draft, message, stamp)
    elif info.get("role") != "assistant":
        raise reading.problem("the message has no role that is known", message.place)
    elif info.get("summary") is True:
        draft.leave_out(SUMMARIES)
    else:
        _reply(draft, message, stamp)


def _person(draft: Draft, message: Message, stamp: Stamp) -> None:
    content: list[str] = []
    for part in message.parts:
        kind, text = part.get("type"), part.get("text")
        if kind == "file":
            content.append(_file(part))
        elif kind != "text" or not isinstance(text, str):
            draft.leave_out(BOOKKEEPING)
        elif part.get("synthetic") or part.get("ignored"):
            draft.leave_out(ATTACHED)
        else:
            content.append(text)
    said = part_content(content, _TAGS.part, draft.leave_out)
    if texts := [text for text in as_list(said) if text]:
        draft.say_parts(Role.USER, texts, stamp, stamp.place)


def _reply(draft: Draft, message: Message, stamp: Stamp) -> None:
    is_first = True
    if isinstance(message.info.get("error"), dict):
        draft.leave_out(TOLD_BY_PROGRAM)
    for number, part in enumerate(message.parts, 1):
        key = id_field(part, "id") or str(number)
        at = as_object(part.get("time")).get("start") or stamp.at
        match part.get("type"):
            case "text" if isinstance(part.get("text"), str) and not part.get("synthetic"):
                draft.say(Role.ASSISTANT, part["text"], stamp._replace(at=at), None if is_first else key)
                is_first = is_first and not part["text"]
            case "tool":
                _tool(draft, part, stamp, key)
            case "reasoning":
                draft.leave_out(HIDDEN_REASONING)
            case "file":
                draft.say(Role.ASSISTANT, _file(part), stamp, key)
            case _:
                draft.leave_out(BOOKKEEPING)


def _tool(draft: Draft, part: dict[str, Any], stamp: Stamp, key: str) -> None:
    state, name = as_object(part.get("state")), text_field(part, "tool")
    time = as_object(state.get("time"))
    own = stamp._replace(speaker=name, at=time.get("start") or stamp.at)
    draft.say(Role.TOOL, tool_call(name, state.get("input") or {}), own, key)
    returned = next((state[field] for field in ("output", "error") if state.get(field) is not None), None)
    if returned is not None:
        text = returned if isinstance(returned, str) else as_json(returned)
        own = own._replace(at=time.get("end") or own.at)
        draft.say(Role.TOOL, text, own, f"{key}:output")
        call = Call(name, state.get("input"), text, state.get("metadata"), state.get("status") == "error")
        say_answers(draft, call, own, key)


def _file(part: dict[str, Any]) -> str:
    kind = "image" if str(part.get("mime") or "").startswith("image/") else "file"
    return placeholder(kind, text_field(part, "filename"))
