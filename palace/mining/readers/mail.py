"""Mail: mailboxes (mbox of Gmail Takeout, Thunderbird, Apple Mail) and single mails (``.eml``, ``.emlx``, Maildir).

A thread becomes a conversation, identified by the id of its first mail, and a mail a drawer, identified by its own id,
in whichever file or later export it occurs. Formats: RFC 5322, RFC 2045 to 2049, RFC 4155.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import BinaryIO

from palace.errors import UnreadableSource
from palace.mining.files.containers import printable
from palace.mining.files.fields import some_of
from palace.mining.files.reading import Reading
from palace.mining.files.source import FoundFolder
from palace.mining.readers.mail_boxes import RawMail, is_separator, iter_mails
from palace.mining.readers.mail_heads import Head, header, read_head, skipped_as
from palace.mining.readers.mail_quotes import split_mail
from palace.mining.readers.mail_texts import MailText
from palace.mining.readers.mail_threads import Mail, Threads, conversation_of
from palace.models import Conversation

EMPTY_MAILS = "mails without a text"

_SINGLE = frozenset({".eml", ".emlx"})
_ENDINGS = _SINGLE | {".mbox", ".mbx"}
_MAILDIR = re.compile(r"(?:.*/)?(?:cur|new)/\d{6,}[._][^/]*")
_NAME = rb"[A-Za-z][A-Za-z0-9-]{0,40}"
_HEADER_NAME = re.compile(rb"^(" + _NAME + rb")[ \t]{0,2}:", re.MULTILINE)
_HEADERS = re.compile(
    rb"(?:" + _NAME + rb"[ \t]{0,2}:[^\r\n]{0,4000}(?:\r?\n|\r)(?:[ \t][^\r\n]{0,4000}(?:\r?\n|\r)){0,60}){3,100}"
)
_BELOW_SEPARATOR = re.compile(rb">?" + _NAME + rb":")
_SENDER = re.compile(rb"^from:[^\r\n]{0,300}[^\s@<]@[\w.-]", re.MULTILINE | re.IGNORECASE)
_SENT_AT = re.compile(
    rb"^date: {0,4}(?:[a-z]{3}, {1,2})?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d", re.MULTILINE | re.IGNORECASE
)
_SENT = frozenset({b"message-id", b"received", b"return-path", b"mime-version", b"delivered-to", b"x-mozilla-status"})
_NEEDED = ("From", "Sender", "To", "Subject", "Date", "Message-ID", "Received")
_IN_MEMORY = 4 << 20
_MOST_RECIPIENTS = 10


def recognises(head: bytes, ending: str) -> bool:
    """Check whether a file is a mailbox or a mail, by its first bytes or the ending of its name."""
    if ending in _ENDINGS:
        return True
    beginning = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    line, _, below = beginning.partition(b"\n")
    if is_separator(line + b"\n") and _BELOW_SEPARATOR.match(below):
        return True
    if b"\n" not in beginning:
        beginning = beginning.replace(b"\r", b"\n")
    headers = _HEADERS.match(beginning)
    if headers is None:
        return False
    names = {name.lower() for name in _HEADER_NAME.findall(headers.group())}
    is_sent = _SENT & names or (_SENDER.search(headers.group()) and _SENT_AT.search(headers.group()))
    return bool(is_sent) and b"from" in names and bool({b"date", b"subject", b"to"} & names)


def read(stream: BinaryIO, reading: Reading) -> Iterator[Conversation]:
    """Read the mails of a file as conversations, one for each thread."""
    yield from _read_all([("", stream)], reading)


def is_single(member: str) -> bool:
    """Check by its name whether a file in a folder or archive is a single mail."""
    suffix = PurePosixPath(member.lower().removesuffix(".gz")).suffix
    return suffix in _SINGLE or _MAILDIR.fullmatch(member) is not None


@dataclass(frozen=True, slots=True)
class MailSource(FoundFolder):
    """Files with one mail each, read together because the mails of a thread are in different files."""

    members: tuple[str, ...]
    """In reading order."""

    def read(self, reading: Reading) -> Iterator[Conversation]:
        """Read every file; one that cannot be read is noted and skipped."""
        yield from _read_all(self._files(reading), reading)

    def _files(self, reading: Reading) -> Iterator[_MailFile]:
        for member in self.members:
            place = printable(member) if len(self.members) > 1 else ""
            try:
                with self.container.open(member) as stream:
                    yield place, stream
            except UnreadableSource as problem:
                reading.miss(problem)


_MailFile = tuple[str, BinaryIO]
"""Place of the mail in its source ("" if it is the whole source), and the stream to read."""


def _read_all(files: Iterable[_MailFile], reading: Reading) -> Iterator[Conversation]:
    try:
        with tempfile.SpooledTemporaryFile(_IN_MEMORY, prefix="palace-") as waiting:
            yield from _threads(files, Threads(waiting), reading)
    except OSError as problem:
        raise reading.problem(f"there is no room for a temporary file: {problem.strerror}") from problem


def _threads(files: Iterable[_MailFile], threads: Threads, reading: Reading) -> Iterator[Conversation]:
    for place, stream in files:
        for raw in iter_mails(stream):
            if mail := _mail(raw, place or f"mail {raw.number}", reading):
                threads.add(mail)
    for source_id, mails in threads.in_order():
        yield from conversation_of(source_id, mails, reading)


def _mail(raw: RawMail, place: str, reading: Reading) -> Mail | None:
    """Parse one mail; return None, after counting or noting the reason, if it becomes no drawer."""
    if raw.is_oversize:
        reading.miss(reading.problem("the mail has more text than a message can have", place))
        return None
    try:
        message = raw.parsed()
        if not any(header(message, name) for name in _NEEDED):
            reading.miss(reading.problem("is no e-mail: nothing at its head says from whom, when or about what", place))
            return None
        skipped = skipped_as(message)
        if skipped:
            reading.leave_out(skipped)
            return None
        head = read_head(message, raw.separator, reading.now)
        said = MailText(message, reading.encoding)
    except RecursionError:
        reading.miss(reading.problem("the mail is nested too deeply to be read", place))
        return None
    reading.left_out.update(said.left_out)
    mail_parts = split_mail(said.text, is_answer=head.is_reply or bool(head.references))
    pieces = (_head_lines(head), mail_parts.own.strip("\n"), *said.below)
    text = "\n\n".join(piece for piece in pieces if piece.strip())
    if not text and not mail_parts.carried:
        text = head.subject
    if not text and not mail_parts.carried:
        reading.leave_out(EMPTY_MAILS)
        return None
    return Mail(head if head.id else head._replace(id=_made_id(head, text)), text, mail_parts.carried, place)


def _head_lines(head: Head) -> str:
    """Return lines with subject and recipients, for a mail that is not a reply."""
    if head.is_reply:
        return ""
    recipients = some_of([one.name for one in head.recipients], _MOST_RECIPIENTS)
    lines = [f"Subject: {head.subject}" if head.subject else "", f"To: {recipients}" if recipients else ""]
    return "\n".join(line for line in lines if line)


def _made_id(head: Head, text: str) -> str:
    known = "\0".join((head.written_at, head.sender.address if head.sender else "", head.subject, text))
    return f"~{blake2b(known.encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}"
