"""The reader of tables: rows as messages of one conversation or several, or as notes.

What was read as what is said in the reading's notices, so that no table is taken for a conversation unnoticed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.drafts.messages import ROLES
from palace.mining.readers.files.whole_file import WholeText
from palace.mining.readers.reading import Reading
from palace.mining.readers.tables.headers import Header, find_header, tell_columns
from palace.mining.readers.tables.rows import Row, iter_rows
from palace.mining.readers.times.dating import Mark, date_marks
from palace.mining.readers.times.file_dates import file_base
from palace.mining.readers.times.formats import known_time
from palace.mining.readers.transcripts.speakers import role_of, speaker_of
from palace.records import Conversation, Role, Slicing
from palace.records.source import WholeFile

NAME = "table"

_UNIQUE_ID = 8
"""Characters of an id that is no mere number of its row."""
_UNIQUE_TALK = 16
"""Characters of one that no other table has for another conversation."""


def read(text: str, reading: Reading) -> Iterator[Conversation]:
    """Read the rows of a table: one conversation, or one for each that a column names; rows with a title and nobody
    who speaks are notes of their own.
    """
    found = find_header(text, is_named=True)
    if found is None:
        raise reading.problem("is a table in which no column is named as a text")
    rows = list(iter_rows(text, found, reading))
    tell_columns(found, reading)
    moments = _moments(rows, reading)
    files: tuple[WholeFile, ...] = (WholeText(text.removeprefix("\ufeff")),)
    for talk in _talks(rows, moments, found):
        for conversation in _conversation(talk, reading):
            yield replace(conversation, files=files)
            files = ()


@dataclass(slots=True)
class _Talk:
    """The rows of one conversation."""

    name: str = ""
    is_note: bool = False
    rows: list[tuple[Row, object]] = field(default_factory=list)
    """With their times."""


def _moments(rows: Sequence[Row], reading: Reading) -> list[object]:
    """Date the rows: by times as programs write them, else as people do, which are read together."""
    told = [row.get("at") or " ".join(part for part in (row.get("date"), row.get("time")) if part) for row in rows]
    exact = [known_time(text, reading.now, reading.zone) if text else None for text in told]
    marks = [Mark(row.line, text or None) for row, text, known in zip(rows, told, exact, strict=True) if known is None]
    if not any(mark.text for mark in marks):
        return [text if known else None for text, known in zip(told, exact, strict=True)]
    dated = iter(date_marks(marks, file_base([], reading), reading).moments)
    return [text if known else next(dated) for text, known in zip(told, exact, strict=True)]


def _talks(rows: Sequence[Row], moments: Iterable[object], found: Header) -> list[_Talk]:
    has_speakers = "who" in found.kinds or "role" in found.kinds
    kind = "talk" if "talk" in found.kinds else "title" if has_speakers and "title" in found.kinds else None
    are_notes = kind is None and "title" in found.kinds
    talks: dict[object, _Talk] = {}
    for number, (row, moment) in enumerate(zip(rows, moments, strict=True)):
        name = row.get(kind) if kind else row.get("title") if are_notes else ""
        talk = talks.setdefault(number if are_notes else name, _Talk(name, are_notes))
        talk.rows.append((row, moment))
    return list(talks.values())


def _conversation(talk: _Talk, reading: Reading) -> Iterator[Conversation]:
    draft = Draft(NAME, reading, dated=False)
    ids = Counter(row.get("id") for row, _ in talk.rows)
    for row, moment in talk.rows:
        own = row.get("id")
        role, speaker = _who(row)
        is_own = len(own) >= _UNIQUE_ID and ids[own] == 1
        stamp = Stamp(moment, own if is_own else None, speaker, place=f"line {row.line}")
        with draft.one_message():
            draft.say(role, row.text, stamp)
    first = talk.rows[0][0]
    is_unique = len(talk.name) >= _UNIQUE_TALK and any(map(str.isdigit, talk.name)) and not talk.is_note
    yield from draft.finish(
        source_id=talk.name if is_unique else None,
        title=first.get("title") or talk.name or None,
        place=f"line {first.line}" if talk.name or talk.is_note else "",
        slicing=Slicing.WHOLE if talk.is_note else Slicing.BY_DAY,
    )


def _who(row: Row) -> tuple[Role, str | None]:
    given, name = row.get("role").casefold(), row.get("who")
    role = ROLES.get(given) or role_of(name) or Role.USER
    return role, speaker_of(name) if name else None
