"""Claude Code's session transcripts: JSON lines below ``~/.claude/projects``.

A line is a message, or bookkeeping. A file may hold several sessions and a session several files; a resumed
session, and one that was forked from another, repeats earlier lines with their ids, which is why turn ids are global.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from palace.mining.drafts.branches import find_taken_back
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.parts import BOOKKEEPING, split_content
from palace.mining.files.fields import as_list, as_object, id_field, text_field
from palace.mining.files.reading import UNREAD_LINES, Reading, Record
from palace.mining.readers.agent_sessions import (
    ATTACHED,
    SUBAGENTS,
    SUMMARIES,
    TOLD_BY_PROGRAM,
    Call,
    Line,
    Lines,
    Parted,
    Tags,
    folder_name,
    part_content,
    say_answers,
)
from palace.models import Conversation, Role

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
    lines = Lines(records, reading, "Claude Code")
    for line in lines:
        if not isinstance(line.value.get("type"), str):
            odd = "is not a line of a Claude Code transcript"
            reading.miss(reading.problem(odd, line.place), UNREAD_LINES)
            lines.is_partial = True
            continue
        titles |= _titles(line.value)
        if uuid := id_field(line.value, "uuid"):
            parents[uuid] = id_field(line.value, "parentUuid", "logicalParentUuid")
        said = _said(line.value)
        if said is None:
            _count(line.value, reading)
            continue
        key = id_field(line.value, "sessionId", "session_id")
        if key not in sessions:
            sessions[key] = _Session(key, reading)
        latest = sessions[key]
        latest.add(Line(said, line.place))
    if latest is not None and lines.cut_off:
        latest.draft.warn(lines.cut_off)
    for session in sessions.values():
        if lines.is_partial:
            session.draft.lack()
        yield from session.finish(titles, parents)
    elsewhere = titles.keys() - sessions.keys() - {key for session in sessions.values() for key in session.uuids}
    if elsewhere:
        reading.leave_out("titles of sessions that are not in the file", len(elsewhere))


def _said(line: dict[str, Any]) -> dict[str, Any] | None:
    """Return a line on which somebody says something, as the message line it might have been; None for any other."""
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
    if line["type"] not in _TITLES:
        skipped = next((kind for mark, kind in _SKIPPED.items() if line.get(mark)), None)
        reading.leave_out(skipped or _notice_in(line) or _LEFT_OUT.get(line["type"]) or BOOKKEEPING)


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
    about = id_field(line, "sessionId", "leafUuid")
    summary = text_field(line, "summary") if line["type"] == "summary" else None
    title = text_field(line, "customTitle", "aiTitle") or summary
    return {about: title} if about and title else {}


class _Session:
    def __init__(self, key: str | None, reading: Reading) -> None:
        self._key, self._reading = key, reading
        self.draft = Draft(NAME, reading)
        self._folder: str | None = None
        self._lines: list[Line] = []
        self._calls: dict[str, dict[str, Any]] = {}
        self.uuids: list[str] = []

    def add(self, line: Line) -> None:
        """Take up a message, before it is known whether the person went back from it."""
        self._lines.append(line)
        if uuid := id_field(line.value, "uuid"):
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
        tool = text_field(call, "name")
        # A server of somebody else's may answer with an error of any words.
        is_own = "toolDenialKind" in line or not (tool or "").startswith("mcp__")
        returned = "".join(piece.text for piece in split_content([part], lambda _: None))
        is_refused = part.get("is_error") is True and is_own
        return Call(tool, call.get("input"), returned, line.get("toolUseResult"), is_refused)

    def finish(self, titles: dict[str, str], parents: Mapping[str, str | None]) -> Iterator[Conversation]:
        """Yield the conversation."""
        ids = [id_field(line.value, "uuid") for line in self._lines]
        said = {uuid: _is_prompt(line.value) for line, uuid in zip(self._lines, ids, strict=True) if uuid}
        taken_back = find_taken_back(parents, said)
        for line, uuid in zip(self._lines, ids, strict=True):
            with self.draft.one_message():
                self._add(line.value, line.place, taken_back.get(uuid or ""))
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
    if isinstance(content, list) and len(content) == 1:
        content = as_object(content[0]).get("text")
    return content if isinstance(content, str) else None


_TYPED = ("command-name", "command-message", "command-args", "command-contents")
_PREFIXES = {"bash-input": "! ", "user-memory-input": "# "}
_CAVEAT = "local-command-caveat"
_PRINTED = {"local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr", _CAVEAT}
_UNTAGGED_CAVEAT = "Caveat: The messages below were generated by the user while running local commands"
_OPENING = re.compile(r"\s*<([a-z-]{4,30})>")
_NOTHING = "(no content)"
_COLOURS = re.compile(r"\x1b\[[0-9;]{0,20}m")


def as_typed(text: str) -> str:
    """Return a command as the person typed it; any other text as it stands."""
    blocks = _blocks(text)
    if len(blocks) == 1 and blocks[0][0] in _PREFIXES:
        return _PREFIXES[blocks[0][0]] + blocks[0][1].strip()
    parts = dict(blocks)
    if not parts.keys() <= set(_TYPED):
        return text
    name = parts.get("command-name", "").strip()
    return f"/{name.removeprefix('/')} {parts.get('command-args', '').strip()}".rstrip() if name else text


def as_printed(text: str) -> str:
    """Return what a command printed, without the marks and colours of the terminal; any other text as it stands."""
    blocks = _blocks(text)
    if not blocks or not {name for name, _ in blocks} <= _PRINTED:
        return text
    printed = (_COLOURS.sub("", said).strip("\n") for name, said in blocks if name != _CAVEAT)
    return "\n".join(said for said in printed if said.strip() not in ("", _NOTHING))


def is_nothing(text: str) -> bool:
    """Tell a message that holds nothing but the program's own warning, or that a command printed nothing."""
    return (text.startswith(_UNTAGGED_CAVEAT) and "\n\n" not in text) or not as_printed(text).strip()


def _blocks(text: str) -> list[tuple[str, str]]:
    """List the tagged blocks that a text is made of, name and content; none where anything else stands in it."""
    found: list[tuple[str, str]] = []
    at = 0
    while (opened := _OPENING.match(text, at)) is not None:
        closing = f"</{opened[1]}>"
        end = text.find(closing, opened.end())
        if end < 0:
            return []
        found.append((opened[1], text[opened.end() : end]))
        at = end + len(closing)
    return found if not text[at:].strip() else []
