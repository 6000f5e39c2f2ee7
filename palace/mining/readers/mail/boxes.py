"""A mailbox (mbox), or one mail, as a stream of mails without what is attached to them.

Lines come and go: of attachments nothing but their heads is kept, so a mailbox of any size, with files of any size in
it, needs memory for the text of its largest mail. Between two mails stands a line that begins with ``From ``; lines of
a text that begin so have a ``>`` in front of them (qmail.org/man/man5/mbox.html, RFC 4155).
"""

from __future__ import annotations

import email.parser
import email.policy
import io
import re
from collections.abc import Iterator
from email.message import Message
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from palace.intake.limits import LARGEST_MESSAGE

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

FROM = b"From "
CALENDARS = frozenset({"text/calendar", "application/ics"})
"""Kinds of parts that hold an invitation."""
LARGEST_TEXT = LARGEST_MESSAGE * 3 // 2
"""Bytes that are kept of one mail: as many as encode the longest message."""

_LONGEST_LINE = 1 << 20
_SEPARATOR = re.compile(rb"From (?:[^\r\n]{0,300}\d\d:\d\d[^\r\n]{0,60}|- [^\r\n]{0,100}|-?)[ \t]*\r?\n?")
"""Thunderbird writes a dash for whom it is from, and sometimes nothing at all."""
_HEADER = re.compile(rb">?[!-9;-~]{1,80}[ \t]{0,4}:|[ \t]+\S")
_ESCAPED = re.compile(rb">+From ")
_LARGEST_HEAD = 1 << 20
_LENGTH = re.compile(rb"(\d{1,12})[ \t]*\r?\n")
_MOST_PARTS = 2000
_DEEPEST = 40
"""Multiparts in multiparts."""

_HEADS = email.parser.BytesParser(policy=email.policy.compat32)
# compat32 gives headers as they stand; the default policy takes them apart, and raises on some that are odd.


class RawMail(NamedTuple):
    """One mail, without its attachments."""

    data: bytes
    number: int
    """Counted from 1."""
    separator: bytes = b""
    """The line in front of it, in a mailbox."""
    is_oversize: bool = False
    """It has more text than can be read; what is here is not all of it."""

    def parsed(self) -> Message:
        """Take it apart."""
        return _HEADS.parsebytes(self.data)


def is_separator(line: bytes) -> bool:
    """Tell a line that may stand between two mails of a mailbox."""
    return line.startswith(FROM) and _SEPARATOR.fullmatch(line) is not None


def iter_mails(stream: BinaryIO) -> Iterator[RawMail]:
    """Stream the mails of a mailbox, or the one mail that a file is."""
    lines = _lines(_without_frame(stream))
    first = next((line for line in lines if line.strip()), b"")
    if not first:
        return
    if is_separator(first.removeprefix(b"\xef\xbb\xbf")):
        yield from _iter_mailbox(first, lines)
        return
    mail = _Skimmed()
    mail.add(first.removeprefix(b"\xef\xbb\xbf"))
    for line in lines:
        mail.add(line)
    yield mail.finish(1, b"")


def _iter_mailbox(separator: bytes, lines: Iterator[bytes]) -> Iterator[RawMail]:
    mail, number, held = _Skimmed(), 1, b""
    is_blank = False
    for line in lines:
        if held:
            # What may begin a mail does where a header stands below it.
            if _HEADER.match(line):
                yield mail.finish(number, separator)
                mail, number, separator = _Skimmed(), number + 1, held
            else:
                mail.add(held)
            held = b""
        elif is_blank and line.startswith(FROM) and is_separator(line):
            held, is_blank = line, False
            continue
        is_escaped = line.startswith(b">") and mail.is_in_text and _ESCAPED.match(line) is not None
        mail.add(line[1:] if is_escaped else line)
        is_blank = line in (b"\n", b"\r\n")
    if held:
        mail.add(held)
    yield mail.finish(number, separator)


def _without_frame(stream: BinaryIO) -> BinaryIO:
    """Take off what Apple Mail keeps around a mail (``.emlx``): its length in front, a property list behind."""
    # What is opened for reading is buffered throughout.
    peek = getattr(stream, "peek", None)
    found = _LENGTH.match(peek(32)[:32]) if peek else None
    if found is None:
        return stream
    stream.readline()
    return io.BufferedReader(_Beginning(stream, int(found[1])))


class _Beginning(io.RawIOBase):
    """So many bytes of a stream."""

    def __init__(self, stream: BinaryIO, length: int) -> None:
        self._stream, self._left = stream, length

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        wanted = memoryview(buffer)
        data = self._stream.read(min(len(wanted), self._left))
        self._left -= len(data)
        wanted[: len(data)] = data
        return len(data)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Give the lines of a stream, very long ones in pieces; in a file without any line feed they end in a return."""
    first = stream.readline(_LONGEST_LINE)
    if b"\n" not in first and b"\r" in first:
        yield from (first + stream.read(LARGEST_TEXT)).replace(b"\r", b"\n").splitlines(keepends=True)
        return
    while first:
        yield first
        first = stream.readline(_LONGEST_LINE)


class _Skimmed:
    """A mail while its lines are read: heads and texts are kept, what is attached is passed over."""

    def __init__(self) -> None:
        self._kept: list[bytes] = []
        self._size = 0
        self._head: list[bytes] = []
        self._head_size = 0
        self._is_head = True
        self._keeps = True
        self._is_broken = False
        """The line before has not ended."""
        self._boundaries: list[bytes] = []
        self._parts = 0
        self.is_in_text = False

    def add(self, line: bytes) -> None:
        """Take the next line."""
        is_continued, self._is_broken = self._is_broken, not line.endswith(b"\n")
        if self._is_head:
            self._keep(line)
            if line in (b"\n", b"\r\n"):
                self._end_head()
            elif self._head_size < _LARGEST_HEAD:
                self._head.append(line)
                self._head_size += len(line)
            return
        if self._boundaries and line.startswith(b"--") and not is_continued and self._is_boundary(line):
            self._keep(line)
            return
        if self._keeps:
            self._keep(line)

    def finish(self, number: int, separator: bytes) -> RawMail:
        """Give the mail."""
        return RawMail(b"".join(self._kept), number, separator, self._size > LARGEST_TEXT)

    def _keep(self, line: bytes) -> None:
        self._size += len(line)
        if self._size <= LARGEST_TEXT:
            self._kept.append(line)

    def _is_boundary(self, line: bytes) -> bool:
        """Go on behind a line that ends a part, and tell whether it is one."""
        bare = line[2:].rstrip()
        for at in range(len(self._boundaries) - 1, -1, -1):
            boundary = self._boundaries[at]
            if bare == boundary:
                del self._boundaries[at + 1 :]
                self._parts += 1
                self._is_head, self._keeps = self._parts <= _MOST_PARTS, False
                self._head.clear()
                self._head_size = 0
                return True
            if bare == boundary + b"--":
                del self._boundaries[at:]
                self._keeps = False
                return True
        return False

    def _end_head(self) -> None:
        """Decide by its head what becomes of a part."""
        head = _HEADS.parsebytes(b"".join(self._head), headersonly=True)
        self._head.clear()
        self._head_size, self._is_head = 0, False
        kind, main = head.get_content_type(), head.get_content_maintype()
        boundary = head.get_boundary() if main == "multipart" else None
        self._keeps = is_read(head)
        self.is_in_text = True
        if boundary and len(self._boundaries) < _DEEPEST:
            self._boundaries.append(boundary.encode("utf-8", "surrogateescape").rstrip())
            self._keeps = False
        elif kind == "message/rfc822" and self._parts <= _MOST_PARTS and len(self._boundaries) < _DEEPEST:
            # A mail that is attached has a head of its own.
            self._parts += 1
            self._is_head = True


def is_read(part: Message) -> bool:
    """Tell by its head whether a part of a mail is a text of it, and no file that came with it."""
    kind = part.get_content_type()
    if kind in CALENDARS:
        return True
    is_file = part.get_content_disposition() == "attachment" or part.get_filename() is not None
    return part.get_content_maintype() == "text" and not is_file
