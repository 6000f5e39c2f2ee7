"""Tables with a header (CSV, TSV), read as one message or note per row, with columns recognised by name.

A notice says which column was read as what, so that a table is never silently taken for a conversation.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from palace.mining.drafts.dating import Mark, date_marks
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.names import role_in, role_of, speaker_of
from palace.mining.drafts.times import known_time
from palace.mining.files.containers import printable
from palace.mining.files.fields import as_title, some_of
from palace.mining.files.reading import UNREAD_LINES, Reading
from palace.mining.readers.file_dates import file_base
from palace.models import Conversation, Role, Slicing
from palace.models.intake import LARGEST_MESSAGE
from palace.nlp.rules import Rules

if TYPE_CHECKING:
    from _csv import Reader


NAME = "table"
COLUMNS = "columns of tables that are not read"
EMPTY_ROWS = "rows of a table without a text"

_UNIQUE_ID = 8
"""Fewest characters of an id that is more than a row number."""
_UNIQUE_TALK = 16
"""Fewest characters of a conversation id that is unique across tables."""
_DELIMITERS = (",", ";", "\t", "|")
_LONGEST_COLUMN = 60
_LONGEST_HEAD = 4000
_SAMPLE = 20
_SHOWN = 12
_COLUMN_NAMES = Rules("readers", "tables.toml")


class Header(NamedTuple):
    """The format of a table and its header."""

    delimiter: str
    names: tuple[str, ...]
    kinds: dict[str, int]
    """Column index by kind of column."""
    is_spaced: bool = False
    """Whether each delimiter is followed by a space that is not part of the cell."""

    @property
    def text(self) -> int | None:
        """Index of the column with the content."""
        return self.kinds.get("text", self.kinds.get("note"))

    def rows(self, lines: Iterable[str], *, is_strict: bool = False) -> Reader:
        """Return a csv reader for this format."""
        return csv.reader(lines, delimiter=self.delimiter, skipinitialspace=self.is_spaced, strict=is_strict)


class _Row(NamedTuple):
    line: int
    cells: dict[str, str]
    """By kind; columns that are not read are not kept, as there may be hundreds."""

    def get(self, kind: str) -> str:
        """Return the stripped cell of a column, or ""."""
        return self.cells.get(kind, "").strip()

    @property
    def text(self) -> str:
        """The content of the row, unstripped."""
        return self.cells["text" if "text" in self.cells else "note"]


def recognises(beginning: str) -> bool:
    """Check by its header whether a text is a table of messages or notes."""
    return find_header(beginning) is not None


def read(text: str, reading: Reading) -> Iterator[Conversation]:
    """Read a table as one conversation, as one per value of a column, or, with titles but no speakers, as notes."""
    found = find_header(text, is_named=True)
    if found is None:
        raise reading.problem("is a table in which no column is named as a text")
    rows = list(_rows(text, found, reading))
    _note_columns(found, reading)
    has_speakers = "who" in found.kinds or "role" in found.kinds
    kind = "talk" if "talk" in found.kinds else "title" if has_speakers and "title" in found.kinds else None
    are_notes = kind is None and "title" in found.kinds
    talks: dict[object, list[tuple[_Row, object]]] = {}
    for number, (row, moment) in enumerate(zip(rows, _moments(rows, reading), strict=True)):
        talks.setdefault(number if are_notes else row.get(kind) if kind else "", []).append((row, moment))
    for talk in talks.values():
        name = talk[0][0].get("title" if are_notes else kind or "")
        yield from _conversation(talk, name, reading, is_note=are_notes)


def _moments(rows: Sequence[_Row], reading: Reading) -> list[object]:
    """Date the rows, by machine-readable times or else by written ones, which are interpreted together."""
    texts = [row.get("at") or " ".join(part for part in (row.get("date"), row.get("time")) if part) for row in rows]
    exact = [known_time(text, reading.now, reading.zone) if text else None for text in texts]
    marks = [Mark(row.line, text or None) for row, text, known in zip(rows, texts, exact, strict=True) if known is None]
    if not any(mark.text for mark in marks):
        return [text if known else None for text, known in zip(texts, exact, strict=True)]
    dated = iter(date_marks(marks, file_base([], reading), reading).moments)
    return [text if known else next(dated) for text, known in zip(texts, exact, strict=True)]


def _conversation(
    talk: Sequence[tuple[_Row, object]], called: str, reading: Reading, *, is_note: bool
) -> Iterator[Conversation]:
    draft = Draft(NAME, reading, dated=False)
    ids = Counter(row.get("id") for row, _ in talk)
    for row, moment in talk:
        own, name = row.get("id"), row.get("who")
        role = role_in(row.get("role").casefold()) or role_of(name) or Role.USER
        is_own = len(own) >= _UNIQUE_ID and ids[own] == 1
        stamp = Stamp(moment, own if is_own else None, speaker_of(name) if name else None, place=f"line {row.line}")
        with draft.one_message():
            draft.say(role, row.text, stamp)
    first = talk[0][0]
    is_unique = len(called) >= _UNIQUE_TALK and any(map(str.isdigit, called)) and not is_note
    yield from draft.finish(
        source_id=called if is_unique else None,
        title=first.get("title") or called or None,
        place=f"line {first.line}" if called or is_note else "",
        slicing=Slicing.WHOLE if is_note else Slicing.BY_DAY,
    )


def find_header(beginning: str, *, is_named: bool = False) -> Header | None:
    """Return the header of a table that has a text column and consistent rows; else None.

    A column of notes or comments counts as text only if all other columns are known. ``is_named``: the file's name
    marks a table.
    """
    beginning = beginning.lstrip("\ufeff")
    head, end, below = beginning.partition("\n")
    if not end or len(head) > _LONGEST_HEAD:
        return None
    for delimiter in sorted(_DELIMITERS, key=lambda each: -head.count(each)):
        if delimiter not in head and not is_named:
            continue
        rows = _first_rows(beginning, delimiter)
        found = _header_in(rows[0], delimiter, head) if rows else None
        # The first row may be longer than the beginning.
        is_begun = len(rows) > 1 or (is_named and bool(below.strip()))
        if found is None or found.text is None or not is_begun:
            continue
        is_known = len(found.kinds) == len(found.names)
        if ("text" not in found.kinds and not is_known) or (len(found.names) < 2 and not (is_named and is_known)):
            continue
        alike = sum(len(row) == len(found.names) for row in rows[1:])
        if alike * 2 >= len(rows) - 1 and (is_named or len(found.kinds) > 1):
            return found
    return None


def names_in(beginning: str) -> tuple[str, ...]:
    """Return the cells of a table's first row, for a message, split at its most frequent delimiter."""
    head = beginning.lstrip("\ufeff").partition("\n")[0][:_LONGEST_HEAD]
    rows = _first_rows(head, max(_DELIMITERS, key=head.count))
    return tuple(printable(cell.strip()) for cell in (rows[0] if rows else []))


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their line breaks; a carriage return alone ends no line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _first_rows(text: str, delimiter: str) -> list[list[str]]:
    """Return the first rows of a text, without the last line, which may be cut off."""
    lines = _lines(text[: text.rfind("\n") + 1] if "\n" in text else text)
    table = Header(delimiter, (), {}, _is_spaced(text.partition("\n")[0], delimiter))
    found: list[list[str]] = []
    with suppress(csv.Error):
        found.extend(islice(table.rows(lines), _SAMPLE))
    return [row for row in found if row]


def _is_spaced(head: str, delimiter: str) -> bool:
    return delimiter in head and head.count(delimiter) == head.count(f"{delimiter} ")


@cache
def _columns() -> dict[str, tuple[str, int]]:
    """Map column names to their kind and their rank among the names of that kind."""
    return {
        name: (kind, rank)
        for kind in _COLUMN_NAMES.table("read_as")
        for rank, name in enumerate(_COLUMN_NAMES.text(kind).split())
    }


def _header_in(row: Sequence[str], delimiter: str, head: str) -> Header | None:
    names = tuple(cell.strip() for cell in row)
    if not all(0 < len(name) <= _LONGEST_COLUMN for name in names) or len(set(names)) < len(names):
        return None
    ranked: dict[str, tuple[int, int]] = {}
    for index, name in enumerate(names):
        kind, rank = _columns().get(re.sub(r"[\s\-.]+", "_", name.casefold()).strip("_"), ("", 0))
        if kind:
            ranked[kind] = min(ranked.get(kind, (rank, index)), (rank, index))
    return Header(delimiter, names, {kind: index for kind, (_, index) in ranked.items()}, _is_spaced(head, delimiter))


def _note_columns(found: Header, reading: Reading) -> None:
    """Add a notice on which columns were read as what, and which were not read."""
    passed_over = {"note"} if "text" in found.kinds else set()
    passed_over |= {"date", "time"} if "at" in found.kinds else set()
    is_read = {kind: index for kind, index in found.kinds.items() if kind not in passed_over}
    columns = [
        f'"{printable(found.names[index])}" as {_COLUMN_NAMES.table("read_as")[kind]}'
        for kind, index in is_read.items()
    ]
    others = [name for index, name in enumerate(found.names) if index not in is_read.values()]
    reading.leave_out(COLUMNS, len(others))
    shown = some_of([printable(as_title(name, 40) or "") for name in others], _SHOWN)
    rest = f"; not read: {shown}" if others else ""
    reading.notices.append(f"{reading.file} is read as a table of messages: {', '.join(columns)}{rest}")


def _rows(text: str, found: Header, reading: Reading) -> Iterator[_Row]:
    """Yield the rows with content; empty rows are counted, malformed ones reported."""
    width = len(found.names)
    for line, given in _records(text.removeprefix("\ufeff"), found, reading):
        if line == 1 or not any(cell.strip() for cell in given):
            continue
        cells = _fitted(given, found)
        if cells is None:
            reason = f"the row has {len(given)} cells where the header has {width}"
            reading.miss(reading.problem(reason, f"line {line}"), UNREAD_LINES)
            continue
        row = _Row(line, {kind: cells[index] for kind, index in found.kinds.items()})
        if row.text.strip():
            yield row
        else:
            reading.leave_out(EMPTY_ROWS)


def _records(text: str, found: Header, reading: Reading) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table, each with its first line's number; one that is too large is reported and skipped.

    After a quotation mark that is never closed, quotation marks are treated as ordinary characters.
    """
    csv.field_size_limit(LARGEST_MESSAGE)
    lines = _lines(text)
    for begin, end, cells in _readable(found.rows(lines), 0, reading):
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
    """Yield each row with the indexes of its first line and of the line after it; an unreadable one is reported."""
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
        list(found.rows(rest, is_strict=True))
    except csv.Error as problem:
        return "end of data" in str(problem)
    return False


def _fitted(cells: Sequence[str], found: Header) -> tuple[str, ...] | None:
    """Return as many cells as the header has, or None if it is unclear which holds the text."""
    width, text = len(found.names), found.text
    if len(cells) > width and text == width - 1:
        # Unquoted delimiters in the text of the last column.
        joint = found.delimiter + " " * found.is_spaced
        return (*cells[: width - 1], joint.join(cells[width - 1 :]))
    if text is None or len(cells) > width or len(cells) <= text:
        return None
    return (*cells, *[""] * (width - len(cells)))
