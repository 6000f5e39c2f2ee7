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

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.parts import BOOKKEEPING, HIDDEN_REASONING, as_json, result_text, tool_call
from palace.mining.files.fields import as_list, as_object, id_field, text_field
from palace.mining.files.reading import Reading, Record
from palace.mining.readers.agent_sessions import (
    ATTACHED,
    SUBAGENTS,
    SUMMARIES,
    TOLD_BY_PROGRAM,
    Call,
    Lines,
    Parted,
    Tags,
    folder_name,
    part_content,
    say_answers,
)
from palace.models import Conversation, Role

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
            within = f"{place}, " if place.startswith("line") else ""
            for number, message in enumerate(messages, 1):
                self._message(message, f"{within}message {number}")
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
        """Yield the conversation."""
        if self._about.get("kind") == "subagent":
            self._reading.leave_out(SUBAGENTS, max(1, len(self._messages)))
            return
        draft, key = Draft(NAME, self._reading), id_field(self._about, "sessionId")
        lines.report(draft)
        calls = {str(call.get("id")) for message, _ in self._messages.values() for call in _calls(message)}
        for each, (message, place) in self._messages.items():
            own = None if each.startswith("#") else each
            stamp = Stamp(message.get("timestamp"), own, replaced_by=self._replaced.get(each), place=place)
            with draft.one_message():
                _say(draft, message, stamp, calls)
        if any(id_field(as_object(each), "id") not in self._messages for each in self._rewritten):
            draft.leave_out(SUMMARIES)
        folder = _folder(self._about, self._reading)
        called = _called(self._reading)
        yield from draft.finish(
            source_id=key,
            title=text_field(self._about, "summary"),
            project=folder_name(folder) or (None if _HASH.fullmatch(called) else called or None),
            folder=folder,
            folder_hash=None if folder else _hash(self._about, self._reading),
            place=f"session {key}" if key else "",
        )


def _say(draft: Draft, message: dict[str, Any], stamp: Stamp, calls: set[str]) -> None:
    kind = str(message.get("type"))
    role = _ROLES.get(kind)
    if role is None:
        draft.leave_out(TOLD_BY_PROGRAM if kind in _NOTICES else BOOKKEEPING)
        return
    if message.get("thoughts"):
        draft.leave_out(HIDDEN_REASONING, len(as_list(message["thoughts"])))
    content = _of_the_person(message, calls, draft) if role is Role.USER else message.get("content")
    if content:
        draft.say_parts(role, content, stamp, stamp.place)
    for number, call in enumerate(_calls(message)):
        name, key = text_field(call, "name"), id_field(call, "id") or str(number)
        own, returned = stamp._replace(at=call.get("timestamp") or stamp.at, speaker=name), _result(call)
        draft.say(Role.TOOL, tool_call(name, call.get("args") or {}), own, key)
        draft.say(Role.TOOL, returned, own, f"{key}:result")
        say_answers(draft, Call(name, call.get("args"), returned), own, key)


def _of_the_person(message: dict[str, Any], calls: set[str], draft: Draft) -> object:
    """Return what the person typed: what they were shown of it, else the content without the files that it names."""
    content = message.get("displayContent") or message.get("content")
    if isinstance(content, dict):
        content = [content]
    if isinstance(content, list):
        returned = [as_object(as_object(part).get("functionResponse")).get("id") for part in content]
        others = [part for part, own in zip(content, returned, strict=True) if str(own) not in calls]
        content = list(_without_files(others, draft))
    return part_content(content, _part, draft.leave_out)


def _part(text: str) -> Parted:
    if text.lstrip().startswith(_SETUP):
        return Parted("", 1)
    begun, end = text.find(f"\n{_FILES}"), text.rfind(_END)
    if 0 <= begun < end:
        said = _TAGS.part(text[:begun] + text[end + len(_END) :])
        return Parted(said.said.strip(), said.blocks + 1)
    return _TAGS.part(text)


def _without_files(parts: list[Any], draft: Draft) -> Iterator[Any]:
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


def _calls(message: dict[str, Any]) -> list[dict[str, Any]]:
    return [call for call in as_list(message.get("toolCalls")) if isinstance(call, dict)]


def _result(call: dict[str, Any]) -> str:
    given = call.get("result")
    parts = given if isinstance(given, list) else [given] if given else []
    texts = [text for part in parts if (text := _returned(part))]
    shown = call.get("resultDisplay")
    return "\n".join(texts) or (shown if isinstance(shown, str) else "")


def _returned(part: object) -> str:
    response = as_object(as_object(part).get("functionResponse")).get("response")
    if isinstance(response, dict):
        texts = [response[key] for key in ("output", "error") if isinstance(response.get(key), str)]
        return texts[0] if len(response) == 1 and texts else as_json(response)
    return result_text([part]) if isinstance(part, str | dict) else as_json(part)


def _folder(about: dict[str, Any], reading: Reading) -> str | None:
    root = (reading.where.beside(_ROOT, 1) if reading.where else None) or ""
    named = [each for each in as_list(about.get("directories")) if isinstance(each, str)]
    return root.strip() or _of_hash(_hash(about, reading), reading) or next(iter(named), None)


def _hash(about: dict[str, Any], reading: Reading) -> str | None:
    """Return the hash of the folder that was worked in: the project is called so, or says so."""
    names = (_called(reading), str(about.get("projectHash")))
    return next((each for each in names if _HASH.fullmatch(each)), None)


def _of_hash(wanted: str | None, reading: Reading) -> str | None:
    """Find the folder of a hash among those that Gemini CLI's own lists name (``~/.gemini``)."""
    for name in _LISTS if wanted and reading.where else ():
        for folder in _listed(reading.where.beside(name, _UP_TO_LISTS) if reading.where else None):
            if sha256(folder.encode("utf-8", "surrogatepass")).hexdigest() == wanted:
                return folder
    return None


def _listed(text: str | None) -> Iterator[str]:
    try:
        lists = as_object(json.loads(text or "{}"))
    except (ValueError, RecursionError):
        return
    yield from as_object(lists.get("projects")) or lists


def _called(reading: Reading) -> str:
    """Return what Gemini CLI calls the project, a hash of its folder perhaps; "" where the file lies elsewhere."""
    parents = reading.where.path.parents if reading.where else ()
    return parents[1].name if len(parents) > 1 and parents[0].name == "chats" else ""
