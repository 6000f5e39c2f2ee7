"""Tables with a header (CSV, TSV): a row is a message or a note, what its columns are is told by their names.

What was read as what is said in the reading's notices, so that no table is taken for a conversation unnoticed.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from palace.mining.drafts.dating import Mark, date_marks
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.roles import ROLES, role_of, speaker_of
from palace.mining.drafts.times import known_time
from palace.mining.files.containers import printable
from palace.mining.files.fields import as_title
from palace.mining.files.reading import UNREAD_LINES, Reading
from palace.mining.files.source import WholeText
from palace.mining.readers.file_dates import file_base
from palace.models import Conversation, Role, Slicing
from palace.models.intake import LARGEST_MESSAGE
from palace.models.source import WholeFile
from palace.nlp.rules import Rules

if TYPE_CHECKING:
    from _csv import Reader


NAME = "table"

_UNIQUE_ID = 8
"""Characters of an id that is no mere number of its row."""
_UNIQUE_TALK = 16
"""Characters of one that no other table has for another conversation."""


def recognises(beginning: str) -> bool:
    """Tell a table of messages or notes by its header."""
    return find_header(beginning) is not None


def read(text: str, reading: Reading) -> Iterator[Conversation]:
    """Read the rows of a table: one conversation, or one for each that a column names; rows with a title and nobody
    who speaks are notes of their own.
    """
    found = find_header(text, is_named=True)
    if found is None:
        raise reading.problem("is a table in which no column is named as a text")
    rows = list(iter_rows(text, found, reading))
    note_columns(found, reading)
    moments = _moments(rows, reading)
    files: tuple[WholeFile, ...] = (WholeText(text.removeprefix("\ufeff")),)
    for talk in _talks(rows, moments, found):
        for conversation in _conversation(talk, reading):
            yield replace(conversation, files=files)
            files = ()


@dataclass(slots=True)
class _Talk:
    name: str = ""
    is_note: bool = False
    rows: list[tuple[Row, object]] = field(default_factory=list)
    """With their times."""


def _moments(rows: Sequence[Row], reading: Reading) -> list[object]:
    """Date the rows: by times as programs write them, else as people do, which are read together."""
    texts = [row.get("at") or " ".join(part for part in (row.get("date"), row.get("time")) if part) for row in rows]
    exact = [known_time(text, reading.now, reading.zone) if text else None for text in texts]
    marks = [Mark(row.line, text or None) for row, text, known in zip(rows, texts, exact, strict=True) if known is None]
    if not any(mark.text for mark in marks):
        return [text if known else None for text, known in zip(texts, exact, strict=True)]
    dated = iter(date_marks(marks, file_base([], reading), reading).moments)
    return [text if known else next(dated) for text, known in zip(texts, exact, strict=True)]


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
        own, name = row.get("id"), row.get("who")
        role = ROLES.get(row.get("role").casefold()) or role_of(name) or Role.USER
        is_own = len(own) >= _UNIQUE_ID and ids[own] == 1
        stamp = Stamp(moment, own if is_own else None, speaker_of(name) if name else None, place=f"line {row.line}")
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


COLUMNS = "columns of tables that are not read"

_DELIMITERS = (",", ";", "\t", "|")
_READ_AS = {
    **dict.fromkeys(("text", "note"), "what is said"),
    **dict.fromkeys(("who", "role"), "who says it"),
    **dict.fromkeys(("at", "date", "time"), "when"),
    "talk": "which conversation",
    "title": "the title",
    "id": "the id",
}
_LONGEST_COLUMN = 60
_SAMPLE = 20
_SHOWN = 12
_COLUMN_NAMES = Rules("readers", "tables.toml")


@cache
def _columns() -> dict[str, tuple[str, int]]:
    """Map names of columns to what they hold, each with its rank among those of the kind."""
    return {name: (kind, rank) for kind in _READ_AS for rank, name in enumerate(_COLUMN_NAMES.text(kind).split())}


class Header(NamedTuple):
    """A table as its beginning shows it."""

    delimiter: str
    names: tuple[str, ...]
    kinds: dict[str, int]
    """The place of the column of each kind that there is."""
    is_spaced: bool = False
    """Whether a blank stands behind every delimiter, which is no part of a cell."""

    @property
    def text(self) -> int | None:
        """The column with what is said."""
        return self.kinds.get("text", self.kinds.get("note"))


def find_header(beginning: str, *, is_named: bool = False) -> Header | None:
    """Find a table with a header that names a text, and rows like it; ``is_named``: the file's name says it is one.

    A column of notes or comments is a text only where all other columns are known.
    """
    beginning = beginning.lstrip("\ufeff")
    head, end, below = beginning.partition("\n")
    if not end or len(head) > 4000:
        return None
    for delimiter in sorted(_DELIMITERS, key=lambda each: -head.count(each)):
        if delimiter not in head and not is_named:
            continue
        rows = list(_first_rows(beginning, delimiter))
        found = _header_in(rows[0], delimiter, head) if rows else None
        # The first row may go on behind the beginning.
        is_begun = len(rows) > 1 or (is_named and bool(below.strip()))
        if found is None or found.text is None or not is_begun:
            continue
        is_known = len(found.kinds) == len(found.names)
        if "text" not in found.kinds and not is_known:
            continue
        if len(found.names) < 2 and not (is_named and is_known):
            continue
        alike = sum(len(row) == len(found.names) for row in rows[1:])
        if alike * 2 >= len(rows) - 1 and (is_named or len(found.kinds) > 1):
            return found
    return None


def names_in(beginning: str) -> tuple[str, ...]:
    """Return the names in the first row of a table, for a message; split at the delimiter that it has most."""
    head = beginning.lstrip("\ufeff").partition("\n")[0][:4000]
    delimiter = max(_DELIMITERS, key=head.count)
    row = next(iter(_first_rows(head, delimiter)), [])
    return tuple(printable(cell.strip()) for cell in row)


def iter_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text with their ends; a carriage return alone ends none."""
    at = 0
    while at < len(text):
        start, at = at, text.find("\n", at) + 1 or len(text)
        yield text[start:at]


def _first_rows(text: str, delimiter: str) -> Iterator[list[str]]:
    """Yield the first rows of a text, without the last, which may break off."""
    lines = text[: text.rfind("\n") + 1] if "\n" in text else text
    spaced = _is_spaced(text.partition("\n")[0], delimiter)
    try:
        for number, row in enumerate(csv.reader(iter_lines(lines), delimiter=delimiter, skipinitialspace=spaced)):
            if number == _SAMPLE:
                return
            if row:
                yield row
    except csv.Error:
        return


def _is_spaced(head: str, delimiter: str) -> bool:
    return delimiter in head and head.count(delimiter) == head.count(f"{delimiter} ")


def _header_in(row: Sequence[str], delimiter: str, head: str) -> Header | None:
    names = tuple(cell.strip() for cell in row)
    if not all(0 < len(name) <= _LONGEST_COLUMN for name in names) or len(set(names)) < len(names):
        return None
    kinds: dict[str, int] = {}
    ranks: dict[str, int] = {}
    for place, name in enumerate(names):
        kind, rank = _columns().get(re.sub(r"[\s\-.]+", "_", name.casefold()).strip("_"), ("", 0))
        if kind and rank < ranks.get(kind, rank + 1):
            kinds[kind], ranks[kind] = place, rank
    return Header(delimiter, names, kinds, _is_spaced(head, delimiter))


def note_columns(found: Header, reading: Reading) -> None:
    """Say which column was read as what, and which are not read."""
    is_read = {
        kind: place
        for kind, place in found.kinds.items()
        if not (kind == "note" and "text" in found.kinds) and not (kind in ("date", "time") and "at" in found.kinds)
    }
    columns = [f'"{printable(found.names[place])}" as {_READ_AS[kind]}' for kind, place in is_read.items()]
    others = [name for place, name in enumerate(found.names) if place not in is_read.values()]
    if others:
        reading.leave_out(COLUMNS, len(others))
    shown = ", ".join(printable(as_title(name, 40) or "") for name in others[:_SHOWN])
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    rest = f"; not read: {shown}{more}" if others else ""
    reading.notices.append(f"{reading.file} is read as a table of messages: {', '.join(columns)}{rest}")


EMPTY_ROWS = "rows of a table without a text"


class Row(NamedTuple):
    """One row of a table."""

    line: int
    cells: dict[str, str]
    """By kind; those that are not read are not kept, of which there may be hundreds."""

    def get(self, *kinds: str) -> str:
        """Return what stands in the first of these columns that there is, without blanks around it."""
        return next((self.cells[kind].strip() for kind in kinds if kind in self.cells), "")

    @property
    def text(self) -> str:
        """What is said in it, as it stands."""
        return self.cells["text" if "text" in self.cells else "note"]


def iter_rows(text: str, found: Header, reading: Reading) -> Iterator[Row]:
    """Yield the rows that say something, as they stand; the others are counted, or missing by name."""
    width = len(found.names)
    for line, given in _records(text.removeprefix("\ufeff"), found, reading):
        if line == 1 or not any(cell.strip() for cell in given):
            continue
        cells = _fitted(given, found)
        if cells is None:
            reason = f"the row has {len(given)} cells where the header has {width}"
            reading.miss(reading.problem(reason, f"line {line}"), UNREAD_LINES)
            continue
        row = Row(line, {kind: cells[place] for kind, place in found.kinds.items()})
        if row.text.strip():
            yield row
        else:
            reading.leave_out(EMPTY_ROWS)


def _records(text: str, found: Header, reading: Reading) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table with the lines that they begin in; one that is too large is missing alone.

    Behind a quotation mark that is never closed, the others are signs like any other.
    """
    csv.field_size_limit(LARGEST_MESSAGE)
    lines = list(iter_lines(text))
    reader = csv.reader(lines, delimiter=found.delimiter, skipinitialspace=found.is_spaced)
    for begin, end, cells in _readable(reader, 0, reading):
        if end == len(lines) and end > begin + 1 and _is_open(lines[begin:], found):
            break
        yield begin + 1, cells
    else:
        return
    reading.notices.append(
        f"{reading.file}, line {begin + 1}: a quotation mark that opens here is never closed;"
        " from here on quotation marks are read as they stand"
    )
    rest = csv.reader(lines[begin:], delimiter=found.delimiter, quoting=csv.QUOTE_NONE)
    yield from ((line + 1, cells) for line, _, cells in _readable(rest, begin, reading))


def _readable(reader: Reader, before: int, reading: Reading) -> Iterator[tuple[int, int, list[str]]]:
    """Yield each row with the places where its lines begin and end; one that cannot be read is missing alone."""
    while True:
        begin = before + reader.line_num
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as problem:
            reading.miss(reading.problem(f"the row cannot be read: {problem}", f"line {begin + 1}"), UNREAD_LINES)
        else:
            yield begin, before + reader.line_num, cells


def _is_open(rest: Sequence[str], found: Header) -> bool:
    try:
        list(csv.reader(rest, delimiter=found.delimiter, skipinitialspace=found.is_spaced, strict=True))
    except csv.Error as problem:
        return "end of data" in str(problem)
    return False


def _fitted(cells: Sequence[str], found: Header) -> tuple[str, ...] | None:
    """Return the cells of a row as many as the header has; None where nobody can tell which is the text."""
    width, text = len(found.names), found.text
    if len(cells) > width and text == width - 1:
        # Delimiters in a text that stands last and is in no quotation marks.
        joint = found.delimiter + " " * found.is_spaced
        return (*cells[: width - 1], joint.join(cells[width - 1 :]))
    if text is None or len(cells) > width or len(cells) <= text:
        return None
    return (*cells, *[""] * (width - len(cells)))
