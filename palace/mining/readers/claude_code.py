"""Claude Code's session transcripts: JSON lines below ``~/.claude/projects``.

A line is a message, or bookkeeping. A file may hold several sessions and a session several files; a resumed
session repeats earlier lines with their ids, which is why turn ids are global.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from palace.mining.readers.draft import Draft, Stamp
from palace.mining.readers.fields import as_object, id_field, text_field
from palace.mining.readers.json_records import CutOffLine, Record
from palace.mining.readers.reading import UNREAD_LINES, Reading
from palace.records import Conversation, Role

NAME = "claude-code"

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_BOOKKEEPING = frozenset({"summary", "system", "file-history-snapshot", "queue-operation", "progress", "attachment"})
_SKIPPED = {
    "isSidechain": "work of subagents",
    "isMeta": "lines that the program wrote for the model",
    "isCompactSummary": "summaries of sessions that grew too long",
}
_LEFT_OUT = {
    "system": "notices of the program",
    "attachment": "context that the program attached",
    "progress": "notices of the program",
    "queue-operation": "messages waiting to be sent, which stand again where they were",
}
"""What other lines are counted as; the rest, titles apart, is bookkeeping."""
LAST_LINE = "last lines that break off"
_TITLES = frozenset({"summary", "custom-title", "ai-title"})
_LOCAL_OUTPUT = (
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
)
"""What the program itself puts into a user message: the output of commands run beside the conversation."""


def recognises(value: object) -> bool:
    """Tell one line of a Claude Code transcript."""
    line = as_object(value)
    kind = str(line.get("type"))
    if kind in _ROLES:
        return isinstance(line.get("message"), dict)
    return kind in _BOOKKEEPING and not {"sessionId", "leafUuid", "messageId"}.isdisjoint(line)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the sessions in the order they begin in the file.

    Sidechains (the work of subagents), meta lines, summaries, bookkeeping and hidden reasoning are counted; what
    the person said meanwhile, or typed as a command, is read wherever it stands. A message or a line that cannot be
    read is noted, and the others go on. A last line that breaks off because the session is still being written is
    left out with a warning.
    """
    sessions: dict[str | None, _Session] = {}
    titles: dict[str, str] = {}
    latest: _Session | None = None
    is_partial = False
    try:
        for record in records:
            line = _line(record, reading)
            if line is None:
                is_partial = True
                continue
            titles.update(_titles(line))
            said = _said(line)
            if said is None:
                _count(line, reading)
                continue
            key = id_field(line, "sessionId", "session_id")
            if key not in sessions:
                sessions[key] = _Session(key, reading)
            latest = sessions[key]
            latest.add(said, record.place("line"))
    except CutOffLine as problem:
        if latest is not None:
            latest.draft.warn(f"{problem.place} is cut off, still being written perhaps, and was left out")
        reading.leave_out(LAST_LINE)
    for session in sessions.values():
        if is_partial:
            session.draft.lack()
        yield from session.finish(titles)
    elsewhere = titles.keys() - sessions.keys() - {key for session in sessions.values() for key in session.uuids}
    if elsewhere:
        reading.leave_out("titles of sessions that are not in the file", len(elsewhere))


def _line(record: Record, reading: Reading) -> dict[str, Any] | None:
    """Give a line as an object; None, and told, where it cannot be read."""
    if record.fault is None and isinstance(record.value, dict) and isinstance(record.value.get("type"), str):
        return record.value
    odd = "is not a line of a Claude Code transcript (no type)"
    reading.miss(record.fault or reading.problem(odd, record.place("line")), UNREAD_LINES)
    return None


def _said(line: dict[str, Any]) -> dict[str, Any] | None:
    """Give a line on which somebody says something, as the message line it might have been; None for any other."""
    if any(line.get(mark) for mark in _SKIPPED):
        return None
    if line["type"] in _ROLES:
        return line
    attached = as_object(line.get("attachment"))
    text = None
    if line["type"] == "attachment" and attached.get("type") == "queued_command":
        text = attached.get("prompt")
    elif line["type"] == "system" and line.get("subtype") == "local_command":
        text = line.get("content")
    return {**line, "type": "user", "message": {"role": "user", "content": text}} if text else None


def _count(line: dict[str, Any], reading: Reading) -> None:
    if line["type"] in _TITLES:
        return
    skipped = next((kind for mark, kind in _SKIPPED.items() if line.get(mark)), None)
    reading.leave_out(skipped or _LEFT_OUT.get(line["type"]) or "bookkeeping")


def _titles(line: dict[str, Any]) -> dict[str, str]:
    """Find titles, by the id of their session or of a message in it."""
    about = id_field(line, "sessionId", "leafUuid")
    title = text_field(line, "customTitle", "aiTitle") or (
        text_field(line, "summary") if line["type"] == "summary" else None
    )
    return {about: title} if about and title else {}


class _Session:
    """One session while its lines are read."""

    def __init__(self, key: str | None, reading: Reading) -> None:
        self._key, self._reading = key, reading
        self.draft = Draft(NAME, reading)
        self._folder: str | None = None
        self.uuids: list[str] = []

    def add(self, line: dict[str, Any], place: str) -> None:
        """Add a message, or tell that it cannot be read."""
        with self.draft.one_message():
            self._add(line, place)

    def _add(self, line: dict[str, Any], place: str) -> None:
        message, uuid = line.get("message"), id_field(line, "uuid")
        if not isinstance(message, dict) or "content" not in message:
            raise self._reading.problem("the message has no content", place)
        if uuid:
            self.uuids.append(uuid)
        self._folder = self._folder or text_field(line, "cwd")
        content = message["content"]
        role = Role.TOOL if _is_local_output(content) else _ROLES[line["type"]]
        self.draft.say_parts(role, content, Stamp(line.get("timestamp"), uuid), place)

    def finish(self, titles: dict[str, str]) -> Iterator[Conversation]:
        keys = [self._key or "", *reversed(self.uuids)]
        return self.draft.finish(
            source_id=self._key,
            title=next((titles[key] for key in keys if key in titles), None),
            project=_folder_name(self._folder),
            folder=self._folder,
            place=f"session {self._key}" if self._key else "",
            turn_ids_are_global=True,
        )


def _is_local_output(content: object) -> bool:
    if isinstance(content, list) and len(content) == 1:
        content = as_object(content[0]).get("text")
    return isinstance(content, str) and content.lstrip().startswith(_LOCAL_OUTPUT)


def _folder_name(folder: str | None) -> str | None:
    if not folder:
        return None
    is_windows = "\\" in folder and not folder.startswith("/")
    return (PureWindowsPath(folder) if is_windows else PurePosixPath(folder)).name or None
