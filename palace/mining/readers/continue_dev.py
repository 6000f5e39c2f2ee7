"""Continue's sessions: ``SESSION.json`` below ``~/.continue/sessions`` (``@continuedev/cli`` 1.5.47 and the editors).

Messages have no times; ``sessions.json`` in the same folder has the time at which each session began.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.parts import result_text
from palace.mining.drafts.times import known_time
from palace.mining.files.fields import as_object, id_field, object_field, objects, parsed, text_field
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.mining.readers.sessions import Session, path_of
from palace.models import Conversation, Role

NAME = "continue"

_DEFAULT_TITLES = frozenset({"New Session", "Untitled Session"})


def recognises(value: object) -> bool:
    """Check whether a value is a session."""
    session = as_object(value)
    first: dict[str, Any] = next(iter(objects(session.get("history"))), {"message": {}})
    return {"sessionId", "history"} <= session.keys() and isinstance(first.get("message"), dict)


def read(record: Record, reading: Reading) -> Iterator[Conversation]:
    """Read a session; summaries, thoughts and attached context are only counted."""
    about = as_object(record.value)
    session = _Session(NAME, reading, dated=False)
    session.key, title = id_field(about, "sessionId"), text_field(about, "title")
    session.title = None if title in _DEFAULT_TITLES else title
    session.folder = path_of(text_field(about, "workspaceDirectory"))
    history = objects(about.get("history"))
    session.answered = {id_field(object_field(each, "message"), "toolCallId") for each in history}
    session.say_each(about.get("history"), "", session.item)
    listed = objects(parsed(reading.beside("sessions.json")))
    began = next((each.get("dateCreated") for each in listed if each.get("sessionId") == session.key), None)
    yield from session.finish(started_at=known_time(began, reading.now, reading.zone))


class _Session(Session):
    answered: set[str | None]
    """Ids of calls whose result is a separate message."""

    def item(self, item: dict[str, Any], place: str) -> None:
        """Add a message with its calls, and their results if they have no messages of their own."""
        message, stamp = object_field(item, "message"), Stamp(place=place)
        role, content = message.get("role"), message.get("content")
        self.leave_out(LeftOut.ATTACHED, len(objects(item.get("contextItems"))))
        if item.get("conversationSummary"):
            self.leave_out(LeftOut.SUMMARIES)
        if role == "user":
            self.person(content, stamp)
        elif role == "tool":
            self.result(id_field(message, "toolCallId"), result_text(content, self.leave_out), stamp)
        elif role == "assistant":
            self._reply(item, message, stamp)
        elif role in ("system", "thinking"):
            self.leave_out(LeftOut.ATTACHED if role == "system" else LeftOut.HIDDEN_REASONING)
        else:
            raise self.reading.problem("the message has an unknown role", place)

    def _reply(self, item: dict[str, Any], message: dict[str, Any], stamp: Stamp) -> None:
        self.say_parts(Role.ASSISTANT, message.get("content"), stamp, stamp.place)
        states = {id_field(each, "toolCallId"): each for each in objects(item.get("toolCallStates"))}
        for call in objects(message.get("toolCalls")):
            key, function = id_field(call, "id"), object_field(call, "function")
            self.call(key, text_field(function, "name"), function.get("arguments"), stamp)
            output = objects(states.get(key, {}).get("output"))
            if output and key not in self.answered:
                is_refused = states[key].get("status") == "canceled"
                texts = [text_field(each, "content") or "" for each in output]
                self.result(key, "\n".join(texts), stamp, is_refused=is_refused)
