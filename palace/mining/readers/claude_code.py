"""Claude Code's session transcripts: JSON lines below ``~/.claude/projects``.

A line is a message or bookkeeping. A file may hold several sessions and a session may span several files; resumed and
forked sessions repeat earlier lines with their ids, so turn ids are treated as global.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.links import find_taken_back
from palace.mining.drafts.parts import split_content
from palace.mining.files.fields import as_object, id_field, object_field, objects, text_field
from palace.mining.files.reading import LeftOut, Reading, Record, Whereabouts
from palace.mining.readers.families import Ids, files_of_subagents, first_line
from palace.mining.readers.sessions import RULES, Call, Line, Lines, OwnText, Session, Tags, counted, strip_content
from palace.models import Conversation, Role

NAME = "claude-code"

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_BOOKKEEPING = frozenset({"summary", "system", "file-history-snapshot", "queue-operation", "progress", "attachment"})
_TITLES = frozenset({"summary", "custom-title", "ai-title"})
_TAGS = Tags(NAME)
_INTERRUPTED = re.compile(r"\s*\[Request interrupted by user[^\]\n]{0,100}\]\s*")
_CONTINUED = "This session is being continued from a previous conversation that ran out of context"
_NOT_A_MODEL = "<synthetic>"
"""The model name of messages that the program writes in the assistant's place."""


def recognises(value: object) -> bool:
    """Check whether a value is one line of a Claude Code transcript."""
    line = as_object(value)
    kind = str(line.get("type"))
    if kind in _ROLES:
        return isinstance(line.get("message"), dict)
    return kind in _BOOKKEEPING and not {"sessionId", "leafUuid", "messageId"}.isdisjoint(line)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the sessions in the order in which they begin in the file.

    Meta lines, summaries, bookkeeping and hidden reasoning are only counted, and so is a sub-agent without its session.
    Messages queued while the model worked and typed commands are read wherever they stand; rewound messages are marked
    as replaced by what was said instead. An incomplete last line is left out with a warning.
    """
    sessions: dict[str | None, list[Line]] = {}
    titles: dict[str, str] = {}
    parents: dict[str, str | None] = {}
    latest: str | None = None
    lines = Lines(records, reading, "Claude Code", lambda value: isinstance(value.get("type"), str))
    for line in lines:
        titles |= _titles(line.value)
        if uuid := id_field(line.value, "uuid"):
            parents[uuid] = id_field(line.value, "parentUuid", "logicalParentUuid")
        message = _as_message(line.value)
        kind = _left_out(line.value, message)
        if kind is None:
            latest = id_field(line.value, "sessionId", "session_id")
            sessions.setdefault(latest, []).append(Line(message, line.place))
        elif line.value["type"] not in _TITLES:
            reading.leave_out(kind)
    used, beside = set(sessions), files_of_subagents(reading, _ids, "*.jsonl")
    for key, said in sessions.items():
        if all(line.value.get("isSidechain") for line in said):
            reading.leave_out(LeftOut.SUBAGENTS, 0 if beside is None else len(said))
            continue
        session = _Session(NAME, reading, _strip)
        session.key = key
        lines.report(session, is_last=key == latest)
        ids = [id_field(line.value, "uuid") or "" for line in said]
        prompts = {uuid: _is_prompt(line.value) for line, uuid in zip(said, ids, strict=True) if uuid}
        taken_back = find_taken_back(parents, prompts)
        files = reading.below(f"{key}/subagents")
        if reading.where and key == _ids(reading.where).key:
            files += beside or []
        for value, place in session.with_subagents(
            said, "Claude Code", files, is_result=_has_results, messages_of=_messages_of
        ):
            uuid = id_field(value, "uuid")
            stamp = Stamp(value.get("timestamp"), uuid, replaced_by=taken_back.get(uuid or ""), place=place)
            session.is_subagent = session.is_subagent or bool(value.get("isSidechain"))
            with session.one_message():
                session.add(value, stamp)
        session.title = next((titles[name] for name in (key or "", *reversed(ids)) if name in titles), None)
        used.update(ids)
        yield from session.finish(turn_ids_are_global=True)
    if elsewhere := titles.keys() - used:
        reading.leave_out("titles of sessions that are not in the file", len(elsewhere))


def _ids(where: Whereabouts) -> Ids:
    """Return the ids of a file's session, and of the one that it worked for if it is the older file of a sub-agent."""
    key = PurePosixPath(where.member).name.partition(".")[0]
    is_subagent = key.startswith("agent-")
    return Ids(key, (id_field(first_line(where), "sessionId") or "") if is_subagent else None)


def _messages_of(lines: list[Line]) -> list[Line]:
    """Return the messages among the lines of a sub-agent."""
    messages = [(line, _as_message(line.value)) for line in lines if isinstance(line.value.get("type"), str)]
    return [Line(value, line.place) for line, value in messages if _left_out(line.value, value) is None]


def _has_results(line: dict[str, Any]) -> bool:
    content = objects(object_field(line, "message").get("content"))
    return any(part.get("type") == "tool_result" for part in content)


def _as_message(line: dict[str, Any]) -> dict[str, Any]:
    """Return a queued message or typed command as a user message, and any other line unchanged."""
    attached = as_object(line.get("attachment"))
    text = None
    if line["type"] == "attachment" and attached.get("type") == "queued_command":
        text = attached.get("prompt")
    elif line["type"] == "system" and line.get("subtype") == "local_command":
        text = line.get("content")
    return {**line, "type": "user", "message": {"role": "user", "content": text}} if text else line


def _left_out(line: dict[str, Any], message: dict[str, Any]) -> str | None:
    """Return the category under which a line without a message is counted, or None for a message."""
    skipped = next((kind for mark, kind in counted(NAME).items() if line.get(mark)), None)
    if skipped or message is not line:
        return skipped
    return (
        _notice_in(line) if line["type"] in _ROLES else counted(NAME).get(f"type:{line['type']}", LeftOut.BOOKKEEPING)
    )


def _notice_in(line: dict[str, Any]) -> str | None:
    """Return the category of a message that the program wrote for the user or the assistant, or None for any other."""
    message = as_object(line.get("message"))
    if line["type"] == "assistant":
        return LeftOut.NOTICES if message.get("model") == _NOT_A_MODEL else None
    text = _only_text(message.get("content"))
    if text is None:
        return None
    if _INTERRUPTED.fullmatch(text) or (text.strip() and is_nothing(text)):
        return LeftOut.NOTICES
    return LeftOut.SUMMARIES if text.startswith(_CONTINUED) else None


def _titles(line: dict[str, Any]) -> dict[str, str]:
    about = id_field(line, "sessionId", "leafUuid")
    summary = text_field(line, "summary") if line["type"] == "summary" else None
    title = text_field(line, "customTitle", "aiTitle") or summary
    return {about: title} if about and title else {}


class _Session(Session):
    def add(self, line: dict[str, Any], stamp: Stamp) -> None:
        """Add the message of a line."""
        message = line.get("message")
        if not isinstance(message, dict) or "content" not in message:
            raise self.reading.problem("the message has no content", stamp.place)
        self.folder = self.folder or text_field(line, "cwd")
        content = message["content"]
        role = Role.TOOL if line["type"] == "user" and _is_local_output(line, content) else _ROLES[line["type"]]
        if role is Role.USER:
            content = strip_content(content, self.part, self.leave_out)
        elif role is Role.TOOL:
            content = strip_content(content, lambda text: OwnText(as_printed(text), 0), self.leave_out)
        self.say_parts(role, content, stamp, stamp.place)
        for number, part in enumerate(objects(content)):
            if part.get("type") == "tool_use":
                self.tools[str(part.get("id"))] = text_field(part, "name"), part.get("input")
            elif part.get("type") == "tool_result":
                self.say_answers(self._answered(line, part), stamp, str(number))

    def _answered(self, line: dict[str, Any], part: dict[str, Any]) -> Call:
        tool, given = self.tools.get(str(part.get("tool_use_id")), (None, None))
        # A third-party MCP server may word its errors freely, so they are not read as refusals.
        is_own = "toolDenialKind" in line or not (tool or "").startswith("mcp__")
        returned = "".join(piece.text for piece in split_content([part], lambda _: None))
        return Call(tool, given, returned, line.get("toolUseResult"), part.get("is_error") is True and is_own)


def _is_prompt(line: dict[str, Any]) -> bool:
    """Check whether a line is a prompt that the user typed on their turn: no tool result, queued message or command."""
    content = object_field(line, "message").get("content")
    is_written = not {"attachment", "subtype"}.isdisjoint(line) or line.get("isSidechain")
    if line["type"] != "user" or is_written or _is_local_output(line, content):
        return False
    parts = [{"text": content}] if isinstance(content, str) else objects(content)
    texts = [text for part in parts if (text := text_field(part, "text"))]
    is_command = any(as_typed(text) != text for text in texts)
    return bool(texts) and not is_command and not _has_results(line)


def _strip(text: str) -> OwnText:
    said = _TAGS.strip(text)
    return said._replace(said=as_typed(said.said))


def _is_local_output(line: dict[str, Any], content: object) -> bool:
    """Check whether a message in the user's place was written by the program or another agent."""
    text = _only_text(content)
    origin = as_object(line.get("origin") or object_field(line, "attachment").get("origin")).get("kind")
    return text is not None and (RULES["claude_code_output"].match(text) is not None or origin not in (None, "human"))


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
    """Return a command as the user typed it, and any other text unchanged."""
    blocks = _blocks(text)
    if len(blocks) == 1 and blocks[0][0] in _PREFIXES:
        return _PREFIXES[blocks[0][0]] + blocks[0][1].strip()
    parts = dict(blocks)
    if not parts.keys() <= set(_TYPED):
        return text
    name = parts.get("command-name", "").strip()
    return f"/{name.removeprefix('/')} {parts.get('command-args', '').strip()}".rstrip() if name else text


def as_printed(text: str) -> str:
    """Return what a command printed, without tags and terminal colours; any other text is returned unchanged."""
    blocks = _blocks(text)
    if not blocks or not {name for name, _ in blocks} <= _PRINTED:
        return text
    printed = (_COLOURS.sub("", said).strip("\n") for name, said in blocks if name != _CAVEAT)
    return "\n".join(said for said in printed if said.strip() not in ("", _NOTHING))


def is_nothing(text: str) -> bool:
    """Check whether a message holds only the program's caveat or the empty output of a command."""
    return (text.startswith(_UNTAGGED_CAVEAT) and "\n\n" not in text) or not as_printed(text).strip()


def _blocks(text: str) -> list[tuple[str, str]]:
    """List the name and content of the tagged blocks that make up a text, or an empty list if it has any other text."""
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
