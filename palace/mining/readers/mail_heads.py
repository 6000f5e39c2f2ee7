"""Parse the headers of a mail: sender, recipients, date, thread, and whether the mail is to be skipped. Pure.

Programs write headers in many broken ways; a header that cannot be parsed counts as missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from typing import NamedTuple

from palace.nlp.rules import Rules

_ODD = (ValueError, LookupError, TypeError, AssertionError, AttributeError, OverflowError)
"""Raised by the standard library's decoders on malformed headers."""
_RULES = Rules("readers", "mail.toml")
_KINDS = (("deleted", "deleted mails"), ("spam", "spam"), ("drafts", "drafts of mails"))
_DELETED, _SPAM = _KINDS[0][1], _KINDS[1][1]
_ID = re.compile(r"<([^<>\s]{1,900})>")
_TAG = re.compile(r"\s*\[[^\]\n]{1,60}\]\s*")
_LIST = re.compile(r"(?P<name>[^<>]*)<(?P<id>[^<>\s]{1,300})>")
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_MOST_REFERENCES = 60
_MOST_PEOPLE = 40
_MOZILLA_DELETED = 0x8
_LONGEST = 50_000
"""Most characters of a header that are decoded, because decoding takes quadratic time in the number of words."""
_LONGEST_SUBJECT = 5_000
"""Most characters by which subjects are compared."""


class Address(NamedTuple):
    """A sender or recipient of a mail."""

    name: str
    """Falls back to the address."""
    address: str


class Head(NamedTuple):
    """The parsed headers of a mail."""

    id: str | None
    """Without angle brackets."""
    references: Sequence[str]
    """Ids of earlier mails of the thread; the last is the one answered."""
    subject: str
    sender: Address | None
    recipients: Sequence[Address]
    at: str | None
    """ISO 8601, in the zone in which it was written."""
    written_at: str
    """The raw Date header."""
    thread: str
    """Gmail's thread number, or ""."""
    list_name: str | None
    is_by_program: bool

    @property
    def is_reply(self) -> bool:
        """Whether the subject marks a reply."""
        return _RULES["reply"].match(self.subject) is not None

    @property
    def speaker(self) -> str:
        """The sender's name."""
        return self.sender.name if self.sender else "unknown sender"

    @property
    def people(self) -> list[str]:
        """Addresses of sender and recipients, without duplicates."""
        people = (*([self.sender] if self.sender else []), *self.recipients)
        return list(dict.fromkeys(one.address for one in people if one.address))[:_MOST_PEOPLE]


def read_head(mail: Message, posted: bytes, now: datetime) -> Head:
    """Parse the headers of a mail; ``posted`` is the line above it in a mailbox, which may hold a delivery time."""
    own, written, list_name = _ID.search(_raw(mail, "Message-ID")), header(mail, "Date"), _list_name(mail)
    sender = next(iter(_addresses(mail, "From") or _addresses(mail, "Sender")), None)
    at = _moment(mail, written, posted, now)
    return Head(
        id=own[1] if own else None,
        references=_references(mail),
        subject=one_line(header(mail, "Subject")),
        sender=sender,
        recipients=_addresses(mail, "To") + _addresses(mail, "Cc"),
        at=at.isoformat() if at else None,
        written_at=written,
        thread=header(mail, "X-GM-THRID"),
        list_name=list_name,
        is_by_program=list_name is None and _is_by_program(mail, sender),
    )


def skipped_as(mail: Message) -> str | None:
    """Return the category of a mail that is deleted, spam or an unsent draft; None for any other."""
    try:
        if int(header(mail, "X-Mozilla-Status") or "0", 16) & _MOZILLA_DELETED:
            return _DELETED
    except ValueError:
        pass
    labels = {label.strip().strip('"').casefold() for label in header(mail, "X-Gmail-Labels").split(",")}
    kind = next((kind for name, kind in _KINDS if labels & _RULES.words(name)), None)
    is_spam = header(mail, "X-Spam-Flag").strip().upper() == "YES" or header(mail, "X-Spam-Status").startswith("Yes")
    return kind or (_SPAM if is_spam else None)


def bare_subject(subject: str) -> str:
    """Return a subject without reply prefixes and list tags."""
    subject = subject[:_LONGEST_SUBJECT]
    while (found := _RULES["reply"].match(subject) or _TAG.match(subject)) and subject[found.end() :].strip():
        subject = subject[found.end() :]
    return subject.strip()


def header(mail: Message, name: str) -> str:
    """Return a header with encoded words and raw bytes decoded, or "" if it is missing."""
    return decoded(_raw(mail, name))


def one_line(text: str) -> str:
    """Collapse white space to single spaces."""
    return " ".join(text.split())


def decoded(raw: str) -> str:
    """Decode encoded words and raw bytes in a header."""
    text = _unfolded(_of_bytes(raw))
    try:
        pieces = decode_header(text[:_LONGEST]) if "=?" in text else [(text, None)]
    except _ODD:
        return text
    return "".join(_word(piece, charset) for piece, charset in pieces)


def _word(piece: bytes | str, charset: str | None) -> str:
    if isinstance(piece, str):
        return piece
    for encoding in (charset or "utf-8", "utf-8", "cp1252"):
        try:
            return piece.decode("ascii" if encoding == "unknown-8bit" else encoding)
        except (LookupError, ValueError):
            continue
    return piece.decode("latin-1")


def _of_bytes(raw: str) -> str:
    data = raw.encode("utf-8", "surrogateescape")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _unfolded(text: str) -> str:
    return re.sub(r"[\r\n]+[ \t]*", " ", text)


def _raw(mail: Message, name: str) -> str:
    # get() would wrap values with raw non-ASCII bytes in a Header object.
    wanted = name.lower()
    return next((str(value) for key, value in mail.raw_items() if key.lower() == wanted), "")


def _references(mail: Message) -> list[str]:
    found = _ID.findall(_raw(mail, "References"))
    answered = _ID.search(_raw(mail, "In-Reply-To"))
    if answered and answered[1] not in found:
        found.append(answered[1])
    if len(found) > _MOST_REFERENCES:
        found = [found[0], *found[1 - _MOST_REFERENCES :]]
    return list(dict.fromkeys(found))


def _addresses(mail: Message, name: str) -> list[Address]:
    raw = _unfolded(_of_bytes(_raw(mail, name)))[:20_000]
    try:
        pairs = getaddresses([raw])
    except _ODD:
        pairs = []
    names = [(one_line(decoded(shown).strip(" \"'")), address) for shown, address in pairs]
    found = [Address(called or address, address.casefold()) for called, address in names if called or address]
    if not found and raw.strip():
        found.append(Address(one_line(decoded(raw))[:200], ""))
    return found


def _moment(mail: Message, written: str, posted: bytes, now: datetime) -> datetime | None:
    """Return when a mail was sent: its Date header if plausible, else a time of delivery, else None."""
    stamps = [str(value) for key, value in mail.raw_items() if key.lower() == "received"]
    came = re.sub(rb"From \S*\s*", b"", posted, count=1).decode("ascii", "replace")
    for text in (written, *(stamp.rpartition(";")[2] for stamp in reversed(stamps)), came):
        moment = _read_date(text.strip())
        if moment is not None and moment.year > 1971 and (moment - now).total_seconds() < 86_400:
            return moment
    return None


def _read_date(text: str) -> datetime | None:
    if not text or len(text) > 200:
        return None
    try:
        moment = datetime.fromisoformat(text) if _ISO.match(text) else parsedate_to_datetime(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        moment.astimezone(UTC)
    except _ODD:
        return None
    return moment


def _list_name(mail: Message) -> str | None:
    """Return the name of the mailing list that a mail was posted to, or None if the list accepts no posts."""
    post = _raw(mail, "List-Post").strip()
    found = _LIST.search(header(mail, "List-Id")) if post and post.upper() != "NO" else None
    return (found["name"].strip(" \"'") or found["id"].partition(".")[0]) if found else None


def _is_by_program(mail: Message, sender: Address | None) -> bool:
    """Check whether a mail was sent automatically: notices, newsletters, out-of-office replies."""
    if header(mail, "Auto-Submitted").strip().lower() not in ("", "no"):
        return True
    if header(mail, "Precedence").strip().lower() in ("bulk", "junk", "auto_reply"):
        return True
    is_newsletter = bool(_raw(mail, "List-Unsubscribe")) and not header(mail, "In-Reply-To")
    return is_newsletter or (sender is not None and _RULES["program"].match(sender.address) is not None)
