"""A mailbox (mbox), or one mail, as a stream of mails without what is attached to them.

Lines come and go: of attachments nothing but their heads is kept, so a mailbox of any size, with files of any size in
it, needs memory for the text of its largest mail. Between two mails stands a line that begins with ``From ``; lines of
a text that begin so have a ``>`` in front of them (qmail.org/man/man5/mbox.html, RFC 4155).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from itertools import chain
from typing import BinaryIO, NamedTuple

from palace.models.intake import LARGEST_MESSAGE

FROM = b"From "
CALENDARS = frozenset({"text/calendar", "application/ics"})
"""Kinds of parts that hold an invitation."""
LARGEST_TEXT = LARGEST_MESSAGE * 3 // 2
"""Bytes that are kept of one mail: as many as encode the longest message."""
DEEPEST = 40
"""Multiparts and mails within each other that are looked into."""

_LARGEST_HEAD = 1 << 20
"""Bytes that are kept of one head."""
_MOST_PARTS = 2000
_LONGEST_LINE = 1 << 20
_SEPARATOR = re.compile(rb"From (?:[^\r\n]{0,300}\d\d:\d\d[^\r\n]{0,60}|- [^\r\n]{0,100}|-?)[ \t]*\r?\n?")
"""Thunderbird writes a dash for whom it is from, and sometimes nothing at all."""
_HEADER = re.compile(rb">?[!-9;-~]{1,80}[ \t]{0,4}:|[ \t]+\S")
_ESCAPED = re.compile(rb">+From ")
_BLANK = (b"\n", b"\r\n")
_MARK = b"\xef\xbb\xbf"
_LENGTH = re.compile(rb"(\d{1,12})[ \t]*\r?\n")
_OF_ATTACHED = b"\n"
"""Stands among boundaries for a mail that is attached, which no line of its own ends."""
# compat32 gives headers as they stand; the default policy takes them apart, and raises on some that are odd.
_PARSER = BytesParser(policy=compat32)


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
        return _PARSER.parsebytes(self.data)


def is_separator(line: bytes) -> bool:
    """Tell a line that may stand between two mails of a mailbox."""
    return line.startswith(FROM) and _SEPARATOR.fullmatch(line) is not None


def is_read(part: Message) -> bool:
    """Tell by its head whether a part of a mail is a text of it, and no file that came with it."""
    if part.get_content_type() in CALENDARS:
        return True
    is_file = part.get_content_disposition() == "attachment" or part.get_filename() is not None
    return part.get_content_maintype() == "text" and not is_file


def iter_mails(stream: BinaryIO) -> Iterator[RawMail]:
    """Stream the mails of a mailbox, or the one mail that a file is."""
    lines = _lines(stream)
    first = next((line for line in lines if line.strip()), b"").removeprefix(_MARK)
    if not first:
        return
    is_box = is_separator(first)
    mail, number, separator = _Skimmed(), 1, first if is_box else b""
    held, is_blank = b"", False
    for line in lines if is_box else chain([first], lines):
        if held:
            # What may begin a mail does where a header stands below it.
            if _HEADER.match(line):
                yield mail.finish(number, separator)
                mail, number, separator = _Skimmed(), number + 1, held
            else:
                mail.add(held)
            held = b""
        elif is_box and is_blank and is_separator(line):
            held, is_blank = line, False
            continue
        is_escaped = is_box and line.startswith(b">") and mail.is_in_text and _ESCAPED.match(line) is not None
        mail.add(line[1:] if is_escaped else line)
        is_blank = line in _BLANK
    if held:
        mail.add(held)
    yield mail.finish(number, separator)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream, very long ones in pieces; in a file without any line feed they end in a return.

    What Apple Mail keeps around a mail (``.emlx``) is taken off: its length in front, a property list behind.
    """
    first = stream.readline(_LONGEST_LINE)
    framed = _LENGTH.fullmatch(first)
    if b"\n" not in first and b"\r" in first:
        yield from (first + stream.read(LARGEST_TEXT)).replace(b"\r", b"\n").splitlines(keepends=True)
        return
    left = int(framed[1]) if framed else None
    line = stream.readline(_LONGEST_LINE) if framed else first
    while line:
        if left is not None:
            line, left = line[:left], left - len(line)
        yield line
        line = b"" if left is not None and left <= 0 else stream.readline(_LONGEST_LINE)


class _Skimmed:
    """A mail while its lines are read: heads and texts are kept, what is attached is passed over."""

    def __init__(self) -> None:
        self._kept: list[bytes] = []
        self._size = 0
        self._head: list[bytes] | None = []
        """The lines of the head that is being read."""
        self._head_size = self._parts = 0
        self._keeps = True
        self._boundaries: list[bytes] = []
        self.is_in_text = False

    def add(self, line: bytes) -> None:
        """Take the next line."""
        if self._head is not None:
            if line in _BLANK:
                self._keep(line)
                self._end_head(b"".join(self._head))
            elif self._head_size < _LARGEST_HEAD:
                self._keep(line)
                self._head.append(line)
                self._head_size += len(line)
        elif self._is_boundary(line) or self._keeps:
            self._keep(line)

    def finish(self, number: int, separator: bytes) -> RawMail:
        """Return the mail."""
        return RawMail(b"".join(self._kept), number, separator, self._size > LARGEST_TEXT)

    def _keep(self, line: bytes) -> None:
        self._size += len(line)
        if self._size <= LARGEST_TEXT:
            self._kept.append(line)

    def _is_boundary(self, line: bytes) -> bool:
        """Go on behind a line that ends a part, and tell whether it is one and kept."""
        bare = line[2:].rstrip() if line.startswith(b"--") else b""
        for at in range(len(self._boundaries) - 1 if bare else -1, -1, -1):
            is_end = bare == self._boundaries[at] + b"--"
            if bare == self._boundaries[at] or is_end:
                del self._boundaries[at + (not is_end) :]
                self._parts += not is_end
                is_looked_at = not is_end and self._parts <= _MOST_PARTS
                self._keeps, self._head, self._head_size = False, [] if is_looked_at else None, 0
                return is_end or is_looked_at
        return False

    def _end_head(self, written: bytes) -> None:
        head = _PARSER.parsebytes(written, headersonly=True)
        boundary = head.get_boundary() if head.get_content_maintype() == "multipart" else None
        self._keeps, self.is_in_text = is_read(head) and not boundary, True
        self._head, self._head_size = None, 0
        if len(self._boundaries) >= DEEPEST:
            return
        if boundary:
            self._boundaries.append(boundary.encode("utf-8", "surrogateescape").rstrip())
        elif head.get_content_type() == "message/rfc822":
            self._boundaries.append(_OF_ATTACHED)
            # It has a head of its own.
            self._head = []
