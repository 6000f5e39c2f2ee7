"""WhatsApp chats exported as text by Android or iOS: a time, a name, a message.

Times are written as in the phone's language and region (faq.whatsapp.com/1180414079177245). Placeholders for media and
marks of edited or deleted messages stay part of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from palace.mining.drafts.dating import Mark, date_marks
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.written_times import MARKS, moment_pattern, plain_blanks
from palace.mining.files.reading import Reading
from palace.mining.readers.lines import Line
from palace.mining.readers.speakers import is_name
from palace.models import Conversation, Role, Slicing
from palace.nlp.rules import Rules

NAME = "whatsapp"
SYSTEM_LINES = "WhatsApp's own lines (joins, calls, settings)"
EMPTY = "WhatsApp messages without a text"

_HEAD = 200
_SENDER = re.compile(r"[~ ]*(?P<name>[^\n:：]{1,100}?) ?[:：](?=(?P<gap> )|$)")
_STEERING = re.compile(f"[{MARKS}]")
_COMMAS = (", ", "، ")
_FILE = re.compile(r"_chat(?: ?\(\d+\))?\.txt(\.gz)?|.*whatsapp.*", re.IGNORECASE)
_ENDING = re.compile(r"(?: ?\(\d+\))?(?:\.(?:txt|zip|gz))+$", re.IGNORECASE)
_ASSISTANT = "Meta AI"
_RULES = Rules("readers", "whatsapp.toml")


@cache
def _beginnings() -> tuple[re.Pattern[str], ...]:
    time = f"(?P<time>{moment_pattern()})"
    written = (rf"{time} [-–] ", rf"\[{time}\] ?", rf"(?=\d{{4}}[.년]){time}, ")
    return tuple(re.compile(each, re.IGNORECASE) for each in written)


class _Entry(NamedTuple):
    """A line that begins an entry of the chat."""

    line: Line
    number: int
    time: str
    sender: str | None
    """None for WhatsApp's own messages."""
    content: int
    """Offset of the content in the whole text."""


def read(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    """Read a chat as one conversation, cut by day; return [] for a text that is no export.

    Everyone is a user with a name, because the file does not say whose phone it is from. WhatsApp's own lines are only
    counted.
    """
    entries = _entries(lines)
    if not entries or not _is_export(entries, text, reading):
        return []
    dated = date_marks([Mark(entry.number, entry.time) for entry in entries], None, reading)
    draft = Draft(NAME, reading)
    group = None
    ends = [*(entry.line.start for entry in entries[1:]), len(text)]
    for entry, end, moment in zip(entries, ends, dated.moments, strict=True):
        content = text[entry.content : end].rstrip("\r\n")
        if entry.sender is None or _is_notice(content):
            group = group or (entry.sender if entry.sender and _is_about_encryption(content) else None)
            reading.leave_out(SYSTEM_LINES)
        elif not content.strip():
            reading.leave_out(EMPTY)
        else:
            role = Role.ASSISTANT if entry.sender == _ASSISTANT else Role.USER
            draft.say(role, content, Stamp(moment, None, entry.sender))
    draft.warn(*dated.faults)
    return list(draft.finish(title=_title(reading.file) or group, slicing=Slicing.BY_DAY))


def _entries(lines: Sequence[Line]) -> list[_Entry]:
    first = next((line for line in lines if line.text.strip()), None)
    head = _plain_head(first)[0] if first else ""
    pattern = next((pattern for pattern in _beginnings() if pattern.match(head)), None)
    if pattern is None:
        return []
    found = (_entry(line, number, pattern) for number, line in enumerate(lines, 1))
    return [entry for entry in found if entry]


def _plain_head(line: Line) -> tuple[str, Sequence[int]]:
    """Return the beginning of a line with plain spaces and without marks, and the original offset of each character."""
    plain = plain_blanks(line.text[:_HEAD])
    if not _STEERING.search(plain):
        return plain, range(len(plain))
    places = [index for index, character in enumerate(plain) if not _STEERING.match(character)]
    return "".join(plain[index] for index in places), places


def _entry(line: Line, number: int, pattern: re.Pattern[str]) -> _Entry | None:
    if not line.text[:1] or line.text[0].isalpha():
        return None
    head, places = _plain_head(line)
    found = pattern.match(head)
    if found is None:
        return None
    sender = _SENDER.match(head, found.end())
    end = places[(sender or found).end() - 1] + 1
    gap = bool(sender and sender["gap"] and plain_blanks(line.text[end : end + 1]) == " ")
    name = sender["name"].strip() if sender else ""
    return _Entry(line, number, found["time"], None if not name or _is_deed(name) else name, line.start + end + gap)


def _is_export(entries: Sequence[_Entry], text: str, reading: Reading) -> bool:
    """Check whether entries are an export, not similar minutes or logs: by file name, known phrases or notation."""
    is_named = any(_FILE.fullmatch(part) for part in reading.file.split("/")[-2:])
    is_marked = any(_is_about_encryption(text[entry.content : entry.line.end]) for entry in entries[:5])
    senders = [entry.sender for entry in entries if entry.sender is not None]
    if is_named or is_marked or "\u200e" in text:
        return bool(senders)
    first = entries[0]
    is_comma = any(comma in first.time for comma in _COMMAS)
    if len(senders) == 1:
        return is_comma and len(entries) == 1 and (senders[0].startswith("+") or is_name(senders[0]))
    return len(senders) > 1 and (is_comma or not first.line.text.lstrip(MARKS).startswith("["))


def _is_about_encryption(content: str) -> bool:
    return _RULES["encrypted"].search(content) is not None


def _is_notice(content: str) -> bool:
    """Check for a notice of WhatsApp under a person's name, as iOS exports have."""
    if len(content) > _HEAD * 2 or not content.lstrip("\u200f").startswith("\u200e"):
        return False
    return _is_about_encryption(content) or _RULES["notice"].search(content) is not None


def _is_deed(name: str) -> bool:
    """Check whether a "name" is the beginning of a notice with a colon: Ann changed the subject to "Boat: repairs"."""
    rest = name.partition(" ")[2]
    notices = _RULES["notice"].finditer(rest)
    return " " in rest and any(found.group().islower() for found in notices)


def _title(file: str) -> str | None:
    found = (_RULES["title"].fullmatch(_ENDING.sub("", part).strip()) for part in reversed(file.split("/")[-2:]))
    return next((title["title"] for title in found if title), None)
