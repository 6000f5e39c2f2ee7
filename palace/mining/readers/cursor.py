"""Cursor's transcripts: ``agent-transcripts/SESSION/SESSION.jsonl`` below ``~/.cursor/projects/FOLDER``, or ``.txt``.

A line of the newer format is ``{role, message: {content}}``, without id or time; the older format is text. The user's
words stand in ``<user_query>``, surrounded by attached context that includes the time; replies get the time of the
message that they answer. Session and folder are taken from the path, in which FOLDER is the project's path with every
run of signs other than letters and digits written as a hyphen.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from pathlib import Path, PurePosixPath

from palace.mining.drafts.dating import moment_of
from palace.mining.drafts.draft import Stamp
from palace.mining.drafts.parts import content_texts
from palace.mining.drafts.written_times import parse_time
from palace.mining.files.fields import as_object, object_field
from palace.mining.files.reading import DateOrder, LeftOut, Reading, Record
from palace.mining.readers.sessions import Lines, OwnText, Session, Tags, folder_name
from palace.models import Conversation, Role

NAME = "cursor"
_TRANSCRIPTS, _SUBAGENTS = "agent-transcripts", "subagents"
_QUERY, _END = "<user_query>", "</user_query>"
_TIME = re.compile(r"<timestamp>\s*([^<>\n]{1,80}?)\s*</timestamp>")
_PARENTHESES = str.maketrans("", "", "()")
_TAGS = Tags(NAME)
_FIRST_LINES = re.compile(r"user:[ \t]*\r?\n\s*<[a-z_]+>")
_LABEL = re.compile(r"^(user|assistant):[ \t]*\r?$", re.MULTILINE)
_MARK = re.compile(r"\[(Thinking|Tool call|Tool result)\] ?(.*)")


def recognises(value: object) -> bool:
    """Check whether a value is one line of a transcript."""
    line = as_object(value)
    said = object_field(line, "message")
    return isinstance(line.get("role"), str) and "content" in said and "content" not in line


def recognises_text(beginning: str) -> bool:
    """Check whether a text begins like a transcript of the older format."""
    return _FIRST_LINES.match(beginning) is not None and _QUERY in beginning


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the session; context that Cursor attached is only counted, and so is the file of a sub-agent alone."""
    lines, session = Lines(records, reading, "Cursor"), _Session(NAME, reading, dated=False)
    is_main = reading.where is not None and reading.where.path.parent.name != _SUBAGENTS
    for line, place in session.with_subagents(lines, "Cursor", reading.below(_SUBAGENTS if is_main else "")):
        content, at = object_field(line, "message").get("content"), line.get("timestamp")
        with session.one_message():
            if line.get("role") == "user":
                session.typed(content, Stamp(at, place=place))
            elif line.get("role") == "assistant":
                session.said += 1
                session.say_parts(Role.ASSISTANT, content, Stamp(at or session.asked_at), place)
            else:
                session.leave_out(LeftOut.BOOKKEEPING)
    lines.report(session)
    yield from session.end()


def read_text(text: str, reading: Reading) -> Iterator[Conversation]:
    """Read a transcript of the older format."""
    session = _Session(NAME, reading, dated=False)
    labels = list(_LABEL.finditer(text))
    for label, end in zip(labels, [*(each.start() for each in labels[1:]), len(text)], strict=True):
        block = text[label.end() : end].strip("\r\n")
        if label[1] == "user":
            session.typed(block, Stamp())
        else:
            session.reply(block)
    yield from session.end()


class _Session(Session):
    said = 0
    asked_at: object = None

    def typed(self, content: object, stamp: Stamp) -> None:
        """Add a message of the user, without the context attached to it."""
        texts = content_texts(content)
        self.said += 1
        self.asked_at = stamp.at or next(filter(None, map(_time_in, texts)), None)
        self.part = _typed if any(_queries(text)[0] for text in texts) else _TAGS.strip
        self.person(content, stamp._replace(at=self.asked_at))

    def reply(self, block: str) -> None:
        """Add an answer of the older format: text, thoughts, calls and results, each indented below its mark."""
        marks: list[re.Match[str] | None] = []
        for line in block.splitlines():
            mark = _MARK.match(line)
            goes_on = mark is None and bool(marks) and (not line.strip() or line[0] in " \t")
            marks.append(marks[-1] if goes_on else mark)
        for mark, part in groupby(zip(marks, block.splitlines(), strict=True), key=lambda each: each[0]):
            lines = [line for _, line in part]
            stamp = Stamp(self.asked_at)
            if mark is None:
                said = "\n".join(lines).strip("\n")
                self.say(Role.ASSISTANT, said if said.strip() else "", stamp)
            elif mark[1] == "Thinking":
                self.leave_out(LeftOut.HIDDEN_REASONING)
            else:
                name = mark[2].strip()
                written = "\n".join([name, *lines[1:]]).strip()
                self.say(Role.TOOL, written, stamp._replace(speaker=name or None))

    def end(self) -> Iterator[Conversation]:
        """Yield the conversation, its id and folder taken from the path."""
        path = self.reading.where.path if self.reading.where else PurePosixPath()
        if _TRANSCRIPTS not in path.parts:
            yield from self.finish()
        elif _SUBAGENTS in path.parts:
            self.reading.leave_out(LeftOut.SUBAGENTS, max(1, self.said))
        else:
            called = path.parts[path.parts.index(_TRANSCRIPTS) - 1]
            self.key, self.folder = path.name.removesuffix(".gz").rpartition(".")[0], find_folder(called)
            yield from self.finish(project=folder_name(self.folder) or below_home(called))


def _typed(text: str) -> OwnText:
    """Return the user's words from ``<user_query>`` marks; the text around them is attached context."""
    queries, has_more = _queries(text)
    return OwnText("\n".join(queries), int(has_more)) if queries else _TAGS.strip(text)


def _queries(text: str) -> tuple[list[str], bool]:
    """Return the contents of the ``<user_query>`` marks, and whether there is text outside them."""
    found: list[str] = []
    start, has_more = 0, False
    while (begun := text.find(_QUERY, start)) >= 0 and (end := text.find(_END, begun)) >= 0:
        has_more = has_more or bool(text[start:begun].strip())
        found.append(text[begun + len(_QUERY) : end].removeprefix("\n").removesuffix("\n"))
        start = end + len(_END)
    return found, has_more or bool(text[start:].strip())


def _time_in(text: str) -> datetime | None:
    """Parse the time in a message: ``<timestamp>Monday, Feb 2, 2026, 3:04 PM (UTC+1)</timestamp>``."""
    found = _TIME.search(text)
    written = parse_time(found[1].translate(_PARENTHESES)) if found else None
    return moment_of(written, DateOrder.MONTH_FIRST) if written else None


_OTHER = re.compile(r"[^A-Za-z0-9]+")
_HOME = re.compile(r"(?:[A-Za-z]-)?(?:home|Users)-[^-]+-(.+)")
_MOST = 2000
"""Limit of folders that are checked in search of one."""


def find_folder(name: str) -> str | None:
    """Find the folder on this machine whose path Cursor writes as ``name``; None if there is none.

    Of several matches the first in alphabetical order is returned.
    """
    found = next(_folders(Path(os.sep), name.lower(), [_MOST]), None) if name.strip("-") else None
    return None if found is None else str(found)


def below_home(name: str) -> str | None:
    """Return the part of ``name`` below a home folder, or all of it if it names none; None if nothing is left."""
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
