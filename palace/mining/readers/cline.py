"""Sessions of Cline, Roo Code and Kilo Code: the messages as they are sent to the model.

The extensions keep ``tasks/TASK/api_conversation_history.json``, each in a folder of its own name. Until 2025 replies
called tools in tags, and their results stood in the text of the next message. Cline 3 on the command line writes
``sessions/SESSION/SESSION.messages.json`` (``@cline/core`` 0.0.86).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.parts import result_text
from palace.mining.files.fields import as_list, as_object, id_field, object_field, objects, parsed, text_field
from palace.mining.files.reading import LeftOut, Reading, Record, Whereabouts
from palace.mining.readers.families import Ids, files_of_subagents
from palace.mining.readers.sessions import RULES, Line, Session, Tags
from palace.models import Conversation, Role

NAME = "cline"

_ABOUT, _MESSAGES, _ENDING = "history_item.json", "api_conversation_history.json", ".messages.json"

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
    """Read a task with those that it started; context that the extension added is only counted."""
    folder = reading.where.path.parent if reading.where else None
    messages = [record.value for record in records]
    about = as_object(parsed(reading.beside(_ABOUT)))
    files = files_of_subagents(reading, _ids, f"*/{_MESSAGES}", "tasks")
    if text_field(about, "parentTaskId"):
        reading.leave_out(LeftOut.SUBAGENTS, 0 if files is None else max(1, len(messages)))
        return
    name = next((name for each, name in _FORKS.items() if folder and each in folder.parts), NAME)
    session = _Session(name, reading, _TAGS.strip, dated=False)
    session.key = folder.name if folder and folder.parent.name == "tasks" else None
    session.folder = text_field(about, "workspace")
    lines = _lines(messages, _times(reading, len(messages)))
    yield from session.read(lines, files or [], is_array=True)


def read_document(record: Record, reading: Reading) -> Iterator[Conversation]:
    """Read a session of Cline's command line with those of its sub-agents, which are in its folder."""
    about = as_object(record.value)
    messages = as_list(about.get("messages"))
    if about.get("agent") != "lead":
        reading.leave_out(LeftOut.SUBAGENTS, max(1, len(messages)))
        return
    session = _Session(NAME, reading, _TAGS.strip)
    session.key = id_field(about, "sessionId")
    beside = as_object(parsed(reading.beside(f"{session.key}.json")))
    session.folder = text_field(beside, "workspace_root", "cwd")
    session.title = text_field(object_field(beside, "metadata"), "title")
    where = reading.where
    found = where.below("", 0, f"*{_ENDING}") if where and where.path.parent.name == session.key else []
    others = [each for each in found if each.path.name != f"{session.key}{_ENDING}"]
    yield from session.read(_lines(messages), others)


def _ids(where: Whereabouts) -> Ids:
    """Return the ids of a task and of the one that started it."""
    about = as_object(parsed(where.beside(_ABOUT)))
    return Ids(where.path.parent.name, text_field(about, "parentTaskId"))


def _lines(messages: list[Any], times: Sequence[object] = ()) -> list[Line]:
    """Return messages, each with its time and whether calls stand in parts of their own, not in tags."""
    has_calls = any(part.get("type") == "tool_use" for message in objects(messages) for part in _parts(message))
    lines = []
    for number, (message, time) in enumerate(zip_longest(messages, times), 1):
        value = {"message": message, "timestamp": as_object(message).get("ts") or time, "has_calls": has_calls}
        lines.append(Line(value, f"message {number}"))
    return lines


def _lines_of(lines: list[Line]) -> list[Line]:
    """Return the messages of a sub-agent, whose file is a list of them or a document."""
    return _lines([each for value, _ in lines for each in as_list(value.get("messages", [value]))])


class _Session(Session):
    has_calls = False

    def read(self, lines: list[Line], files: list[Whereabouts], *, is_array: bool = False) -> Iterator[Conversation]:
        """Add the messages, and those of sub-agents, and yield the conversation."""
        parts = (part for line in lines for part in _parts(as_object(line.value["message"])))
        where = (RULES["cline_folder"].search(str(part.get("text"))) for part in parts if "text" in part)
        self.folder = self.folder or next((found[1] for found in where if found), None)
        for value, place in self.with_subagents(
            lines, "Cline", files, is_array=is_array, is_result=_is_result, messages_of=_lines_of
        ):
            self.has_calls = value["has_calls"]
            with self.one_message():
                self.message(value["message"], value["timestamp"], place)
        yield from self.finish()

    def message(self, message: Any, time: object, place: str) -> None:
        """Add a message."""
        if not isinstance(message, dict):
            raise self.reading.problem("the message is not an object", place)
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
        calls = [] if self.has_calls else list(_calls().finditer(text))
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


def _is_result(line: dict[str, Any]) -> bool:
    return any(part.get("type") == "tool_result" for part in _parts(as_object(line["message"])))


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
