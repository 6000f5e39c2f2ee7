"""Gemini CLI's sessions: ``session-*.json`` or ``.jsonl`` below ``~/.gemini/tmp/PROJECT/chats``.

The older form is one document. The newer one is a log (``chatRecordingService.ts`` of google-gemini/gemini-cli): a line
of metadata, then messages, of which a later one with the same id takes the place of the earlier, ``$set`` for metadata,
and ``$rewindTo`` for a message that is taken back with all that followed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from palace.mining.readers.assistants.answered import Call, say_answers
from palace.mining.readers.assistants.injected import (
    ATTACHED,
    SUBAGENTS,
    SUMMARIES,
    TOLD_BY_PROGRAM,
    Parted,
    Tags,
    part_content,
)
from palace.mining.readers.assistants.lines import Lines, folder_name
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.drafts.parts import OddContent, as_json, split_content, tool_call
from palace.mining.readers.fields import as_list, as_object, id_field, text_field
from palace.mining.readers.json_records import Record
from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role

NAME = "gemini-cli"

_ROLES = {"user": Role.USER, "gemini": Role.ASSISTANT, "model": Role.ASSISTANT}
_NOTICES = frozenset({"info", "error", "warning"})
_TAGS = Tags("session_context", "hook_context", "system-reminder", "environment_context")
_FILES, _END = "--- Content from referenced files ---", "--- End of content ---"
_SETUP = "This is the Gemini CLI. We are setting up the context for our chat."
_HASH = re.compile(r"[0-9a-f]{64}")
_ROOT = ".project_root"
_LISTS, _UP_TO_LISTS = ("projects.json", "trustedFolders.json"), 3
"""Which folders it knows, in its own folder above ``tmp/PROJECT/chats``."""


def recognises(value: object) -> bool:
    """Tell a session, or one line of its log."""
    record = as_object(value)
    return {"sessionId", "projectHash"} <= record.keys() or record.keys() in ({"$set"}, {"$rewindTo"})


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the session: calls to tools behind the words they came with; thoughts and notices are counted.

    What was taken back is replaced by what the person said instead.
    """
    lines, session = Lines(records, reading, "Gemini CLI"), _Session(reading)
    for line in lines:
        session.add(line.value, line.place)
    yield from session.finish(lines)


class _Session:
    """One session while its records are read."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._about: dict[str, Any] = {}
        self._messages: dict[str, tuple[dict[str, Any], str]] = {}
        """By id, each with its place in the file."""
        self._live: dict[str, None] = {}
        """Ids of those that were not taken back, in order."""
        self._taken_back: list[str] = []
        self._replaced: dict[str, str] = {}
        self._rewritten: list[Any] = []

    def add(self, record: dict[str, Any], place: str) -> None:
        """Take up a record."""
        if "$rewindTo" in record:
            self._rewind(str(record["$rewindTo"]))
        elif isinstance(record.get("$set"), dict):
            self._set(record["$set"], place)
        elif "type" in record:
            self._message(record, place)
        else:
            self._set(record, place)

    def _set(self, about: dict[str, Any], place: str) -> None:
        messages = as_list(about.get("messages"))
        if self._messages:
            # The history as the model is sent it from now on: cut down, and begun by a summary.
            self._rewritten = messages or self._rewritten
        else:
            for number, message in enumerate(messages, 1):
                self._message(
                    message, f"{place}, message {number}" if place.startswith("line") else f"message {number}"
                )
        self._about |= {key: value for key, value in about.items() if key != "messages"}

    def _message(self, message: object, place: str) -> None:
        value = as_object(message)
        key = id_field(value, "id") or f"#{len(self._messages) + 1}"
        if value.get("type") == "user" and key not in self._messages:
            self._replaced |= dict.fromkeys(self._taken_back, key)
            self._taken_back.clear()
        if key not in self._messages:
            self._live[key] = None
        self._messages[key] = (value, place)

    def _rewind(self, key: str) -> None:
        """Note what is taken back: a message and all behind it, or everything where it is not there."""
        is_there = key in self._live
        while self._live:
            each, _ = self._live.popitem()
            self._taken_back.append(each)
            if is_there and each == key:
                break

    def finish(self, lines: Lines) -> Iterator[Conversation]:
        """Give the conversation."""
        if self._about.get("kind") == "subagent":
            self._reading.leave_out(SUBAGENTS, max(1, len(self._messages)))
            return
        draft, key = Draft(NAME, self._reading), id_field(self._about, "sessionId")
        lines.tell(draft)
        calls = {str(call.get("id")) for message, _ in self._messages.values() for call in _calls(message)}
        for each, (message, place) in self._messages.items():
            with draft.one_message():
                _say(
                    draft,
                    message,
                    Stamp(message.get("timestamp"), _own_id(each), place=place),
                    self._replaced.get(each),
                    calls,
                )
        if any(id_field(as_object(each), "id") not in self._messages for each in self._rewritten):
            draft.leave_out(SUMMARIES)
        folder = _folder(self._about, self._reading)
        yield from draft.finish(
            source_id=key,
            title=text_field(self._about, "summary"),
            project=folder_name(folder) or _called(self._reading),
            folder=folder,
            folder_hash=None if folder else _hash(self._about, self._reading),
            place=f"session {key}" if key else "",
        )


def _own_id(key: str) -> str | None:
    return None if key.startswith("#") else key


def _say(draft: Draft, message: dict[str, Any], stamp: Stamp, replaced_by: str | None, calls: set[str]) -> None:
    kind = str(message.get("type"))
    role, stamp = _ROLES.get(kind), stamp._replace(replaced_by=replaced_by)
    if role is None:
        draft.leave_out(TOLD_BY_PROGRAM if kind in _NOTICES else "bookkeeping")
        return
    if message.get("thoughts"):
        draft.leave_out("hidden reasoning", len(as_list(message["thoughts"])))
    content = message.get("content")
    if role is Role.USER:
        content = _of_the_person(message, calls, draft)
    if content:
        draft.say_parts(role, content, stamp, stamp.place)
    for number, call in enumerate(_calls(message)):
        name, key = text_field(call, "name"), id_field(call, "id") or str(number)
        own = stamp._replace(at=call.get("timestamp") or stamp.at, speaker=name)
        draft.say(Role.TOOL, tool_call(name, call.get("args") or {}), own, key)
        draft.say(Role.TOOL, _result(call), own, f"{key}:result")
        say_answers(draft, Call(name, call.get("args"), _result(call)), own, key)


def _of_the_person(message: dict[str, Any], calls: set[str], draft: Draft) -> object:
    """Give what the person typed: what they were shown of it, else the content without the files that it names."""
    shown = message.get("displayContent")
    content = shown if shown else message.get("content")
    if isinstance(content, dict):
        content = [content]
    if isinstance(content, list):
        content = [part for part in content if not _is_known_result(part, calls)]
        content = list(_without_files(content, draft))
    return part_content(content, _part, draft.leave_out)


def _part(text: str) -> Parted:
    if text.lstrip().startswith(_SETUP):
        return Parted("", 1)
    begun, end = text.find(f"\n{_FILES}"), text.rfind(_END)
    if 0 <= begun < end:
        rest = text[end + len(_END) :]
        said = _TAGS.part(text[:begun] + rest)
        return Parted(said.said.strip(), said.blocks + 1)
    return _TAGS.part(text)


def _without_files(parts: list[Any], draft: Draft) -> Iterator[Any]:
    """Leave out the files that were put behind what names them."""
    is_within = False
    for part in parts:
        text = part if isinstance(part, str) else as_object(part).get("text")
        mark = text.strip() if isinstance(text, str) else ""
        if mark == _FILES:
            draft.leave_out(ATTACHED)
            is_within = True
        elif not is_within:
            yield part
        elif mark == _END:
            is_within = False


def _is_known_result(part: object, calls: set[str]) -> bool:
    returned = as_object(as_object(part).get("functionResponse"))
    return str(returned.get("id")) in calls


def _calls(message: dict[str, Any]) -> list[dict[str, Any]]:
    return [call for call in as_list(message.get("toolCalls")) if isinstance(call, dict)]


def _result(call: dict[str, Any]) -> str:
    """Write what a call returned: what the model was sent, else what the person was shown."""
    given = call.get("result")
    parts = given if isinstance(given, list) else [given] if given else []
    texts = [_returned(part) for part in parts]
    if any(texts):
        return "\n".join(text for text in texts if text)
    shown = call.get("resultDisplay")
    return shown if isinstance(shown, str) else ""


def _returned(part: object) -> str:
    response = as_object(as_object(part).get("functionResponse")).get("response")
    if isinstance(response, dict):
        told = [response[key] for key in ("output", "error") if isinstance(response.get(key), str)]
        return told[0] if len(response) == 1 and told else as_json(response)
    try:
        return "\n".join(piece.text for piece in split_content([part], lambda _: None))
    except OddContent:
        return as_json(part)


def _folder(about: dict[str, Any], reading: Reading) -> str | None:
    """Give the folder that was worked in, which stands in a file beside the sessions."""
    root = (reading.where.beside(_ROOT, 1) if reading.where else None) or ""
    named = [each for each in as_list(about.get("directories")) if isinstance(each, str)]
    return root.strip() or _of_hash(_hash(about, reading), reading) or next(iter(named), None)


def _hash(about: dict[str, Any], reading: Reading) -> str | None:
    """Give the hash of the folder that was worked in: the project is called so, or says so."""
    parents = reading.where.path.parents if reading.where else ()
    called = [parents[1].name] if len(parents) > 1 and parents[0].name == "chats" else []
    return next((each for each in (*called, str(about.get("projectHash"))) if _HASH.fullmatch(each)), None)


def _of_hash(wanted: str | None, reading: Reading) -> str | None:
    """Find the folder of a hash among those that Gemini CLI's own lists name (``~/.gemini``)."""
    if wanted is None or reading.where is None:
        return None
    for name in _LISTS:
        for folder in _listed(reading.where.beside(name, _UP_TO_LISTS)):
            if sha256(folder.encode("utf-8", "surrogatepass")).hexdigest() == wanted:
                return folder
    return None


def _listed(text: str | None) -> Iterator[str]:
    try:
        told = as_object(json.loads(text or "{}"))
    except (ValueError, RecursionError):
        return
    yield from as_object(told.get("projects")) or told


def _called(reading: Reading) -> str | None:
    """Give what Gemini CLI calls the project, where that is no hash of its folder."""
    parents = reading.where.path.parents if reading.where else ()
    called = parents[1].name if len(parents) > 1 and parents[0].name == "chats" else ""
    return None if _HASH.fullmatch(called) else called or None
