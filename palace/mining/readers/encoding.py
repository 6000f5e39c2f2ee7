"""Bytes to text: UTF-8 only, and a plain word on what else a file seems to be."""

from __future__ import annotations

import codecs
from typing import BinaryIO

from palace.mining.readers.reading import Reading

HEAD_BYTES = 1 << 16
"""How much of a file is looked at to tell what it is."""

_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1b") + b"\x7f"
_NEAR = 1000
_NOT_LATIN_SHARE = 0.7
"""With more bytes than this beyond ASCII, a text is in no European language of Latin letters."""
_BINARY = "is a binary file, not text"
_CONTROL_SHARE = 0.1
"""With more control characters than this, valid UTF-8 is not text either."""
_FOREIGN_CONTROL_SHARE = 0.01
"""With more than this, bytes that are no UTF-8 are no other text; compressed data and pictures have about 0.1."""


def foreign_encoding(head: bytes) -> str | None:
    """Say what the beginning of a file is, where that is not UTF-8 text; None where it is.

    The text is the rest of a sentence about the file.
    """
    encoding = _utf_16(head)
    if encoding:
        return _advice(encoding)
    share = sum(head.count(code) for code in _CONTROLS) / max(len(head), 1)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError as problem:
        return _BINARY if share > _FOREIGN_CONTROL_SHARE else not_utf_8(problem)
    return _BINARY if share > _CONTROL_SHARE else None


def not_utf_8(problem: UnicodeDecodeError) -> str:
    """Say which 8-bit encoding the text around a decoding error seems to be in."""
    if problem.reason == "unexpected end of data":
        return f"breaks off in the middle of a UTF-8 character, or {_advice('Latin-1', 'LATIN1')}"
    near = problem.object[max(problem.start - _NEAR, 0) : problem.start + _NEAR]
    if sum(byte >= 0x80 for byte in near) > _NOT_LATIN_SHARE * len(near):
        return "is not UTF-8, nor any Latin encoding; convert it: iconv -f ENCODING -t UTF-8 OLD > NEW"
    is_windows = any(0x80 <= byte < 0xA0 for byte in near)
    return _advice("Windows-1252" if is_windows else "Latin-1", "WINDOWS-1252" if is_windows else "LATIN1")


def _advice(encoding: str, name: str | None = None) -> str:
    return f"is not UTF-8 but looks like {encoding}; convert it: iconv -f {name or encoding} -t UTF-8 OLD > NEW"


def _utf_16(head: bytes) -> str | None:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    nuls_even, nuls_odd = head[::2].count(0), head[1::2].count(0)
    if len(head) >= 4 and max(nuls_even, nuls_odd) * 2 > len(head) // 2 and min(nuls_even, nuls_odd) * 20 < len(head):
        return "UTF-16LE" if nuls_odd > nuls_even else "UTF-16BE"
    return None


class Utf8Stream:
    """Decodes a stream of bytes piece by piece, knowing where it stands; a byte-order mark is left out."""

    def __init__(self, stream: BinaryIO, reading: Reading) -> None:
        self._stream, self._reading = stream, reading
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._bytes_read = 0

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
                offset = self._bytes_read - pending + problem.start
                raise self._reading.problem(not_utf_8(problem), f"byte {offset}") from problem
            if self._bytes_read == 0:
                text = text.removeprefix("\ufeff")
            self._bytes_read += len(data)
            if text or not data:
                return text

    def offset_of(self, unread: str) -> int:
        """Give the place, in bytes from the beginning of the file, of the text last read but not yet used."""
        pending = len(self._decoder.getstate()[0])
        return self._bytes_read - pending - len(unread.encode())
