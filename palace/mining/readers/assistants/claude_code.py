"""Claude Code's session transcripts: JSON lines below ``~/.claude/projects``.

A line is a message, or bookkeeping. A file may hold several sessions and a session several files; a resumed
session, and one that was forked from another, repeats earlier lines with their ids, which is why turn ids are global.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from palace.mining.readers.assistants.answered import Call, say_answers
from palace.mining.readers.assistants.claude_commands import as_printed, as_typed, is_nothing
from palace.mining.readers.assistants.injected import (
    ATTACHED,
    SUBAGENTS,
    SUMMARIES,
    TOLD_BY_PROGRAM,
    Parted,
    Tags,
    part_content,
)
from palace.mining.readers.assistants.lines import LAST_LINE, folder_name
from palace.mining.readers.drafts.branches import find_taken_back
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.drafts.parts import split_content
from palace.mining.readers.fields import as_list, as_object, id_field, text_field
from palace.mining.readers.json_records import CutOffLine, Record
from palace.mining.readers.reading import UNREAD_LINES, Reading
from palace.records import Conversation, Role

NAME = "claude-code"

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_BOOKKEEPING = frozenset({"summary", "system", "file-history-snapshot", "queue-operation", "progress", "attachment"})
_SKIPPED = {
    "isSidechain": SUBAGENTS,
    "isMeta": "lines that the program wrote for the model",
    "isCompactSummary": SUMMARIES,
    "isVisibleInTranscriptOnly": SUMMARIES,
    "isApiErrorMessage": TOLD_BY_PROGRAM,
}
_LEFT_OUT = {
    "system": TOLD_BY_PROGRAM,
    "attachment": ATTACHED,
    "progress": TOLD_BY_PROGRAM,
    "queue-operation": "messages waiting to be sent, which stand again where they were",
}
"""What other lines are counted as; the rest, titles apart, is bookkeeping."""
_TITLES = frozenset({"summary", "custom-title", "ai-title"})
_LOCAL_OUTPUT = (
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<teammate-message",
    "<cross-session-message",
)
"""What the program itself puts into a user message: the output of commands run beside it, and what agents say."""
_TAGS = Tags(
    *("system-reminder", "user-prompt-submit-hook", "session-start-hook", "post-tool-use-hook", "local-command-caveat"),
    *("ide_opened_file", "ide_selection", "ide_diagnostics", "new-diagnostics"),
)
_INTERRUPTED = re.compile(r"\s*\[Request interrupted by user[^\]\n]{0,100}\]\s*")
_CONTINUED = "This session is being continued from a previous conversation that ran out of context"
_NOT_A_MODEL = "<synthetic>"
"""Who says what the program says in the assistant's place."""


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
    the person said meanwhile, or typed as a command, is read wherever it stands; what they went back from is replaced
    by what they said instead. A message or a line that cannot be read is noted, and the others go on. A last line that
    breaks off because the session is still being written is left out with a warning.
    """
    sessions: dict[str | None, _Session] = {}
    titles: dict[str, str] = {}
    parents: dict[str, str | None] = {}
    latest: _Session | None = None
    is_partial = False
    try:
        for record in records:
            line = _line(record, reading)
            if line is None:
                is_partial = True
                continue
            titles.update(_titles(line))
            parents.update(_parent(line))
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
        yield from session.finish(titles, parents)
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
        return None if _notice_in(line) else line
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
    reading.leave_out(skipped or _notice_in(line) or _LEFT_OUT.get(line["type"]) or "bookkeeping")


def _notice_in(line: dict[str, Any]) -> str | None:
    """Say as what a message is counted that the program wrote in somebody's place; None for any other."""
    message = as_object(line.get("message"))
    if line["type"] == "assistant":
        return TOLD_BY_PROGRAM if message.get("model") == _NOT_A_MODEL else None
    text = _only_text(message.get("content")) if line["type"] == "user" else None
    if text is None:
        return None
    if _INTERRUPTED.fullmatch(text) or (text.strip() and is_nothing(text)):
        return TOLD_BY_PROGRAM
    return SUMMARIES if text.startswith(_CONTINUED) else None


def _titles(line: dict[str, Any]) -> dict[str, str]:
    """Find titles, by the id of their session or of a message in it."""
    about = id_field(line, "sessionId", "leafUuid")
    title = text_field(line, "customTitle", "aiTitle") or (
        text_field(line, "summary") if line["type"] == "summary" else None
    )
    return {about: title} if about and title else {}


def _parent(line: dict[str, Any]) -> dict[str, str | None]:
    """Give the id of what a line stands below, by its own."""
    uuid = id_field(line, "uuid")
    return {uuid: id_field(line, "parentUuid", "logicalParentUuid")} if uuid else {}


class _Session:
    """One session while its lines are read."""

    def __init__(self, key: str | None, reading: Reading) -> None:
        self._key, self._reading = key, reading
        self.draft = Draft(NAME, reading)
        self._folder: str | None = None
        self._lines: list[tuple[dict[str, Any], str]] = []
        self._calls: dict[str, dict[str, Any]] = {}
        self.uuids: list[str] = []

    def add(self, line: dict[str, Any], place: str) -> None:
        """Take up a message, before it is known whether the person went back from it."""
        self._lines.append((line, place))
        if uuid := id_field(line, "uuid"):
            self.uuids.append(uuid)

    def _add(self, line: dict[str, Any], place: str, replaced_by: str | None) -> None:
        message, uuid = line.get("message"), id_field(line, "uuid")
        if not isinstance(message, dict) or "content" not in message:
            raise self._reading.problem("the message has no content", place)
        self._folder = self._folder or text_field(line, "cwd")
        content = message["content"]
        role = Role.TOOL if line["type"] == "user" and _is_local_output(line, content) else _ROLES[line["type"]]
        if role is Role.USER:
            content = part_content(content, _part, self.draft.leave_out)
        elif role is Role.TOOL:
            content = part_content(content, lambda text: Parted(as_printed(text), 0), self.draft.leave_out)
        stamp = Stamp(line.get("timestamp"), uuid, replaced_by=replaced_by)
        self.draft.say_parts(role, content, stamp, place)
        for number, part in enumerate(map(as_object, as_list(content))):
            if part.get("type") == "tool_use":
                self._calls[str(part.get("id"))] = part
            elif part.get("type") == "tool_result":
                say_answers(self.draft, self._answered(line, part), stamp, str(number))

    def _answered(self, line: dict[str, Any], part: dict[str, Any]) -> Call:
        call = self._calls.get(str(part.get("tool_use_id")), {})
        tool, told = text_field(call, "name"), "toolDenialKind" in line
        # A server of somebody else's may answer with an error of any words.
        is_refused = part.get("is_error") is True and (told or not (tool or "").startswith("mcp__"))
        returned = "".join(piece.text for piece in split_content([part], lambda _: None))
        return Call(tool, call.get("input"), returned, line.get("toolUseResult"), is_refused)

    def finish(self, titles: dict[str, str], parents: Mapping[str, str | None]) -> Iterator[Conversation]:
        """Give the conversation."""
        said = {uuid: _is_prompt(line) for line, _ in self._lines if (uuid := id_field(line, "uuid"))}
        taken_back = find_taken_back(parents, said)
        for line, place in self._lines:
            with self.draft.one_message():
                self._add(line, place, taken_back.get(id_field(line, "uuid") or ""))
        keys = [self._key or "", *reversed(self.uuids)]
        return self.draft.finish(
            source_id=self._key,
            title=next((titles[key] for key in keys if key in titles), None),
            project=folder_name(self._folder),
            folder=self._folder,
            place=f"session {self._key}" if self._key else "",
            turn_ids_are_global=True,
        )


def _is_prompt(line: dict[str, Any]) -> bool:
    """Tell what the person typed to the model when it was their turn: no answer to a tool, and no command."""
    content = as_object(line.get("message")).get("content")
    if line["type"] != "user" or "attachment" in line or "subtype" in line or _is_local_output(line, content):
        return False
    parts = [{"text": content}] if isinstance(content, str) else [*map(as_object, as_list(content))]
    texts = [text for part in parts if (text := text_field(part, "text"))]
    is_command = any(as_typed(text) != text for text in texts)
    return bool(texts) and not is_command and not any(part.get("type") == "tool_result" for part in parts)


def _part(text: str) -> Parted:
    said = _TAGS.part(text)
    return said._replace(said=as_typed(said.said))


def _is_local_output(line: dict[str, Any], content: object) -> bool:
    """Tell what the program, or another agent, says in the person's place."""
    text = _only_text(content)
    if text is None:
        return False
    origin = as_object(line.get("origin") or as_object(line.get("attachment")).get("origin")).get("kind")
    return text.lstrip().startswith(_LOCAL_OUTPUT) or origin not in (None, "human")


def _only_text(content: object) -> str | None:
    """Give the text of a content that has one and nothing else."""
    if isinstance(content, list) and len(content) == 1:
        content = as_object(content[0]).get("text")
    return content if isinstance(content, str) else None
