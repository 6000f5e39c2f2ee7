"""Gemini CLI's sessions: ``session-*.json`` or ``.jsonl`` below ``~/.gemini/tmp/PROJECT/chats``.

The older format is one document. The newer one is a log (``chatRecordingService.ts`` of google-gemini/gemini-cli): a
line of metadata, then messages, a later one replacing an earlier one with the same id; ``$set`` changes metadata, and
``$rewindTo`` takes back a message with all that followed it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.parts import as_json, result_text
from palace.mining.files.fields import as_list, as_object, id_field, object_field, objects, parsed, text_field
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.mining.readers.sessions import Call, Line, Lines, OwnText, Session, Tags, folder_name
from palace.models import Conversation, Role

NAME = "gemini-cli"

_ROLES = {"user": Role.USER, "gemini": Role.ASSISTANT, "model": Role.ASSISTANT}
_NOTICES = frozenset({"info", "error", "warning"})
_TAGS = Tags(NAME)
_FILES, _END = "--- Content from referenced files ---", "--- End of content ---"
_SETUP = "This is the Gemini CLI. We are setting up the context for our chat."
_HASH = re.compile(r"[0-9a-f]{64}")
_ROOT = ".project_root"
_LISTS, _UP_TO_LISTS = ("projects.json", "trustedFolders.json"), 3
"""Lists of known folders, in Gemini CLI's own folder, three levels above the transcript."""


def recognises(value: object) -> bool:
    """Check whether a value is a session or one line of its log."""
    record = as_object(value)
    return {"sessionId", "projectHash"} <= record.keys() or record.keys() in ({"$set"}, {"$rewindTo"})


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the session; tool calls follow the text of their message, thoughts and notices are only counted.

    Messages that were taken back are marked as replaced by what the user said instead.
    """
    lines = Lines(records, reading, "Gemini CLI")
    log = _Log(lines)
    if log.about.get("kind") == "subagent":
        reading.leave_out(LeftOut.SUBAGENTS, max(1, len(log.messages)))
        return
    session = GeminiSession(NAME, reading, lambda text: stripped(text, _TAGS))
    lines.report(session)
    calls = {str(call.get("id")) for message, _ in log.messages.values() for call in objects(message.get("toolCalls"))}
    files = reading.below(str(log.about.get("sessionId")))
    for message, place in session.with_subagents(
        log.messages.values(), "Gemini CLI", files, messages_of=lambda lines: [*_Log(lines).messages.values()]
    ):
        key = id_field(message, "id")
        stamp = Stamp(message.get("timestamp"), key, replaced_by=log.replaced.get(key or ""), place=place)
        with session.one_message():
            session.add(message, stamp, calls)
    if any(id_field(as_object(each), "id") not in log.messages for each in log.rewritten):
        session.leave_out(LeftOut.SUMMARIES)
    session.key, session.title = id_field(log.about, "sessionId"), text_field(log.about, "summary")
    called = _called(reading)
    hashed = next((each for each in (called, str(log.about.get("projectHash"))) if _HASH.fullmatch(each)), None)
    session.folder = _folder(log.about, hashed, reading)
    project = folder_name(session.folder) or (None if _HASH.fullmatch(called) else called or None)
    yield from session.finish(project=project, folder_hash=None if session.folder else hashed)


class _Log:
    """The messages of a session, as they stand at the end of its log."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.about: dict[str, Any] = {}
        self.messages: dict[str, Line] = {}
        """By id, each with its place in the file."""
        self.replaced: dict[str, str] = {}
        """Ids of messages that were taken back, each with the id of the user's next message."""
        self.rewritten: list[Any] = []
        """The history as sent to the model after compression: shortened, and headed by a summary."""
        self._live: list[str] = []
        self._taken_back: list[str] = []
        for line in lines:
            self.add(line.value, line.place)

    def add(self, record: dict[str, Any], place: str) -> None:
        """Apply one record of the log."""
        if "$rewindTo" in record:
            key = str(record["$rewindTo"])
            # If the message is missing, everything is taken back.
            at = self._live.index(key) if key in self._live else 0
            self._taken_back += reversed(self._live[at:])
            del self._live[at:]
        elif isinstance(record.get("$set"), dict):
            self._set(record["$set"], place)
        elif "type" in record:
            self._message(record, place)
        else:
            self._set(record, place)

    def _set(self, about: dict[str, Any], place: str) -> None:
        messages = as_list(about.get("messages"))
        if self.messages:
            self.rewritten = messages or self.rewritten
        else:
            within = f"{place}, " if place.startswith("line") else ""
            for number, message in enumerate(messages, 1):
                self._message(as_object(message), f"{within}message {number}")
        self.about |= {key: value for key, value in about.items() if key != "messages"}

    def _message(self, message: dict[str, Any], place: str) -> None:
        key = id_field(message, "id") or f"#{len(self.messages) + 1}"
        if key not in self.messages:
            self._live.append(key)
            if message.get("type") == "user":
                self.replaced |= dict.fromkeys(self._taken_back, key)
                self._taken_back.clear()
        self.messages[key] = Line(message, place)


class GeminiSession(Session):
    """The draft of a session whose messages have Gemini's form."""

    def add(self, message: dict[str, Any], stamp: Stamp, calls: set[str]) -> None:
        """Add a message and its tool calls; ``calls`` holds the call ids of the whole session."""
        kind, thoughts = str(message.get("type")), message.get("thoughts")
        role = _ROLES.get(kind)
        if role is None:
            self.leave_out(LeftOut.NOTICES if kind in _NOTICES else LeftOut.BOOKKEEPING)
            return
        if thoughts:
            self.leave_out(LeftOut.HIDDEN_REASONING, len(as_list(thoughts)))
        if role is Role.USER:
            self.person(self.typed(message.get("displayContent") or message.get("content"), calls), stamp)
        elif message.get("content"):
            self.say_parts(role, message["content"], stamp, stamp.place)
        for number, call in enumerate(objects(message.get("toolCalls"))):
            name, key = text_field(call, "name"), id_field(call, "id") or str(number)
            own = stamp._replace(at=call.get("timestamp") or stamp.at)
            self.call(None, name, call.get("args"), own, key)
            self.returned(Call(name, call.get("args"), _result(call)), own, f"{key}:result", key)

    def typed(self, content: object, calls: set[str]) -> object:
        """Return what the user typed, without contents of referenced files and without results of ``calls``."""
        if isinstance(content, dict):
            content = [content]
        if not isinstance(content, list):
            return content
        left, is_within = [], False
        for part in content:
            text = part if isinstance(part, str) else as_object(part).get("text")
            mark = text.strip() if isinstance(text, str) else ""
            if str(object_field(as_object(part), "functionResponse").get("id")) in calls:
                continue
            if mark == _FILES:
                self.leave_out(LeftOut.ATTACHED)
                is_within = True
            elif not is_within:
                left.append(part)
            elif mark == _END:
                is_within = False
        return left


def stripped(text: str, tags: Tags) -> OwnText:
    """Return a user's text without the context that the program put around it."""
    if text.lstrip().startswith(_SETUP):
        return OwnText("", 1)
    begun, end = text.find(f"\n{_FILES}"), text.rfind(_END)
    if 0 <= begun < end:
        said = tags.strip(text[:begun] + text[end + len(_END) :])
        return OwnText(said.said.strip(), said.blocks + 1)
    return tags.strip(text)


def _result(call: dict[str, Any]) -> str:
    given = call.get("result")
    parts = given if isinstance(given, list) else [given] if given else []
    texts = [text for part in parts if (text := returned(part))]
    shown = call.get("resultDisplay")
    return "\n".join(texts) or (shown if isinstance(shown, str) else "")


def returned(part: object) -> str:
    """Return the text of a tool's response, or of another part."""
    response = object_field(as_object(part), "functionResponse").get("response")
    if isinstance(response, dict):
        texts = [response[key] for key in ("output", "error") if isinstance(response.get(key), str)]
        return texts[0] if len(response) == 1 and texts else as_json(response)
    return result_text([part]) if isinstance(part, str | dict) else as_json(part)


def _folder(about: dict[str, Any], hashed: str | None, reading: Reading) -> str | None:
    """Return the project's folder: from its own file, by its hash in Gemini CLI's lists, or as the session names it."""
    if root := (reading.beside(_ROOT, 1) or "").strip():
        return root
    for name in _LISTS if hashed else ():
        lists = as_object(parsed(reading.beside(name, _UP_TO_LISTS)))
        for folder in object_field(lists, "projects") or lists:
            if sha256(folder.encode("utf-8", "surrogatepass")).hexdigest() == hashed:
                return folder
    return next((each for each in as_list(about.get("directories")) if isinstance(each, str)), None)


def _called(reading: Reading) -> str:
    """Return Gemini CLI's name for the project, possibly a hash of its folder; "" for a file outside its layout."""
    parents = reading.where.path.parents if reading.where else ()
    return parents[1].name if len(parents) > 1 and parents[0].name == "chats" else ""
