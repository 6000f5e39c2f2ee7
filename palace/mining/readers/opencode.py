"""opencode's sessions: messages made of parts (``message-v2.ts`` of anomalyco/opencode).

``opencode.db`` holds them as rows (see ``opencode_stores``), older versions as one file each, and ``opencode export``
writes one session as a document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.parts import as_text, placeholder
from palace.mining.files.fields import as_list, as_object, id_field, object_field, objects, text_field
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.mining.readers.families import Ids, families
from palace.mining.readers.sessions import Call, Session, Tags
from palace.models import Conversation, Role

NAME, KILO = "opencode", "kilo"

_TAGS = Tags(NAME)
_DEFAULT_TITLE = re.compile(r"(New|Child) session - \d{4}-\d\d-\d\dT[\d:.]+Z")


class Message(NamedTuple):
    """A message as opencode stores it."""

    info: dict[str, Any]
    parts: list[dict[str, Any]]
    place: str
    is_subagent: bool = False
    """Whether it is of a session of a sub-agent."""


def recognises(value: object) -> bool:
    """Check whether a value is a session written by ``opencode export``."""
    session = as_object(value)
    about = object_field(session, "info")
    first = as_object(next(iter(as_list(session.get("messages"))), None))
    return "messages" in session and "directory" in about and (not first or "info" in first)


def read_exported(record: Record, reading: Reading) -> Iterator[Conversation]:
    """Read a session written by ``opencode export``."""
    session = as_object(record.value)
    messages = (
        Message(object_field(each, "info"), objects(each.get("parts")), f"message {number}")
        for number, each in enumerate(objects(session.get("messages")), 1)
    )
    yield from read_session(object_field(session, "info"), messages, reading)


def read_session(
    about: dict[str, Any], messages: Iterable[Message], reading: Reading, name: str = NAME, *, is_partial: bool = False
) -> Iterator[Conversation]:
    """Read one session; a subagent's session without the one that it belongs to is only counted.

    Context that the program added to user messages, thoughts and summaries are counted too.
    """
    messages = list(messages)
    if _parent(about):
        reading.leave_out(LeftOut.SUBAGENTS, max(1, len(messages)))
        return
    session, title = _Session(name, reading, _TAGS.strip), text_field(about, "title")
    session.key, session.folder = id_field(about, "id"), text_field(about, "directory")
    session.title = None if title and _DEFAULT_TITLE.fullmatch(title) else title
    if is_partial:
        session.lack()
    for message in messages:
        session.is_subagent = message.is_subagent
        with session.one_message():
            session.add(message)
    # A project is identified by its repository's first commit.
    repository = text_field(about, "projectID", "project_id") or ""
    yield from session.finish(repository=repository, turn_ids_are_global=True)


def read_family(
    sessions: Iterable[dict[str, Any]], read: Callable[[dict[str, Any]], list[Message]], reading: Reading, name: str
) -> Iterator[Conversation]:
    """Read sessions, each with those of its sub-agents; ``read`` returns the messages of one."""
    for about, others in families(sessions, lambda each: Ids(id_field(each, "id"), _parent(each))):
        missed, messages = reading.troubles, read(about)
        messages += (message._replace(is_subagent=True) for other in others for message in read(other))
        # Ids of a session ascend with time; like opencode, sort by time first.
        messages.sort(key=lambda each: (_created(each.info), str(each.info["id"])))
        yield from read_session(about, messages, reading, name, is_partial=reading.troubles > missed)


def _parent(about: dict[str, Any]) -> str | None:
    return id_field(about, "parentID", "parent_id")


def _created(info: dict[str, Any]) -> float:
    created = object_field(info, "time").get("created")
    return float(created) if isinstance(created, int | float) else 0.0


class _Session(Session):
    def add(self, message: Message) -> None:
        info = message.info
        stamp = Stamp(object_field(info, "time").get("created"), id_field(info, "id"), place=message.place)
        if info.get("role") == "user":
            self.person([text for part in message.parts if (text := self._typed(part))], stamp)
        elif info.get("role") != "assistant":
            raise self.reading.problem("the message has an unknown role", message.place)
        elif info.get("summary") is True:
            self.leave_out(LeftOut.SUMMARIES)
        else:
            self._reply(message, stamp)

    def _typed(self, part: dict[str, Any]) -> str | None:
        if part.get("type") == "file":
            return _file(part)
        text = part.get("text") if part.get("type") == "text" else None
        if isinstance(text, str) and not (part.get("synthetic") or part.get("ignored")):
            return text
        self.leave_out(LeftOut.ATTACHED if isinstance(text, str) else LeftOut.BOOKKEEPING)
        return None

    def _reply(self, message: Message, stamp: Stamp) -> None:
        is_first = True
        if isinstance(message.info.get("error"), dict):
            self.leave_out(LeftOut.NOTICES)
        for number, part in enumerate(message.parts, 1):
            key = id_field(part, "id") or str(number)
            match part.get("type"):
                case "text" if isinstance(part.get("text"), str) and not part.get("synthetic"):
                    at = object_field(part, "time").get("start") or stamp.at
                    self.say(Role.ASSISTANT, part["text"], stamp._replace(at=at), None if is_first else key)
                    is_first = is_first and not part["text"]
                case "tool":
                    self._tool(part, stamp, key)
                case "reasoning":
                    self.leave_out(LeftOut.HIDDEN_REASONING)
                case "file":
                    self.say(Role.ASSISTANT, _file(part), stamp, key)
                case _:
                    self.leave_out(LeftOut.BOOKKEEPING)

    def _tool(self, part: dict[str, Any], stamp: Stamp, key: str) -> None:
        state, name = object_field(part, "state"), text_field(part, "tool")
        time, given = object_field(state, "time"), state.get("input")
        began = stamp._replace(at=time.get("start") or stamp.at)
        self.call(None, name, given, began, key)
        returned = next((state[field] for field in ("output", "error") if state.get(field) is not None), None)
        if returned is not None:
            call = Call(name, given, as_text(returned), state.get("metadata"), state.get("status") == "error")
            self.returned(call, began._replace(at=time.get("end") or began.at), f"{key}:output", key)


def _file(part: dict[str, Any]) -> str:
    kind = "image" if str(part.get("mime") or "").startswith("image/") else "file"
    return placeholder(kind, text_field(part, "filename"))
