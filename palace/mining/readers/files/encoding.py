"""Bytes to text: UTF-8 unless the file or the person says otherwise, and a plain word on what else it seems to be."""

from __future__ import annotations

import codecs
import io
from typing import TYPE_CHECKING, BinaryIO, Self

from palace.errors import BadRequest, UnreadableSource
from palace.mining.readers.reading import Reading

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

HEAD_BYTES = 1 << 16
"""How much of a file is looked at to tell what it is."""

_BLOCK = 1 << 16
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1b") + b"\x7f"
_NEAR = 1000
_NOT_LATIN_SHARE = 0.7
"""With more bytes than this beyond ASCII, a text is in no European language of Latin letters."""
_BINARY = "is a binary file, not text"
_CONTROL_SHARE = 0.1
"""With more control characters than this, valid UTF-8 is not text either."""
_FOREIGN_CONTROL_SHARE = 0.01
"""With more than this, bytes that are no UTF-8 are no other text; compressed data and pictures have about 0.1."""
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def check_encoding(name: str) -> str:
    """Give Python's name of a text encoding.

    Raises:
        BadRequest: there is no such encoding.
    """
    try:
        # Private, and the only way to tell encodings of text from rot13 or zip (bugs.python.org/issue19619).
        found = codecs.lookup(name)
        is_text = found._is_text_encoding
    except (LookupError, ValueError) as problem:
        raise BadRequest(f"--encoding {name!r} is not known; common ones are latin-1, cp1252, utf-16") from problem
    if not is_text:
        raise BadRequest(f"--encoding {name!r} is no encoding of text; common ones are latin-1, cp1252, utf-16")
    return found.name


def encoding_of(head: bytes, reading: Reading) -> str:
    """Give the encoding of a file that begins so: the one asked for, the one its byte-order mark tells, else UTF-8.

    Raises:
        BadRequest: the one asked for is not known.
    """
    if reading.encoding is not None:
        return check_encoding(reading.encoding)
    return next((name for mark, name in _BYTE_ORDER_MARKS if head.startswith(mark)), "utf-8")


def foreign_encoding(head: bytes) -> str | None:
    """Say what the beginning of a file is, where that is not UTF-8 text; None where it is.

    The text is the rest of a sentence about the file.
    """
    encoding = _utf_16(head)
    if encoding:
        return _advice(encoding.upper(), encoding)
    share = sum(head.count(code) for code in _CONTROLS) / max(len(head), 1)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return _BINARY if share > _FOREIGN_CONTROL_SHARE else None
    return _BINARY if share > _CONTROL_SHARE else None


def is_utf_8(stream: BinaryIO) -> bool:
    """Read a stream to its end and tell whether all of it is UTF-8, or in no European language of Latin letters."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    while True:
        data = stream.read(_BLOCK)
        try:
            decoder.decode(data, final=not data)
        except UnicodeDecodeError as problem:
            near = problem.object[max(problem.start - _NEAR, 0) : problem.start + _NEAR]
            return sum(byte >= 0x80 for byte in near) > _NOT_LATIN_SHARE * len(near)
        if not data:
            return True


def not_utf_8(problem: UnicodeDecodeError) -> str:
    """Say which 8-bit encoding the text around a decoding error seems to be in."""
    if problem.reason == "unexpected end of data":
        return f"breaks off in the middle of a UTF-8 character, or {_advice('Latin-1', 'latin-1')}"
    near = problem.object[max(problem.start - _NEAR, 0) : problem.start + _NEAR]
    if sum(byte >= 0x80 for byte in near) > _NOT_LATIN_SHARE * len(near):
        return "is not UTF-8, nor any Latin encoding; name its encoding: --encoding shift_jis, cp1251, koi8-r …"
    is_windows = any(0x80 <= byte < 0xA0 for byte in near)
    return _advice("Windows-1252" if is_windows else "Latin-1", "cp1252" if is_windows else "latin-1")


def place_in(data: bytes, offset: int, line: int = 1) -> str:
    """Say where in UTF-8 text a byte stands, by line and column; ``data`` begins with line ``line``."""
    begin = data.rfind(b"\n", 0, offset) + 1
    column = len(data[begin:offset].decode("utf-8", "replace")) + 1
    breaks = data.count(b"\n", 0, offset)
    return f"line {line + breaks}, column {column}"


def as_utf_8(stream: BinaryIO, encoding: str, reading: Reading) -> BinaryIO:
    """Give the bytes of a text in UTF-8, whatever its encoding; a byte-order mark of another one is left out.

    Raises:
        UnreadableSource: while reading, the bytes are not of that encoding.
    """
    if encoding in ("utf-8", "utf-8-sig"):
        return stream
    return io.BufferedReader(_Transcoded(stream, encoding, reading), _BLOCK)


def _advice(encoding: str, name: str) -> str:
    return f"is not UTF-8 but looks like {encoding}: try --encoding {name}"


def _utf_16(head: bytes) -> str | None:
    nuls_even, nuls_odd = head[::2].count(0), head[1::2].count(0)
    if len(head) >= 4 and max(nuls_even, nuls_odd) * 2 > len(head) // 2 and min(nuls_even, nuls_odd) * 20 < len(head):
        return "utf-16-le" if nuls_odd > nuls_even else "utf-16-be"
    return None


class Position:
    """Where in a text one stands, by line and column, counted from 1."""

    def __init__(self) -> None:
        self._line, self._column = 1, 1

    @classmethod
    def behind(cls, text: str) -> Self:
        """Give the place behind a text that begins the file."""
        position = cls()
        position.pass_over(text)
        return position

    def pass_over(self, text: str) -> None:
        """Go on behind a text."""
        breaks = text.count("\n")
        self._line += breaks
        self._column = len(text) - text.rfind("\n") if breaks else self._column + len(text)

    def __str__(self) -> str:
        return f"line {self._line}, column {self._column}"


class _Transcoded(io.RawIOBase):
    """The bytes of a text in another encoding, as UTF-8."""

    def __init__(self, stream: BinaryIO, encoding: str, reading: Reading) -> None:
        self._stream, self._encoding, self._reading = stream, encoding, reading
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._position = Position()
        self._ready = b""
        self._is_done = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        while not self._ready and not self._is_done:
            data = self._stream.read(_BLOCK)
            self._is_done = not data
            text = self._decode(data)
            self._position.pass_over(text)
            self._ready = text.encode("utf-8", "surrogatepass")
        wanted = memoryview(buffer)
        taken, self._ready = self._ready[: len(wanted)], self._ready[len(wanted) :]
        wanted[: len(taken)] = taken
        return len(taken)

    def _decode(self, data: bytes) -> str:
        try:
            return self._decoder.decode(data, final=self._is_done)
        except UnicodeDecodeError as problem:
            self._position.pass_over(self._good_text(problem))
            raise self._reading.problem(
                f"is not {self._encoding} text ({problem.reason})", str(self._position)
            ) from problem
        except UnicodeError as problem:
            raise self._reading.problem(f"is not {self._encoding} ({problem})", str(self._position)) from problem

    def _good_text(self, problem: UnicodeDecodeError) -> str:
        """Give what stands before a fault, as far as can be told."""
        good = problem.object[: problem.start]
        name = problem.encoding if self._encoding in ("utf-16", "utf-32") else self._encoding
        return good.decode(name, "replace")


class Utf8Stream:
    """Decodes a stream of bytes piece by piece, knowing where it stands; a byte-order mark is left out."""

    def __init__(self, stream: BinaryIO, reading: Reading) -> None:
        self._stream, self._reading = stream, reading
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._bytes_read = 0
        self._position = Position()

    def read(self, size: int = -1) -> str:
        """Give the next text, roughly ``size`` bytes of it; "" only at the end of the file.

        Raises:
            UnreadableSource: the bytes are not UTF-8.
        """
        while True:
            data = self._stream.read(size)
            pending = len(self._decoder.getstate()[0])
            try:
                text = self._decoder.decode(data, final=not data or size < 0)
            except UnicodeDecodeError as problem:
                raise self._fault(problem, self._bytes_read - pending) from problem
            if self._bytes_read == 0:
                text = text.removeprefix("\ufeff")
            self._bytes_read += len(data)
            self._position.pass_over(text)
            if text or not data:
                return text

    def offset_of(self, unread: str) -> int:
        """Give the place, in bytes from the beginning of the file, of the text last read but not yet used."""
        pending = len(self._decoder.getstate()[0])
        return self._bytes_read - pending - len(unread.encode())

    def _fault(self, problem: UnicodeDecodeError, begin: int) -> UnreadableSource:
        good = problem.object[: problem.start].decode("utf-8", "replace")
        self._position.pass_over(good if begin else good.removeprefix("\ufeff"))
        return self._reading.problem(not_utf_8(problem), f"{self._position} (byte {begin + problem.start})")
