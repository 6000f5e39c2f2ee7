"""Stream the mails of a mailbox (mbox), or a single mail, without their attachments.

Input is read line by line and only the headers of attachments are kept, so memory is bounded by the text of the largest
mail, whatever the size of the mailbox. Mails are separated by lines that begin with ``From ``; text lines that begin so
are escaped with ``>`` (qmail.org/man/man5/mbox.html, RFC 4155).
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
"""Content types of invitations."""
LARGEST_TEXT = LARGEST_MESSAGE * 3 // 2
"""Most bytes kept of one mail: enough to encode the longest message."""
DEEPEST = 40
"""Deepest nesting of multiparts and attached mails that is parsed."""

_LARGEST_HEAD = 1 << 20
"""Most bytes kept of one header block."""
_MOST_PARTS = 2000
_LONGEST_LINE = 1 << 20
_SEPARATOR = re.compile(rb"From (?:[^\r\n]{0,300}\d\d:\d\d[^\r\n]{0,60}|- [^\r\n]{0,100}|-?)[ \t]*\r?\n?")
"""Thunderbird writes a dash for the sender, and sometimes nothing."""
_HEADER = re.compile(rb">?[!-9;-~]{1,80}[ \t]{0,4}:|[ \t]+\S")
_ESCAPED = re.compile(rb">+From ")
_BLANK = (b"\n", b"\r\n")
_MARK = b"\xef\xbb\xbf"
_LENGTH = re.compile(rb"(\d{1,12})[ \t]*\r?\n")
_OF_ATTACHED = b"\n"
"""Marks an attached mail in the list of boundaries; it has no boundary line of its own."""
# compat32 returns headers unparsed; the default policy parses them and raises on some malformed ones.
_PARSER = BytesParser(policy=compat32)


class RawMail(NamedTuple):
    """One mail, without its attachments."""

    data: bytes
    number: int
    """From 1."""
    separator: bytes = b""
    """The line above the mail in a mailbox."""
    is_oversize: bool = False
    """The mail has more text than ``LARGEST_TEXT``, so ``data`` is incomplete."""

    def parsed(self) -> Message:
        """Parse the mail."""
        return _PARSER.parsebytes(self.data)


def is_separator(line: bytes) -> bool:
    """Check whether a line may separate two mails of a mailbox."""
    return line.startswith(FROM) and _SEPARATOR.fullmatch(line) is not None


def is_read(part: Message) -> bool:
    """Check by its headers whether a part is text or an invitation, as opposed to an attached file."""
    if part.get_content_type() in CALENDARS:
        return True
    is_file = part.get_content_disposition() == "attachment" or part.get_filename() is not None
    return part.get_content_maintype() == "text" and not is_file


def iter_mails(stream: BinaryIO) -> Iterator[RawMail]:
    """Yield the mails of a mailbox, or the single mail of a file."""
    lines = _lines(stream)
    first = next((line for line in lines if line.strip()), b"").removeprefix(_MARK)
    if not first:
        return
    is_box = is_separator(first)
    mail, number, separator = _Skimmed(), 1, first if is_box else b""
    held, is_blank = b"", False
    for line in lines if is_box else chain([first], lines):
        if held:
            # A separator begins a new mail only if a header follows.
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
    """Yield the lines of a stream, very long ones in pieces; without line feeds, carriage returns end lines.

    The frame of Apple Mail's ``.emlx`` is removed: the length in front and the property list at the end.
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
    """The headers and texts of one mail, collected line by line, without its attachments."""

    def __init__(self) -> None:
        self._kept: list[bytes] = []
        self._size = 0
        self._head: list[bytes] | None = []
        """Lines of the current header block."""
        self._head_size = self._parts = 0
        self._keeps = True
        self._boundaries: list[bytes] = []
        self.is_in_text = False

    def add(self, line: bytes) -> None:
        """Process the next line."""
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
        """Return the collected mail."""
        return RawMail(b"".join(self._kept), number, separator, self._size > LARGEST_TEXT)

    def _keep(self, line: bytes) -> None:
        self._size += len(line)
        if self._size <= LARGEST_TEXT:
            self._kept.append(line)

    def _is_boundary(self, line: bytes) -> bool:
        """Check whether a line is a boundary that is kept, and update the state after it."""
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
            # An attached mail has headers of its own.
            self._head = []
