"""Cursor's transcripts: ``agent-transcripts/SESSION/SESSION.jsonl`` below ``~/.cursor/projects/FOLDER``, or ``.txt``.

A line of the newer form is ``{role, message: {content}}``, without an id and a time; the older form is text. What the
person typed stands in ``<user_query>``, and what Cursor attached around it, the time among that; replies have that of
the message that they answer. The session and its folder are known by the path, in which every sign of the folder's path
but letters and digits is a hyphen.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from itertools import groupby
from pathlib import Path, PurePosixPath

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.parts import BOOKKEEPING, HIDDEN_REASONING
from palace.mining.files.fields import as_object
from palace.mining.files.reading import Reading, Record
from palace.mining.readers.agent_sessions import SUBAGENTS, Line, Lines, Parted, Tags, folder_name, part_content
from palace.models import Conversation, Role

NAME = "cursor"
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
_FIRST_LINES = re.compile(r"user:[ \t]*\r?\n\s*<[a-z_]+>")
_LABEL = re.compile(r"^(user|assistant):[ \t]*\r?$", re.MULTILINE)
_MARK = re.compile(r"\[(Thinking|Tool call|Tool result)\] ?(.*)")


def recognises(value: object) -> bool:
    """Tell one line of a transcript."""
    line = as_object(value)
    said = as_object(line.get("message"))
    return isinstance(line.get("role"), str) and "content" in said and "content" not in line


def recognises_text(beginning: str) -> bool:
    """Tell a transcript of the older form by its first lines."""
    return _FIRST_LINES.match(beginning) is not None and _QUERY in beginning


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the session; what Cursor attached to the person's words, and work of subagents, are counted."""
    lines, session = Lines(records, reading, "Cursor"), _Session(reading)
    for line in lines:
        with session.draft.one_message():
            session.add(line)
    lines.report(session.draft)
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
    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.draft = Draft(NAME, reading, dated=False)
        self._path = reading.where.path if reading.where else PurePosixPath()
        self._said = 0
        self._asked_at: object = None

    def add(self, line: Line) -> None:
        """Take up a line."""
        role = _ROLES.get(str(line.value.get("role")))
        if role is None:
            self.draft.leave_out(BOOKKEEPING)
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
        texts = _texts(content)
        at = at or next(filter(None, map(_time_in, texts)), None)
        self._asked_at = at
        has_query = any(_queries(text)[0] for text in texts)
        said = part_content(content, _typed if has_query else _TAGS.part, self.draft.leave_out)
        if said:
            self.draft.say_parts(Role.USER, said, Stamp(at, place=place), place)

    def reply(self, block: str) -> None:
        """Take up an answer of the older form: text, thoughts, calls and what they returned, indented below a mark."""
        marks: list[re.Match[str] | None] = []
        for line in block.splitlines():
            mark = _MARK.match(line)
            goes_on = mark is None and bool(marks) and (not line.strip() or line[0] in " \t")
            marks.append(marks[-1] if goes_on else mark)
        for mark, part in groupby(zip(marks, block.splitlines(), strict=True), key=lambda each: each[0]):
            lines = [line for _, line in part]
            stamp = Stamp(self._asked_at)
            if mark is None:
                said = "\n".join(lines).strip("\n")
                self.draft.say(Role.ASSISTANT, said if said.strip() else "", stamp)
            elif mark[1] == "Thinking":
                self.draft.leave_out(HIDDEN_REASONING)
            else:
                name = mark[2].strip()
                written = "\n".join([name, *lines[1:]]).strip()
                self.draft.say(Role.TOOL, written, stamp._replace(speaker=name or None))

    def finish(self) -> Iterator[Conversation]:
        """Yield the conversation."""
        parts = self._path.parts
        is_known = _TRANSCRIPTS in parts
        if is_known and _SUBAGENTS in parts:
            self._reading.leave_out(SUBAGENTS, max(1, self._said))
            return
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
    """Return what stands in the marks of what the person typed; what stands around them was attached."""
    queries, has_more = _queries(text)
    return Parted("\n".join(queries), int(has_more)) if queries else _TAGS.part(text)


def _queries(text: str) -> tuple[list[str], bool]:
    """Return what stands in marks, and whether anything stands around them."""
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


_OTHER = re.compile(r"[^A-Za-z0-9]+")
_HOME = re.compile(r"(?:[A-Za-z]-)?(?:home|Users)-[^-]+-(.+)")
_MOST = 2000
"""So many folders are looked at to find one."""


def find_folder(name: str) -> str | None:
    """Find the folder on this machine that is written so.

    Several may be; the first by name is taken, which gives the same every time.
    """
    found = next(_folders(Path(os.sep), name.lower(), [_MOST]), None) if name.strip("-") else None
    return None if found is None else str(found)


def below_home(name: str) -> str | None:
    """Return what of a name stands behind that of a home folder, all of it where there is none."""
    below = _HOME.fullmatch(name)
    return (below[1] if below else name.strip("-")) or None


def _folders(parent: Path, wanted: str, left: list[int]) -> Iterator[Path]:
    try:
        names = sorted(entry.name for entry in os.scandir(parent) if entry.is_dir())
    except OSError:
        return
    for name in names:
        written = _OTHER.sub("-", name).strip("-").lower()
        left[0] -= 1
        if left[0] < 0:
            return
        if not written or not wanted.startswith(written):
            continue
        rest = wanted[len(written) :]
        if not rest:
            yield parent / name
        elif rest.startswith("-"):
            yield from _folders(parent / name, rest[1:], left)
