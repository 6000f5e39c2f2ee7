"""Mail: mailboxes (mbox: Gmail's Takeout, Thunderbird, Apple Mail) and single mails (``.eml``, ``.emlx``, Maildir).

A thread is a conversation, known by the id of its first mail, and a mail a drawer, known by its own id wherever it is
found: in a mailbox, in a file, in next month's export. Formats: RFC 5322, RFC 2045 to 2049, RFC 4155.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import BinaryIO, NamedTuple

from palace.errors import UnreadableSource
from palace.mining.readers.files.containers import Container, printable
from palace.mining.readers.files.whole_file import WholeFile
from palace.mining.readers.mail.boxes import RawMail, is_separator, iter_mails
from palace.mining.readers.mail.conversation import conversation_of
from palace.mining.readers.mail.heads import Head, header, read_head, skipped_as
from palace.mining.readers.mail.quotes import Carried, part
from palace.mining.readers.mail.spool import Mail, Spool
from palace.mining.readers.mail.texts import mail_text
from palace.mining.readers.mail.threads import Threads
from palace.mining.readers.reading import Reading
from palace.records import Conversation

EMPTY_MAILS = "mails without a text"

ENDINGS = frozenset({".eml", ".emlx", ".mbox", ".mbx"})
_SINGLE = frozenset({".eml", ".emlx"})
_MAILDIR = re.compile(r"(?:.*/)?(?:cur|new)/(?P<name>[^/]+)")
_MAILDIR_FILE = re.compile(r"\d{6,}[._][^/]*")
_HEADER_NAME = re.compile(rb"^([A-Za-z][A-Za-z0-9-]{0,40})[ \t]{0,2}:", re.MULTILINE)
_HEADERS = re.compile(
    rb"(?:[A-Za-z][A-Za-z0-9-]{0,40}[ \t]{0,2}:[^\r\n]{0,4000}(?:\r?\n|\r)"
    rb"(?:[ \t][^\r\n]{0,4000}(?:\r?\n|\r)){0,60}){3,100}"
)
_SENDER = re.compile(rb"^from:[^\r\n]{0,300}[^\s@<]@[\w.-]", re.MULTILINE | re.IGNORECASE)
_SENT_AT = re.compile(
    rb"^date: {0,4}(?:[a-z]{3}, {1,2})?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d", re.MULTILINE | re.IGNORECASE
)
_SENT = frozenset({b"message-id", b"received", b"return-path", b"mime-version", b"delivered-to", b"x-mozilla-status"})
_NEEDED = ("From", "Sender", "To", "Subject", "Date", "Message-ID", "Received")
_MOST_RECIPIENTS = 10


def recognises(head: bytes, ending: str) -> bool:
    """Tell a mailbox or a mail by how a file begins, or by the ending of its name."""
    if ending in ENDINGS:
        return True
    beginning = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    line, _, below = beginning.partition(b"\n")
    if is_separator(line + b"\n") and re.match(rb">?[A-Za-z][A-Za-z0-9-]{0,40}:", below):
        return True
    if b"\n" not in beginning:
        beginning = beginning.replace(b"\r", b"\n")
    return _is_mail(beginning)


def read(stream: BinaryIO, reading: Reading) -> Iterator[Conversation]:
    """Read the mails of a file as conversations, one for each thread."""
    where = reading.where
    file = WholeFile(where.container, where.member, reading.encoding) if where else None
    yield from _read_all([_MailFile("", stream, file)], reading)


def is_single(member: str) -> bool:
    """Tell by its name a file of a folder or archive that holds one mail."""
    if PurePosixPath(member.lower().removesuffix(".gz")).suffix in _SINGLE:
        return True
    found = _MAILDIR.fullmatch(member)
    return found is not None and _MAILDIR_FILE.fullmatch(found["name"]) is not None


@dataclass(frozen=True, slots=True)
class MailSource:
    """Files of one mail each, as a whole: the mails of a thread stand in different ones."""

    file: str
    name: str
    container: Container
    members: tuple[str, ...]
    """In the order in which they are read."""
    root: str = ""
    """What it goes by in the container: a folder with its slash, or the one file."""
    origin: str = ""

    @property
    def key(self) -> str:
        """What tells it from every other source, however it is named."""
        return self.container.key(self.root)

    def under(self, origin: str) -> MailSource:
        """Give the same, found in what the person named so."""
        return replace(self, origin=origin)

    def read(self, reading: Reading) -> Iterator[Conversation]:
        """Read every file; one that cannot be read is noted, and the others go on."""
        yield from _read_all(self._streams(reading), reading)

    def _streams(self, reading: Reading) -> Iterator[_MailFile]:
        for member in self.members:
            place = printable(member) if len(self.members) > 1 else ""
            try:
                with self.container.open(member) as stream:
                    yield _MailFile(place, stream, WholeFile(self.container, member, reading.encoding))
            except UnreadableSource as problem:
                reading.miss(problem)


class _MailFile(NamedTuple):
    """A file while its mails are read."""

    place: str
    """Where in its source it stands; nothing where it is all of that."""
    stream: BinaryIO
    as_text: WholeFile | None


def _read_all(files: Iterable[_MailFile], reading: Reading) -> Iterator[Conversation]:
    threads, texts = Threads(), dict[str, WholeFile]()
    with Spool.opened(reading) as spool:
        for file in files:
            if file.as_text:
                texts[file.place] = file.as_text
            for raw in iter_mails(file.stream):
                where = file.place or f"mail {raw.number}"
                mail = _mail(raw, where, reading)
                if mail is not None:
                    spool.add(mail)
                    threads.add(mail)
        for source_id, mails in threads.in_order(spool):
            for conversation in conversation_of(source_id, mails, reading):
                places = dict.fromkeys(["", *(mail.place for mail in mails)])
                yield replace(conversation, files=tuple(texts.pop(place) for place in places if place in texts))


def _is_mail(beginning: bytes) -> bool:
    headers = _HEADERS.match(beginning)
    if headers is None:
        return False
    names = {name.lower() for name in _HEADER_NAME.findall(headers.group())}
    is_dated = _SENDER.search(headers.group()) is not None and _SENT_AT.search(headers.group()) is not None
    return (is_dated or bool(_SENT & names)) and b"from" in names and bool({b"date", b"subject", b"to"} & names)


def _mail(raw: RawMail, place: str, reading: Reading) -> Mail | None:
    """Read one mail; None, and counted or noted, where nothing becomes of it."""
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
        said = mail_text(message, reading.encoding)
    except RecursionError:
        reading.miss(reading.problem("the mail is nested too deeply to be read", place))
        return None
    for kind, count in said.left_out.items():
        reading.left_out[kind] += count
    parted = part(said.text, is_answer=head.is_reply or bool(head.references))
    text = "\n\n".join(piece for piece in (_head_lines(head), parted.own.strip("\n"), *said.shown) if piece.strip())
    if not text and not parted.carried:
        text = head.subject
    if not text and not parted.carried:
        reading.leave_out(EMPTY_MAILS)
        return None
    return _as_mail(head, text, parted.carried, place)


def _as_mail(head: Head, text: str, carried: tuple[Carried, ...], place: str) -> Mail:
    sender = head.sender.name if head.sender else "unknown sender"
    people = (*([head.sender] if head.sender else []), *head.recipients)
    return Mail(
        id=head.id or _made_id(head, text),
        references=head.references,
        subject=head.subject,
        text=text,
        carried=carried,
        speaker=sender,
        is_by_program=head.is_by_program,
        at=head.at.isoformat() if head.at else None,
        people=tuple(dict.fromkeys(one.address for one in people if one.address))[:40],
        thread=head.thread,
        list_name=head.list_name,
        is_reply=head.is_reply,
        place=place,
    )


def _head_lines(head: Head) -> str:
    """Say what a mail that begins something is about and whom it went to; an answer says so by what it answers."""
    if head.is_reply:
        return ""
    names = [one.name for one in head.recipients[:_MOST_RECIPIENTS]]
    more = len(head.recipients) - len(names)
    recipients = ", ".join(names) + (f" and {more} more" if more > 0 else "")
    lines = [f"Subject: {head.subject}" if head.subject else "", f"To: {recipients}" if recipients else ""]
    return "\n".join(line for line in lines if line)


def _made_id(head: Head, text: str) -> str:
    """Make an id for a mail without one, of what will be the same wherever it is found."""
    told = "\0".join((head.written_at, head.sender.address if head.sender else "", head.subject, text))
    return f"~{blake2b(told.encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}"
