"""Cursor's transcripts: ``agent-transcripts/SESSION/SESSION.jsonl`` below ``~/.cursor/projects/FOLDER``, or ``.txt``.

A line of the newer form is ``{role, message: {content}}``, without an id and a time; the older form is text. What the
person typed stands in ``<user_query>``, and what Cursor attached around it, the time among that; replies have that of
the message that they answer. The session and its folder are told by the path, in which every sign of the folder's path
but letters and digits is a hyphen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import PurePosixPath

from palace.mining.readers.assistants.cursor.folder import below_home, find_folder
from palace.mining.readers.assistants.injected import SUBAGENTS, Parted, Tags, part_content
from palace.mining.readers.assistants.lines import Line, Lines, folder_name
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.fields import as_object
from palace.mining.readers.json_records import Record
from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role

NAME = "cursor"
_PROGRAM = "Cursor"
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_TRANSCRIPTS, _SUBAGENTS = "agent-transcripts", "subagents"
_QUERY, _END = "<user_query>", "</user_query>"
_TIME = re.compile(
    r"<timestamp>\s*(?:[A-Za-z]+, )?([A-Za-z]{3,9} \d{1,2}, \d{4}),? (?:at )?(\d{1,2}:\d\d(?::\d\d)? ?[AP]M)"
    r"(?: \((?:UTC|GMT)([+-]\d{1,2})?(?::?(\d\d))?\))?\s*</timestamp>"
)
_TAGS = Tags(
    *("additional_data", "agent_skills", "agent_transcripts", "attached_files", "git_status", "image_files"),
    *("open_and_recently_viewed_files", "project_layout", "rules", "system_reminder", "timestamp", "user_info"),
    *("cursor_commands", "external_links", "manually_attached_skills", "mcp_file_system", "system_notification"),
)
_LABEL = re.compile(r"^(user|assistant):[ \t]*\r?$", re.MULTILINE)
_MARK = re.compile(r"\[(Thinking|Tool call|Tool result)\] ?(.*)")


def recognises(value: object) -> bool:
    """Tell one line of a transcript."""
    line = as_object(value)
    said = as_object(line.get("message"))
    return isinstance(line.get("role"), str) and "content" in said and "content" not in line


def recognises_text(beginning: str) -> bool:
    """Tell a transcript of the older form by its first lines."""
    return (
        re.match(r"user:[ \t]*\r?\n\s*(<[a-z_]+>|<user_query>)", beginning) is not None and "<user_query>" in beginning
    )


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the session; what Cursor attached to the person's words, and work of subagents, are counted."""
    lines, session = Lines(records, reading, _PROGRAM), _Session(reading)
    for line in lines:
        with session.draft.one_message():
            session.add(line)
    lines.tell(session.draft)
    yield from session.finish()


def read_text(text: str, reading: Reading) -> Iterator[Conversation]:
    """Read a transcript of the older form."""
    session = _Session(reading)
    labels = list(_LABEL.finditer(text))
    for label, end in zip(labels, [*(each.start() for each in labels[1:]), len(text)], strict=True):
        block = text[label.end() : end].strip("\r\n")
        if label[1] == "user":
            session.person(block, "")
        else:
            session.reply(block)
    yield from session.finish()


class _Session:
    """One transcript while it is read."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.draft = Draft(NAME, reading, dated=False)
        self._path = reading.where.path if reading.where else PurePosixPath()
        self._is_subagent = _SUBAGENTS in self._path.parts and _TRANSCRIPTS in self._path.parts
        self._said = 0
        self._asked_at: object = None

    def add(self, line: Line) -> None:
        """Take up a line."""
        role = _ROLES.get(str(line.value.get("role")))
        if role is None:
            self.draft.leave_out("bookkeeping")
            return
        self._said += 1
        content = as_object(line.value.get("message")).get("content")
        if role is Role.USER:
            self.person(content, line.place, line.value.get("timestamp"))
        else:
            stamp = Stamp(line.value.get("timestamp") or self._asked_at, place=line.place)
            self.draft.say_parts(role, content, stamp, line.place)

    def person(self, content: object, place: str, at: object = None) -> None:
        """Take up what the person typed, with what was attached to it."""
        at = at or next(filter(None, map(_time_in, _texts(content))), None)
        self._asked_at = at
        has_query = any(_queries(text)[0] for text in _texts(content))
        said = part_content(content, _typed if has_query else _TAGS.part, self.draft.leave_out)
        if said:
            self.draft.say_parts(Role.USER, said, Stamp(at, place=place), place)

    def reply(self, block: str) -> None:
        """Take up an answer of the older form: text, thoughts, calls and what they returned, indented below a mark."""
        text: list[str] = []
        tool: tuple[str, list[str]] | None = None
        is_hidden = False
        for line in [*block.splitlines(), ""]:
            mark = _MARK.match(line)
            goes_on = mark is None and (not line.strip() or line[0] in " \t")
            if (tool or is_hidden) and goes_on:
                if tool:
                    tool[1].append(line)
                continue
            self._end_tool(tool)
            tool, is_hidden = None, False
            if mark is None:
                text.append(line)
                continue
            self._end_text(text)
            if mark[1] == "Thinking":
                self.draft.leave_out("hidden reasoning")
                is_hidden = True
            else:
                tool = (mark[2].strip(), [])
        self._end_tool(tool)
        self._end_text(text)

    def _end_text(self, lines: list[str]) -> None:
        said = "\n".join(lines).strip("\n")
        lines.clear()
        if said.strip():
            self.draft.say(Role.ASSISTANT, said, Stamp(self._asked_at))

    def _end_tool(self, tool: tuple[str, list[str]] | None) -> None:
        if tool:
            written = "\n".join([tool[0], *tool[1]]).strip()
            self.draft.say(Role.TOOL, written, Stamp(self._asked_at, speaker=tool[0] or None))

    def finish(self) -> Iterator[Conversation]:
        """Give the conversation."""
        if self._is_subagent:
            self._reading.leave_out(SUBAGENTS, max(1, self._said))
            return
        parts = self._path.parts
        is_known = _TRANSCRIPTS in parts
        key = self._path.name.removesuffix(".gz").rpartition(".")[0] if is_known else None
        called = parts[parts.index(_TRANSCRIPTS) - 1] if is_known else ""
        folder = find_folder(called)
        yield from self.draft.finish(
            source_id=key,
            project=folder_name(folder) or below_home(called),
            folder=folder,
            place=f"session {key}" if key else "",
        )


def _texts(content: object) -> list[str]:
    parts = content if isinstance(content, list) else [content]
    texts = [part if isinstance(part, str) else as_object(part).get("text") for part in parts]
    return [text for text in texts if isinstance(text, str)]


def _typed(text: str) -> Parted:
    """Give what stands in the marks of what the person typed; what stands around them was attached."""
    queries, has_more = _queries(text)
    return Parted("\n".join(queries), int(has_more)) if queries else _TAGS.part(text)


def _queries(text: str) -> tuple[list[str], bool]:
    """Give what stands in marks, and tell whether anything stands around them."""
    found: list[str] = []
    start, has_more = 0, False
    while (begun := text.find(_QUERY, start)) >= 0 and (end := text.find(_END, begun)) >= 0:
        has_more = has_more or bool(text[start:begun].strip())
        found.append(text[begun + len(_QUERY) : end].removeprefix("\n").removesuffix("\n"))
        start = end + len(_END)
    return found, has_more or bool(text[start:].strip())


def _time_in(text: str) -> str | None:
    """Read the time that Cursor puts in front: ``<timestamp>Monday, Feb 2, 2026, 3:04 PM (UTC+1)</timestamp>``."""
    found = _TIME.search(text)
    if found is None:
        return None
    day, clock, hours, minutes = found.groups()
    for month in ("%b", "%B"):
        for written in ("%I:%M%p", "%I:%M:%S%p"):
            try:
                moment = datetime.strptime(f"{day} {clock.replace(' ', '')} +0000", f"{month} %d, %Y {written} %z")
            except ValueError:
                continue
            if hours is None and "UTC" not in found[0] and "GMT" not in found[0]:
                return f"{moment:%Y-%m-%dT%H:%M:%S}"
            return _in_zone(moment, int(hours or 0), int(minutes or 0)).isoformat()
    return None


def _in_zone(moment: datetime, hours: int, minutes: int) -> datetime:
    east = timedelta(hours=hours, minutes=-minutes if hours < 0 else minutes)
    return moment.replace(tzinfo=timezone(east)) if abs(east) < timedelta(days=1) else moment
