"""Sessions of Cline, Roo Code and Kilo Code: the messages as they are sent to the model.

The extensions keep ``tasks/TASK/api_conversation_history.json``, each in a folder of its own name. Until 2025 replies
called tools in tags, and their results stood in the text of the next message. Cline 3 on the command line writes
``sessions/SESSION/SESSION.messages.json`` (``@cline/core`` 0.0.86).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.parts import result_text
from palace.mining.files.fields import as_object, id_field, object_field, objects, parsed, text_field
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.mining.readers.sessions import RULES, Session, Tags
from palace.models import Conversation, Role

NAME = "cline"

_FORKS = {"rooveterinaryinc.roo-cline": "roo", "kilocode.kilo-code": "kilo"}
"""Names of the forks by the folder of their extension."""
_TAGS = Tags(NAME)
_SPEAKING = {"ask_followup_question": "question", "attempt_completion": "result", "plan_mode_respond": "response"}
"""Tools whose calls are words of the assistant, with the argument that contains the words."""


def recognises(value: object) -> bool:
    """Check whether a value is a user message with the context that the extension adds."""
    message = as_object(value)
    texts = [str(part.get("text")) for part in objects(message.get("content"))]
    return message.get("role") == "user" and any(map(RULES["cline_opening"].match, texts))


def recognises_document(value: object) -> bool:
    """Check whether a value is a session of Cline's command line."""
    return {"messages", "agent", "sessionId", "updated_at"} <= as_object(value).keys()


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read a task; one started by another task is only counted, and so is context that the extension added."""
    folder = reading.where.path.parent if reading.where else None
    messages = [record.value for record in records]
    about = as_object(parsed(reading.beside("history_item.json")))
    if text_field(about, "parentTaskId"):
        reading.leave_out(LeftOut.SUBAGENTS, max(1, len(messages)))
        return
    name = next((name for each, name in _FORKS.items() if folder and each in folder.parts), NAME)
    session = _Session(name, reading, _TAGS.strip, dated=False)
    session.key = folder.name if folder and folder.parent.name == "tasks" else None
    session.folder = text_field(about, "workspace")
    session.times = _times(reading, len(messages))
    yield from session.read(messages)


def read_document(record: Record, reading: Reading) -> Iterator[Conversation]:
    """Read a session of Cline's command line; one of a sub-agent is only counted."""
    about = as_object(record.value)
    if about.get("agent") != "lead":
        reading.leave_out(LeftOut.SUBAGENTS, max(1, len(objects(about.get("messages")))))
        return
    session = _Session(NAME, reading, _TAGS.strip)
    session.key = id_field(about, "sessionId")
    beside = as_object(parsed(reading.beside(f"{session.key}.json")))
    session.folder = text_field(beside, "workspace_root", "cwd")
    session.title = text_field(object_field(beside, "metadata"), "title")
    yield from session.read(about.get("messages"))


class _Session(Session):
    times: list[object]
    has_native_calls = False

    def read(self, messages: object) -> Iterator[Conversation]:
        """Add the messages and yield the conversation."""
        parts = [part for message in objects(messages) for part in _parts(message)]
        self.has_native_calls = any(part.get("type") == "tool_use" for part in parts)
        where = (RULES["cline_folder"].search(str(part.get("text"))) for part in parts if "text" in part)
        self.folder = self.folder or next((found[1] for found in where if found), None)
        self.say_each(messages, "", self.message)
        yield from self.finish()

    def message(self, message: dict[str, Any], place: str) -> None:
        """Add a message."""
        at = int(place.rpartition(" ")[2]) - 1
        time = message.get("ts") or next(iter(getattr(self, "times", [])[at : at + 1]), None)
        stamp = Stamp(time, id_field(message, "id"), place=place)
        if message.get("role") not in ("user", "assistant") or "content" not in message:
            raise self.reading.problem("the message has no role or no content", place)
        if as_object(message.get("metadata")).get("displayOnly"):
            self.leave_out(LeftOut.NOTICES)
        elif message.get("isSummary"):
            self.leave_out(LeftOut.SUMMARIES)
        elif message["role"] == "user":
            self._typed(_parts(message), stamp)
        else:
            self._reply(_parts(message), stamp)

    def _typed(self, parts: list[dict[str, Any]], stamp: Stamp) -> None:
        tool: str | None = None
        for number, part in enumerate(parts):
            text = part.get("text")
            if part.get("type") == "tool_result":
                key = id_field(part, "tool_use_id")
                name = self.tools.get(key or "", (None, None))[0] or text_field(part, "name")
                self._returned(name, result_text(part.get("content"), self.leave_out), stamp, number)
            elif not isinstance(text, str):
                self.say_parts(Role.USER, [part], stamp, stamp.place)
            elif returned := RULES["cline_result"].match(text):
                tool = returned[1]
                self._returned(tool, text[returned.end() :], stamp, number)
            elif tool and not text.lstrip().startswith("<environment_details>"):
                self._returned(tool, text, stamp, number)
            else:
                self._words(text, stamp, number)

    def _words(self, text: str, stamp: Stamp, number: int) -> None:
        """Add the words of the user in a text, without the extension's text around them."""
        said, blocks = self.part(text)
        self.leave_out(LeftOut.ATTACHED, blocks)
        if marked := RULES["cline_words"].search(said):
            self.say(Role.USER, marked[2], stamp, number or None)
            said = said[: marked.start()].strip() and "[ERROR]"
        if RULES["cline_notice"].match(said):
            self.leave_out(LeftOut.NOTICES)
        elif said:
            self.say(Role.USER, said, stamp, number or None)

    def _returned(self, tool: str | None, text: str, stamp: Stamp, number: int) -> None:
        said, blocks = self.part(text)
        self.leave_out(LeftOut.ATTACHED, blocks)
        # Other results may quote anything.
        marked = RULES["cline_answer"].match(said)
        if marked and (tool in _SPEAKING or marked[1]):
            self.say(Role.USER, marked[3], stamp, f"{number}:said")
            said = (marked[1] or "").strip()
        if said and not (marked and tool in _SPEAKING):
            self.say(Role.TOOL, said, stamp._replace(speaker=tool), number)

    def _reply(self, parts: list[dict[str, Any]], stamp: Stamp) -> None:
        for number, part in enumerate(parts):
            text = part.get("text")
            if part.get("type") == "tool_use":
                self._act(id_field(part, "id"), text_field(part, "name") or "", part.get("input"), stamp, number)
            elif not isinstance(text, str):
                self.say_parts(Role.ASSISTANT, [part], stamp, stamp.place)
            else:
                left, hidden = RULES["cline_thinking"].subn("", text)
                self.leave_out(LeftOut.HIDDEN_REASONING, hidden)
                self._tagged(left if hidden else text, stamp, number)

    def _tagged(self, text: str, stamp: Stamp, number: int) -> None:
        """Add the text of a reply, and the calls in its tags."""
        calls = [] if self.has_native_calls else list(_calls().finditer(text))
        before = text[: calls[0].start()].strip() if calls else text
        self.say(Role.ASSISTANT, before, stamp, number or None)
        for place, call in enumerate(calls):
            given = dict(RULES["cline_argument"].findall(call[2]))
            self._act(None, call[1], given, stamp, f"{number}:call-{place}")

    def _act(self, key: str | None, name: str, given: object, stamp: Stamp, part: object) -> None:
        words = text_field(as_object(given), _SPEAKING.get(name, ""))
        if words is None:
            self.call(key, name or None, given, stamp, part)
            return
        self.tools |= {key: (name, given)} if key else {}
        self.say(Role.ASSISTANT, words, stamp, part)


def _parts(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)


def _calls() -> re.Pattern[str]:
    names = "|".join(RULES.words("cline_tools"))
    return re.compile(rf"^<({names})>(.*?)(?:</\1>|\Z)", re.DOTALL | re.MULTILINE)


def _times(reading: Reading, count: int) -> list[object]:
    """Return the time of each message from ``ui_messages.json``, whose entries name the number of messages so far.

    Without that file, the first message has the time in the task's name.
    """
    shown = objects(parsed(reading.beside("ui_messages.json")))
    latest = {at: each.get("ts") for each in shown if isinstance(at := each.get("conversationHistoryIndex"), int)}
    times: list[object] = []
    for number in range(count):
        times.append(latest.get(number - 1, times[-1] if times else None))
    named = reading.where.path.parent.name if reading.where else ""
    if times and times[0] is None and named.isdecimal() and len(named) == 13:
        times[0] = int(named)
    return times
