"""The rows of a table below its header, each with the line it begins in; what cannot be read is missing alone."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from palace.intake.limits import LARGEST_MESSAGE
from palace.mining.readers.reading import UNREAD_LINES, Reading
from palace.mining.readers.tables.cells import Lines, is_spaced
from palace.mining.readers.tables.headers import Header

if TYPE_CHECKING:
    from _csv import Reader

EMPTY_ROWS = "rows of a table without a text"


class Row(NamedTuple):
    """One row of a table."""

    line: int
    cells: dict[str, str]
    """By kind; those that are not read are not kept, of which there may be hundreds."""

    def get(self, *kinds: str) -> str:
        """Give what stands in the first of these columns that there is, without blanks around it."""
        return next((self.cells[kind].strip() for kind in kinds if kind in self.cells), "")

    @property
    def text(self) -> str:
        """What is said in it, as it stands."""
        return self.cells["text" if "text" in self.cells else "note"]


def iter_rows(text: str, found: Header, reading: Reading) -> Iterator[Row]:
    """Give the rows that say something, as they stand; the others are counted, or missing by name."""
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
    """Give the rows of a table with the lines that they begin in; one that is too large is missing alone.

    Behind a quotation mark that is never closed, the others are signs like any other.
    """
    csv.field_size_limit(LARGEST_MESSAGE)
    lines = Lines(text)
    reader = csv.reader(lines, delimiter=found.delimiter, skipinitialspace=is_spaced(text, found.delimiter))
    for line, start, cells in _readable(reader, lines, 1, reading):
        if lines.is_over and reader.line_num > line and _is_open(text[start:], found):
            break
        yield line, cells
    else:
        return
    reading.notices.append(
        f"{reading.file}, line {line}: a quotation mark that opens here is never closed;"
        " from here on quotation marks are read as they stand"
    )
    lines = Lines(text, start)
    rest = csv.reader(lines, delimiter=found.delimiter, quoting=csv.QUOTE_NONE)
    for number, _, cells in _readable(rest, lines, line, reading):
        yield number, cells


def _readable(reader: Reader, lines: Lines, first: int, reading: Reading) -> Iterator[tuple[int, int, list[str]]]:
    """Give each row with its line, counted from ``first``, and its place; one that cannot be read is missing alone."""
    while True:
        line, start = first + reader.line_num, lines.at
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as problem:
            reading.miss(reading.problem(f"the row cannot be read: {problem}", f"line {line}"), UNREAD_LINES)
        else:
            yield line, start, cells


def _is_open(rest: str, found: Header) -> bool:
    """Tell whether the last row of a table ends within quotation marks."""
    try:
        is_spaced = found.joint.endswith(" ")
        list(csv.reader(Lines(rest), delimiter=found.delimiter, skipinitialspace=is_spaced, strict=True))
    except csv.Error as problem:
        return "end of data" in str(problem)
    return False


def _fitted(cells: Sequence[str], found: Header) -> tuple[str, ...] | None:
    """Give the cells of a row as many as the header has; None where nobody can tell which is the text."""
    width, text = len(found.names), found.text
    if len(cells) > width and text == width - 1:
        # Delimiters in a text that stands last and is in no quotation marks.
        return (*cells[: width - 1], found.joint.join(cells[width - 1 :]))
    if text is None or len(cells) > width or len(cells) <= text:
        return None
    return (*cells, *[""] * (width - len(cells)))
