"""Streams JSON as records, from one array, JSON lines or one document.

An array is decoded element by element from a sliding window, so memory is bounded by the largest conversation. The
standard decoder is used because it preserves lone surrogates, which exports contain and C streaming parsers reject.
"""

from __future__ import annotations

import io
import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO

from palace.errors import UnreadableSource
from palace.mining.files.encoding import Utf8Stream, not_utf_8
from palace.mining.files.reading import UNREAD_LINES, Reading, Record
from palace.models import Conversation

EMPTY_CONVERSATIONS = "conversations without messages"
CUT_OFF = "the JSON is cut off here"
TOO_DEEP = "the JSON is nested too deeply to be read"

_DECODER = json.JSONDecoder()
_WINDOW = 1 << 18
_BLANK = " \t\r\n"
_NEAR_THE_END = 1 << 18
_PART_OF_TOKEN = re.compile(r"u[0-9a-fA-F]{0,4}|-|\.|[eE][+-]?|")
_LITERALS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")


class CutOffLine(UnreadableSource):
    """The last line of a file ends inside a value; it may still be being written."""


def read_each(
    records: Iterator[Record],
    reading: Reading,
    read: Callable[[Record], Iterator[Conversation]],
    empty: str = EMPTY_CONVERSATIONS,
) -> Iterator[Conversation]:
    """Read each record as conversations; an unreadable one is noted and skipped.

    A record without messages is counted as ``empty``. Invalid JSON inside an array still raises, because the next
    conversation cannot be located.
    """
    try:
        for record in records:
            yield from read_alone(record, reading, read, empty)
    except CutOffLine as problem:
        reading.miss(problem, UNREAD_LINES)


def read_alone(
    record: Record,
    reading: Reading,
    read: Callable[[Record], Iterator[Conversation]],
    empty: str = EMPTY_CONVERSATIONS,
) -> Iterator[Conversation]:
    """Read one record; if it is unreadable, note that and yield nothing."""
    if record.fault is not None:
        reading.miss(record.fault, UNREAD_LINES)
        return
    failed = reading.troubles
    try:
        found = tuple(read(record))
    except UnreadableSource as problem:
        reading.failures.append(problem)
        return
    except RecursionError:
        reading.failures.append(reading.problem(TOO_DEEP, record.place("conversation")))
        return
    if not found and reading.troubles == failed:
        reading.leave_out(empty)
    yield from found


def each(
    read: Callable[[Record, Reading], Iterator[Conversation]], empty: str = EMPTY_CONVERSATIONS
) -> Callable[[Iterator[Record], Reading], Iterator[Conversation]]:
    """Return a function that reads all records of a file with ``read``, which reads one."""
    return lambda records, reading: read_each(records, reading, lambda record: read(record, reading), empty)


def load_json(data: bytes, name: str, reading: Reading) -> Any:
    """Decode a whole JSON file; ``name`` is its name within the source.

    Raises:
        UnreadableSource: it is no JSON, or no UTF-8.
    """
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as problem:
        raise reading.problem(not_utf_8(problem), name) from problem
    except ValueError as problem:
        raise reading.problem(_fault_of(problem), f"{name}{_at(problem, ', ')}") from problem
    except RecursionError as problem:
        raise reading.problem(TOO_DEEP, name) from problem


def iter_records(stream: BinaryIO, reading: Reading, *, is_array: bool) -> Iterator[Record]:
    """Stream the elements of a JSON array, or the values of JSON lines or of a JSON document.

    A malformed line is yielded as a record with a fault; the reader decides whether it can go on.

    Raises:
        UnreadableSource: the JSON is malformed or cut off; ``CutOffLine`` for the last of several lines.
    """
    yield from _Scanner(stream, reading).iter_elements() if is_array else _iter_values(stream, reading)


def _iter_values(stream: BinaryIO, reading: Reading) -> Iterator[Record]:
    blanks, first = _first_line(stream)
    number, line_number = 1, blanks.count(b"\n") + 1
    try:
        value = _DECODER.decode(first.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        next_blanks, second = _first_line(stream)
        if not _is_a_line(first, second):
            whole = io.BytesIO(blanks + first + next_blanks + second + stream.read())
            yield from _Scanner(whole, reading, is_whole=True).iter_documents()
            return
        yield _line_record(first.removeprefix(BOM_UTF8), reading, 1, line_number)
    else:
        next_blanks, second = _first_line(stream)
        # A single value that takes up the whole file is a document.
        yield Record(value, 1, line_number if second else None)
    behind: Iterable[bytes] = chain(next_blanks.splitlines(keepends=True), [second], stream)
    for at, line in enumerate(behind, line_number + 1):
        if line.strip():
            number += 1
            yield _line_record(line, reading, number, at)


def _first_line(stream: BinaryIO) -> tuple[bytes, bytes]:
    blanks, line = [], stream.readline()
    while line and not line.strip():
        blanks.append(line)
        line = stream.readline()
    return b"".join(blanks), line


def _is_a_line(first: bytes, second: bytes) -> bool:
    """Check whether an unparsable line is a malformed JSON line rather than the beginning of a longer document.

    It is if parsing fails before its end, and the next line is an object.
    """
    begin, follows = first.decode("utf-8-sig", "replace").lstrip(), second.decode("utf-8", "replace")
    try:
        if not isinstance(json.loads(follows), dict):
            return False
    except (ValueError, RecursionError):
        return False
    try:
        _DECODER.raw_decode(begin + follows)
    except json.JSONDecodeError as problem:
        return problem.pos <= len(begin)
    except (ValueError, RecursionError):
        return True  # too many digits, or nested too deeply
    return True  # invalid UTF-8


def _line_record(line: bytes, reading: Reading, number: int, line_number: int) -> Record:
    place, is_open = f"line {line_number}", not line.endswith(b"\n")
    try:
        return Record(_DECODER.decode(line.decode()), number, line_number)
    except UnicodeDecodeError as problem:
        is_cut, reason = problem.reason == "unexpected end of data", not_utf_8(problem)
    except ValueError as problem:
        is_cut, reason = _is_at_end(problem), _fault_of(problem)
        if isinstance(problem, json.JSONDecodeError) and not (is_open and is_cut):
            place = f"{place}, column {problem.pos + 1}"
    except RecursionError:
        is_cut, reason = False, TOO_DEEP
    if is_open and is_cut:
        raise CutOffLine(reading.file, "the line is cut off", place=place)
    return Record(None, number, line_number, reading.problem(reason, place))


class _Scanner:
    """A decoder of successive values in a window of text that is refilled from the file, or is the whole file."""

    def __init__(self, stream: BinaryIO, reading: Reading, *, is_whole: bool = False) -> None:
        self._reading, self._is_whole = reading, is_whole
        self._source = Utf8Stream(stream, reading)
        self._text, self._at = self._source.read() if is_whole else "", 0
        self._number, self._lines_before = 0, 0

    def iter_documents(self) -> Iterator[Record]:
        """Yield successive values."""
        while self._peek():
            yield self._next()

    def iter_elements(self) -> Iterator[Record]:
        """Yield the elements of an array."""
        self._take("[")
        is_closed = self._peek() == "]"
        while not is_closed:
            yield self._next()
            is_closed = self._peek() == "]"
            if not is_closed:
                self._take(",")
        self._take("]")
        if self._peek():
            raise self._problem("the JSON array ends here, but more text follows", self._at)

    def _take(self, mark: str) -> None:
        found = self._peek()
        if found != mark:
            reason = f"the JSON is not valid: Expecting '{mark}'" if found else CUT_OFF
            raise self._problem(reason, self._at)
        self._at += 1

    def _peek(self) -> str:
        """Skip white space and return the next character, "" at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _BLANK:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._read_more():
                return ""

    def _next(self) -> Record:
        self._number += 1
        self._peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except ValueError as problem:
                position = getattr(problem, "pos", self._at)
                if not (_is_at_end(problem) and self._read_more()):
                    place = (_at(problem) or f"item {self._number}") if self._is_whole else ""
                    raise self._problem(_fault_of(problem), position, place) from problem
            else:
                # A number at the end of the window may continue after it.
                if end < len(self._text) or not self._read_more():
                    self._at = end
                    return Record(value, self._number)

    def _read_more(self) -> bool:
        """Drop consumed text and read at least as much as is left, so that long values take linear time.

        A stream may return less than requested, so it is read repeatedly.
        """
        left = self._text[self._at :]
        pieces, wanted = [left], max(_WINDOW, len(left))
        while wanted > 0 and (more := self._source.read(wanted)):
            pieces.append(more)
            wanted -= len(more)
        if len(pieces) > 1:
            self._lines_before += self._text.count("\n", 0, self._at)
            self._text, self._at = "".join(pieces), 0
        return len(pieces) > 1

    def _problem(self, reason: str, position: int, place: str = "") -> UnreadableSource:
        line = self._lines_before + self._text.count("\n", 0, position) + 1
        return self._reading.problem(reason, place or f"item {max(self._number, 1)}, line {line}")


def _at(problem: ValueError, before: str = "") -> str:
    """Return the position of a JSON error, or "" if it has none."""
    if not isinstance(problem, json.JSONDecodeError):
        return ""
    return f"{before}line {problem.lineno}, column {problem.colno}"


def _fault_of(problem: ValueError) -> str:
    """Return what is wrong with the JSON, to complete a sentence."""
    if not isinstance(problem, json.JSONDecodeError):
        return "the JSON holds a number too long to be read"
    return CUT_OFF if _is_at_end(problem) else f"the JSON is not valid: {problem.msg.removesuffix(' at')}"


def _is_at_end(problem: ValueError) -> bool:
    """Check whether more text could fix the error: the rest is empty or the beginning of a token."""
    if not isinstance(problem, json.JSONDecodeError):
        return False
    left = problem.doc[problem.pos :].rstrip(_BLANK) if len(problem.doc) - problem.pos < _NEAR_THE_END else "…"
    return (
        problem.msg.startswith("Unterminated string")
        or _PART_OF_TOKEN.fullmatch(left) is not None
        or any(literal.startswith(left) for literal in _LITERALS)
    )
