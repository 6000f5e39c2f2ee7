"""WhatsApp's exports of a chat as text, as Android and iOS write them: a time, a name, what was said.

The way times are written is that of the phone's language and region (faq.whatsapp.com/1180414079177245). Stand-ins
for media, and the words that a message was edited or deleted, are part of the text and stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.reading import Reading
from palace.mining.readers.times.dating import Mark, date_marks
from palace.mining.readers.times.written import MARKS, MOMENT, plain_blanks
from palace.mining.readers.transcripts.lines import Line
from palace.mining.readers.transcripts.speakers import is_name
from palace.records import Conversation, Role, Slicing

NAME = "whatsapp"
SYSTEM_LINES = "WhatsApp's own lines (joins, calls, settings)"
EMPTY = "WhatsApp messages without a text"

_HEAD = 200
_TIME = f"(?P<time>{MOMENT})"
_ANDROID = re.compile(rf"{_TIME} [-–] ", re.IGNORECASE)
_IOS = re.compile(rf"\[{_TIME}\] ?", re.IGNORECASE)
_KOREAN = re.compile(rf"(?=\d{{4}}[.년]){_TIME}, ", re.IGNORECASE)
_SENDER = re.compile(r"[~ ]*(?P<name>[^\n:：]{1,100}?) ?[:：](?=(?P<gap> )|$)")
_STEERING = re.compile(f"[{MARKS}]")
_COMMAS = (", ", "، ")
_TITLE = re.compile(
    r"(?:WhatsApp[ -]Chat|Chat (?:de |do )?WhatsApp|Discussion WhatsApp|Conversa do WhatsApp|WhatsApp)"
    r"(?: (?:with|mit|con|avec|com|met|med|z|i|-|–) | [-–] )(?P<title>.+)",
    re.IGNORECASE,
)
_FILE = re.compile(r"_chat(?: ?\(\d+\))?\.txt(\.gz)?|.*whatsapp.*", re.IGNORECASE)
_ENDING = re.compile(r"(?: ?\(\d+\))?(?:\.(?:txt|zip|gz))+$", re.IGNORECASE)
_ASSISTANT = "Meta AI"
_ENCRYPTED = re.compile(
    r"end-to-end|ende-zu-ende|bout en bout|extremo a extremo|ponta a ponta|versleuteld|crittografat"
    r"|端對端|エンドツーエンド|تمام[اًً]* بين الطرفين|종단간 암호화",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"\b(?:created (?:this )?group|added|removed|left|joined using|joined from|changed|security code|now an admin|"
    r"is a contact|disappearing messages|pinned a message|blocked this contact|message timer|requested to join|"
    r"hinzugefügt|erstellt|verlassen|geändert|entfernt|beigetreten|sicherheitsnummer|"
    r"a ajouté|a créé|a quitté|a changé|a modifié|a retiré|añadió|agregó|creó|salió|cambió|eliminó a|se unió|"
    r"ha aggiunto|ha creato|ha abbandonato|è uscit[oa]|ha cambiato|ha modificato|ha rimosso|"
    r"adicionou|criou|saiu|mudou|alterou|removeu|toegevoegd|aangemaakt|gemaakt|verlaten|gewijzigd|verwijderd)\b",
    re.IGNORECASE,
)


class _Entry(NamedTuple):
    """A line that begins an entry of the chat."""

    line: Line
    number: int
    time: str
    sender: str | None
    """None where WhatsApp speaks itself."""
    content: int
    """Where in the whole text its text begins."""


def read(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    """Read a chat as one conversation, cut by day; none where the text is no export of one.

    Everybody in it is a user with a name, as the file does not tell whose phone it is from. WhatsApp's own lines are
    left out and counted.
    """
    entries = _entries(lines)
    if not entries or not _is_export(entries, text, reading):
        return []
    marks = [Mark(entry.number, entry.time) for entry in entries]
    dated = date_marks(marks, None, reading)
    draft = Draft(NAME, reading)
    group = None
    ends = [entry.line.start for entry in entries[1:]] + [len(text)]
    for entry, end, moment in zip(entries, ends, dated.moments, strict=True):
        content = text[entry.content : end].rstrip("\r\n")
        if entry.sender is None or _is_notice(content):
            group = group or (entry.sender if entry.sender and _ENCRYPTED.search(content) else None)
            reading.leave_out(SYSTEM_LINES)
        elif not content.strip():
            reading.leave_out(EMPTY)
        else:
            role = Role.ASSISTANT if entry.sender == _ASSISTANT else Role.USER
            draft.say(role, content, Stamp(moment, None, entry.sender))
    for fault in dated.faults:
        draft.warn(fault)
    return list(draft.finish(title=_title(reading.file) or group, slicing=Slicing.BY_DAY))


def _entries(lines: Sequence[Line]) -> list[_Entry]:
    """Find where entries begin, by the way the first line is written; none where that is not WhatsApp's."""
    first = next((line for line in lines if line.text.strip()), None)
    if first is None:
        return []
    head = _plain_head(first)[0]
    pattern = next((pattern for pattern in (_ANDROID, _IOS, _KOREAN) if pattern.match(head)), None)
    if pattern is None:
        return []
    found = (_entry(line, number, pattern) for number, line in enumerate(lines, 1))
    return [entry for entry in found if entry]


def _plain_head(line: Line) -> tuple[str, Sequence[int]]:
    """Give the beginning of a line with plain blanks and without marks, and where in the line each character stands."""
    plain = plain_blanks(line.text[:_HEAD])
    if not _STEERING.search(plain):
        return plain, range(len(plain))
    places = [place for place, character in enumerate(plain) if not _STEERING.match(character)]
    return "".join(plain[place] for place in places), places


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
    name = sender["name"].strip() if sender else None
    if name and _is_deed(name):
        name = None
    return _Entry(line, number, found["time"], name or None, line.start + end + gap)


def _is_export(entries: Sequence[_Entry], text: str, reading: Reading) -> bool:
    """Tell an export from minutes or logs that look alike: by its name, by what WhatsApp writes, or by how."""
    is_named = any(_FILE.fullmatch(part) for part in reading.file.split("/")[-2:])
    is_marked = any(_ENCRYPTED.search(text, entry.content, entry.line.end) for entry in entries[:5]) or "\u200e" in text
    senders = [entry.sender for entry in entries if entry.sender is not None]
    if is_named or is_marked:
        return bool(senders)
    first = entries[0]
    is_comma = any(comma in first.time for comma in _COMMAS)
    if len(senders) == 1:
        return is_comma and len(entries) == 1 and (senders[0].startswith("+") or is_name(senders[0]))
    return len(senders) > 1 and (is_comma or not first.line.text.lstrip(MARKS).startswith("["))


def _is_notice(content: str) -> bool:
    """Tell what WhatsApp says under somebody's name, as it does on iOS."""
    if len(content) > _HEAD * 2:
        return False
    is_marked = content.lstrip("\u200f").startswith("\u200e")
    return bool(_ENCRYPTED.search(content) and is_marked) or (is_marked and _NOTICE.search(content) is not None)


def _is_deed(name: str) -> bool:
    """Tell what stands before a colon in a line such as: Ann changed the subject to "Boat: repairs"."""
    first, _, rest = name.partition(" ")
    return first != name and " " in rest and any(found.group().islower() for found in _NOTICE.finditer(rest))


def _title(file: str) -> str | None:
    """Give the name of the person or group, which stands in the name of the file or of its archive."""
    for part in reversed(file.split("/")[-2:]):
        found = _TITLE.fullmatch(_ENDING.sub("", part).strip())
        if found:
            return found["title"]
    return None
