"""JSON as a stream of records, whether it comes as one array, one object a line, or one document.

An array is decoded element by element from a sliding window of text, so that an export of any size needs
memory for its largest conversation only. The standard decoder is used because it keeps lone surrogates, which
exports do contain and C streaming parsers refuse, exactly as they were written.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import copy
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

from palace.errors import UnreadableSource
from palace.mining.readers.fields import as_title
from palace.mining.readers.files.containers import printable
from palace.mining.readers.files.encoding import Position, Utf8Stream, not_utf_8, place_in
from palace.mining.readers.json_faults import CUT_OFF, TOO_DEEP, after_blanks, fault_of, instead_of, is_at_end
from palace.mining.readers.reading import Reading

_WINDOW = 1 << 18
_MOST_REPEATED = 10
"""So many objects with a repeated key are named; of more, their number is told."""


class Record(NamedTuple):
    """One value of the stream and where it stands, both counted from 1."""

    value: Any
    number: int
    line: int | None = None
    fault: UnreadableSource | None = None
    """Why the line cannot be read, where only this one cannot; then there is no value."""

    def place(self, noun: str, title: str | None = None) -> str:
        """Say where it stands: by line where the file has one a line, else as the n-th of its kind; and its title."""
        where = f"line {self.line}" if self.line else f"{noun} {self.number}"
        shown = as_title(title, 60)
        return f'{where} ("{printable(shown)}")' if shown else where


class CutOffLine(UnreadableSource):
    """The last line of the file breaks off inside a value: it is still being written, perhaps."""


def iter_records(stream: BinaryIO, reading: Reading, *, is_array: bool) -> Iterator[Record]:
    """Stream the elements of a JSON array, or the values of JSON lines or of a JSON document.

    A malformed line is given as a fault: whether the others can do without it is for the reader to know. Keys that
    stand twice in an object are told in the reading's notices.

    Raises:
        UnreadableSource: the JSON is malformed or cut off; ``CutOffLine`` for the last of several lines.
    """
    keys = _Keys(reading)
    if is_array:
        yield from _ArrayStream(stream, reading, keys).iter_elements()
    else:
        yield from _iter_values(stream, reading, keys)
    keys.sum_up()


class _Keys:
    """Decodes JSON and notes keys that stand twice in one object, of which only the last can be read."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._repeated: list[str] = []
        self._count = 0
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object)

    def decode(self, text: str, place: str) -> object:
        """Decode one whole value."""
        self._repeated.clear()
        value = self._decoder.decode(text)
        self.tell(place)
        return value

    def raw_decode(self, text: str, position: int) -> tuple[Any, int]:
        """Decode the value that begins at a position; give it and where it ends. What it repeats is yet to be told."""
        self._repeated.clear()
        return self._decoder.raw_decode(text, position)

    def tell(self, place: str) -> None:
        """Name the keys that stand twice in the value decoded last."""
        for key in self._repeated:
            self._count += 1
            if self._count <= _MOST_REPEATED:
                shown = printable(as_title(key, 40) or "")
                self._reading.notices.append(f'{place}: the key "{shown}" stands twice in one object; the last is read')

    def sum_up(self) -> None:
        """Say how many more there were than were named."""
        more = self._count - _MOST_REPEATED
        if more > 0:
            self._reading.notices.append(f"{more:,} more objects with a key that stands twice")

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            self._repeated.append(next(key for key, count in counts.items() if count > 1))
        return found


def _iter_values(stream: BinaryIO, reading: Reading, keys: _Keys) -> Iterator[Record]:
    blanks, first = _first_line(stream)
    line_number = blanks.count(b"\n") + 1
    try:
        value = keys.decode(first.decode("utf-8-sig"), f"line {line_number}")
    except (ValueError, RecursionError):
        next_blanks, second = _first_line(stream)
        if not _is_a_line(first, second):
            yield from _iter_document(blanks + first + next_blanks + second + stream.read(), reading, keys)
            return
        yield _line_record(first.removeprefix(BOM_UTF8), reading, keys, (1, line_number))
        behind: Iterable[bytes] = chain(next_blanks.splitlines(keepends=True), [second], stream)
    else:
        next_blanks, second = _first_line(stream)
        # One value that is all of the file is a document, however it is written.
        yield Record(value, 1, line_number if second else None)
        behind = chain(next_blanks.splitlines(keepends=True), [second], stream)
    yield from _iter_lines(behind, reading, keys, line_number)


def _first_line(stream: BinaryIO) -> tuple[bytes, bytes]:
    """Give the next line that is not blank, behind the blank ones."""
    blanks, line = [], stream.readline()
    while line and not line.strip():
        blanks.append(line)
        line = stream.readline()
    return b"".join(blanks), line


def _is_a_line(first: bytes, second: bytes) -> bool:
    """Tell a line that cannot be read from the beginning of a document that goes on in the next.

    It breaks before the next one begins, and that is an object by itself.
    """
    begin, follows = first.decode("utf-8-sig", "replace").lstrip(), second.decode("utf-8", "replace")
    decoder = json.JSONDecoder()
    try:
        if not isinstance(decoder.decode(follows), dict):
            return False
    except (ValueError, RecursionError):
        return False
    try:
        decoder.raw_decode(begin + follows)
    except json.JSONDecodeError as problem:
        return problem.pos <= len(begin)
    except (ValueError, RecursionError):
        return True  # a number too long to be read, or more brackets than can be
    return True  # bytes that are no UTF-8


def _iter_lines(lines: Iterable[bytes], reading: Reading, keys: _Keys, lines_before: int) -> Iterator[Record]:
    number = 1
    for line_number, line in enumerate(lines, lines_before + 1):
        if line.strip():
            number += 1
            yield _line_record(line, reading, keys, (number, line_number))


def _line_record(line: bytes, reading: Reading, keys: _Keys, numbers: tuple[int, int]) -> Record:
    number, line_number = numbers
    try:
        return Record(_line_value(line, reading, keys, f"line {line_number}"), number, line_number)
    except CutOffLine:
        raise
    except UnreadableSource as problem:
        return Record(None, number, line_number, problem)


def _line_value(line: bytes, reading: Reading, keys: _Keys, place: str) -> object:
    is_open = not line.endswith(b"\n")
    try:
        return keys.decode(line.decode(), place)
    except UnicodeDecodeError as problem:
        if is_open and problem.reason == "unexpected end of data":
            raise CutOffLine(reading.file, "the line is cut off", place=place) from problem
        column = place_in(line, problem.start).partition(", ")[2]
        raise reading.problem(not_utf_8(problem), f"{place}, {column}") from problem
    except json.JSONDecodeError as problem:
        if is_open and is_at_end(problem):
            raise CutOffLine(reading.file, "the line is cut off", place=place) from problem
        raise reading.problem(fault_of(problem), f"{place}, column {problem.pos + 1}") from problem
    except ValueError as problem:
        raise reading.problem(fault_of(problem), place) from problem
    except RecursionError as problem:
        raise reading.problem(TOO_DEEP, place) from problem


def _iter_document(data: bytes, reading: Reading, keys: _Keys) -> Iterator[Record]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        place = f"{place_in(data, problem.start)} (byte {problem.start})"
        raise reading.problem(not_utf_8(problem), place) from problem
    number, position = 0, after_blanks(text, 0)
    while position < len(text):
        number += 1
        try:
            value, position = keys.raw_decode(text, position)
        except ValueError as problem:
            at = problem.pos if isinstance(problem, json.JSONDecodeError) else position
            where = Position.behind(text[:at])
            raise reading.problem(
                fault_of(problem), f"{where} (byte {len(data) - len(text[at:].encode())})"
            ) from problem
        keys.tell(f"item {number}")
        yield Record(value, number)
        position = after_blanks(text, position)


class _ArrayStream:
    """A window of text that slides over a JSON array."""

    def __init__(self, stream: BinaryIO, reading: Reading, keys: _Keys) -> None:
        self._text, self._at = "", 0
        self._source, self._reading, self._keys = Utf8Stream(stream, reading), reading, keys
        self._number = 0
        self._dropped = Position()

    def iter_elements(self) -> Iterator[Record]:
        self._take("[")
        is_closed = self._peek() == "]"
        while not is_closed:
            self._number += 1
            self._peek()
            yield Record(self._value(), self._number)
            is_closed = self._peek() == "]"
            if not is_closed:
                self._take(",")
        self._take("]")
        if self._peek():
            raise self._problem("the JSON array ends here, but more text follows", self._at)

    def _take(self, mark: str) -> None:
        found = self._peek()
        if found != mark:
            wanted = "a comma or a closing bracket" if mark == "," else "a list in square brackets"
            reason = f"the JSON is not valid: {wanted} is wanted here{instead_of(self._text, self._at)}"
            raise self._problem(reason if found else CUT_OFF, self._at)
        self._at += 1

    def _peek(self) -> str:
        """Skip white space and give the next character, "" at the end."""
        while True:
            self._at = after_blanks(self._text, self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._read_more():
                return ""

    def _value(self) -> object:
        while True:
            try:
                value, end = self._keys.raw_decode(self._text, self._at)
            except json.JSONDecodeError as problem:
                if not (is_at_end(problem) and self._read_more()):
                    raise self._problem(fault_of(problem), problem.pos) from problem
            except ValueError as problem:
                raise self._problem(fault_of(problem), self._at) from problem
            else:
                # A number that ends with the window may go on behind it.
                if end < len(self._text) or not self._read_more():
                    self._keys.tell(f"item {self._number}")
                    self._at = end
                    return value

    def _read_more(self) -> bool:
        """Drop what is done and read as much again as is left, so that long values cost linear time.

        A stream may give less than it is asked for, and is asked again.
        """
        left = self._text[self._at :]
        self._dropped.pass_over(self._text[: self._at])
        pieces, wanted = [left], max(_WINDOW, len(left))
        while wanted > 0 and (more := self._source.read(wanted)):
            pieces.append(more)
            wanted -= len(more)
        self._text, self._at = "".join(pieces), 0
        return len(pieces) > 1

    def _problem(self, reason: str, position: int) -> UnreadableSource:
        offset = self._source.offset_of(self._text[position:])
        where = copy(self._dropped)
        where.pass_over(self._text[:position])
        return self._reading.problem(reason, f"item {max(self._number, 1)}, {where} (byte {offset})")
