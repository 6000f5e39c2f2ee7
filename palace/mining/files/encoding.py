"""Decodes bytes to text: UTF-8 unless the file or the user says otherwise, with advice on other encodings."""

from __future__ import annotations

import codecs
import io
from typing import BinaryIO

from palace.errors import BadRequest
from palace.mining.files.reading import Reading

HEAD_BYTES = 1 << 16
"""Bytes at the beginning of a file by which its format is recognised."""

_BLOCK = 1 << 16
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1b") + b"\x7f"
_NEAR = 1000
_NOT_LATIN_SHARE = 0.7
"""Share of non-ASCII bytes above which a text is in no language with Latin letters."""
_CONTROL_SHARE, _FOREIGN_CONTROL_SHARE = 0.1, 0.01
"""Shares of control characters above which valid UTF-8, or other bytes, are no text; compressed data has about 0.1."""
_BYTE_ORDER_MARKS = (
    ((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE), "utf-32"),
    ((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE), "utf-16"),
)


def encoding_of(head: bytes, reading: Reading) -> str:
    """Return the encoding of a file by its first bytes: the requested one, that of its byte-order mark, else UTF-8.

    Raises:
        BadRequest: the requested encoding does not exist.
    """
    if reading.encoding is not None:
        return _known(reading.encoding)
    return next((name for marks, name in _BYTE_ORDER_MARKS if head.startswith(marks)), "utf-8")


def _known(name: str) -> str:
    try:
        # Private, and the only way to distinguish text encodings from rot13 or zip (bugs.python.org/issue19619).
        found = codecs.lookup(name)
        is_text = found._is_text_encoding
    except (LookupError, ValueError) as problem:
        raise BadRequest(f"--encoding {name!r} is not known; common ones are latin-1, cp1252, utf-16") from problem
    if not is_text:
        raise BadRequest(f"--encoding {name!r} is no encoding of text; common ones are latin-1, cp1252, utf-16")
    return found.name


def foreign_encoding(head: bytes) -> str | None:
    """Return why the beginning of a file is not text in UTF-8, to complete a sentence, or None if it may be."""
    nuls_even, nuls_odd = head[::2].count(0), head[1::2].count(0)
    if len(head) >= 4 and max(nuls_even, nuls_odd) * 2 > len(head) // 2 and min(nuls_even, nuls_odd) * 20 < len(head):
        encoding = "utf-16-le" if nuls_odd > nuls_even else "utf-16-be"
        return _advice(encoding.upper(), encoding)
    share = sum(head.count(code) for code in _CONTROLS) / max(len(head), 1)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "is a binary file, not text" if share > _FOREIGN_CONTROL_SHARE else None
    return "is a binary file, not text" if share > _CONTROL_SHARE else None


def is_utf_8(stream: BinaryIO) -> bool:
    """Read a stream to its end; return whether it is UTF-8, or else in no encoding with mostly Latin letters."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    while True:
        data = stream.read(_BLOCK)
        try:
            decoder.decode(data, final=not data)
        except UnicodeDecodeError as problem:
            return _is_not_latin(_near(problem))
        if not data:
            return True


def not_utf_8(problem: UnicodeDecodeError) -> str:
    """Return which 8-bit encoding the text around a decoding error seems to be in, as advice."""
    if problem.reason == "unexpected end of data":
        return f"breaks off in the middle of a UTF-8 character, or {_advice('Latin-1', 'latin-1')}"
    near = _near(problem)
    if _is_not_latin(near):
        return "is not UTF-8, nor any Latin encoding; name its encoding: --encoding shift_jis, cp1251, koi8-r …"
    is_windows = any(0x80 <= byte < 0xA0 for byte in near)
    return _advice("Windows-1252" if is_windows else "Latin-1", "cp1252" if is_windows else "latin-1")


def _near(problem: UnicodeDecodeError) -> bytes:
    return problem.object[max(problem.start - _NEAR, 0) : problem.start + _NEAR]


def _is_not_latin(near: bytes) -> bool:
    return sum(byte >= 0x80 for byte in near) > _NOT_LATIN_SHARE * len(near)


def _advice(encoding: str, name: str) -> str:
    return f"is not UTF-8 but looks like {encoding}: try --encoding {name}"


def decoded_head(head: bytes, encoding: str, reading: Reading) -> str:
    """Decode the beginning of a file, with replacement characters for invalid bytes."""
    try:
        return codecs.getincrementaldecoder(encoding)("replace").decode(head)
    except (UnicodeError, OverflowError) as problem:
        # A missing byte-order mark, or a codec without support for replacement.
        raise reading.problem(f"is not {encoding} text: {problem}") from problem


def as_utf_8(stream: BinaryIO, encoding: str, reading: Reading) -> BinaryIO:
    """Return a stream of a text in UTF-8; text in another encoding is converted in memory.

    Raises:
        UnreadableSource: the bytes are not of that encoding.
    """
    if encoding in ("utf-8", "utf-8-sig"):
        return stream
    data = stream.read()
    try:
        return io.BytesIO(data.decode(encoding).encode("utf-8", "surrogatepass"))
    except (UnicodeError, OverflowError) as problem:
        # Some codecs raise errors without reason and position.
        reason, start = getattr(problem, "reason", str(problem)), getattr(problem, "start", 0)
        line = data.count(b"\n", 0, start) + 1
        raise reading.problem(f"is not {encoding} text ({reason})", f"line {line}") from problem


class Utf8Stream:
    """A decoder of a UTF-8 stream, piece by piece, without its byte-order mark."""

    def __init__(self, stream: BinaryIO, reading: Reading) -> None:
        self._stream, self._reading = stream, reading
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._is_begun = False
        self._line = 1

    def read(self, size: int = -1) -> str:
        """Return the next text, about ``size`` bytes of it; "" only at the end of the file.

        Raises:
            UnreadableSource: the bytes are not UTF-8.
        """
        while True:
            data = self._stream.read(size)
            try:
                text = self._decoder.decode(data, final=not data or size < 0)
            except UnicodeDecodeError as problem:
                line = self._line + problem.object.count(b"\n", 0, problem.start)
                raise self._reading.problem(not_utf_8(problem), f"line {line}") from problem
            self._line += text.count("\n")
            if text and not self._is_begun:
                text, self._is_begun = text.removeprefix("\ufeff"), True
            if text or not data:
                return text
