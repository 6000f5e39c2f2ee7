"""What a mail says: its text in whichever form it has one, what it invites to, and what is attached to it by name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from email.message import Message
from typing import NamedTuple

from palace.mining.readers.drafts.parts import enclosed
from palace.mining.readers.invitations import invitation_text
from palace.mining.readers.mail.boxes import CALENDARS, is_read
from palace.mining.readers.mail.heads import decoded, header
from palace.mining.readers.web_text import web_text

PICTURES = "pictures shown within mails"
SIGNATURES = "signatures of mails (PGP, S/MIME)"
RECEIPTS = "receipts of delivery"
ADDRESSES = "long addresses behind the words of links"
ENCRYPTED = "[encrypted message]"

_DEEPEST = 40
_SIGNATURES = frozenset(
    {
        "application/pgp-signature",
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "application/pgp-keys",
    }
)
_ENCRYPTED = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted"})
_RECEIPTS = frozenset({"message/delivery-status", "message/disposition-notification", "text/rfc822-headers"})
_NO_TEXT = re.compile(
    r"(?=.{0,400}$)(?=.{0,300}?\b(?:html|mime)\b).{0,300}?\b(?:support|display|view|client|reader)",
    re.IGNORECASE | re.DOTALL,
)


class MailText(NamedTuple):
    """What a mail says."""

    text: str
    """As it was written; lines end with a line feed."""
    shown: tuple[str, ...]
    """What stands below it: an invitation, what is attached."""
    left_out: Counter[str]


def mail_text(mail: Message, encoding: str | None) -> MailText:
    """Give what a mail says; ``encoding`` is that of text whose mail names none or a wrong one, UTF-8 unless given."""
    found = _Parts(encoding)
    found.add(mail, 0, within_related=False)
    text = "\n\n".join(said for said in found.said if said.strip())
    return MailText(text, (*dict.fromkeys(found.invitations), *found.shown), found.left_out)


class _Parts:
    """The parts of a mail while they are gone through."""

    def __init__(self, encoding: str | None) -> None:
        self._encoding = encoding
        self.said: list[str] = []
        self.shown: list[str] = []
        self.invitations: list[str] = []
        self.left_out: Counter[str] = Counter()

    def leave_out(self, kind: str, count: int = 1) -> None:
        """Count what of the mail is not read."""
        self.left_out[kind] += count

    def add(self, part: Message, depth: int, *, within_related: bool) -> None:
        """Take up a part and what is in it."""
        kind, main = part.get_content_type(), part.get_content_maintype()
        if depth > _DEEPEST:
            self.shown.append("[file]")
        elif kind == "message/rfc822":
            self._add_attached(part, depth)
        elif main == "multipart" and part.is_multipart():
            self._add_several(part, kind, depth, within_related=within_related or kind == "multipart/related")
        elif kind in CALENDARS:
            self._add_calendar(part)
        elif kind in _SIGNATURES:
            self.leave_out(SIGNATURES)
        elif kind in _RECEIPTS:
            self.leave_out(RECEIPTS)
        elif kind in _ENCRYPTED:
            self.shown += [ENCRYPTED] * (ENCRYPTED not in self.shown)
        elif is_read(part) or main == "multipart":
            self.said.append(self._text_of(part, is_web=kind == "text/html"))
        elif main == "image" and part.get("Content-ID") and within_related and not _is_attached(part):
            self.leave_out(PICTURES)
        else:
            self.shown.append(_placeholder(part, main))

    def _add_several(self, part: Message, kind: str, depth: int, *, within_related: bool) -> None:
        parts = [each for each in part.get_payload() if isinstance(each, Message)]
        if kind == "multipart/encrypted":
            self.shown.append(ENCRYPTED)
            return
        if kind == "multipart/alternative":
            parts = self._best(parts)
        for each in parts:
            self.add(each, depth + 1, within_related=within_related)

    def _best(self, parts: list[Message]) -> list[Message]:
        """Choose one of several wordings, plain text where it says anything; invitations count apart."""
        calendars = [part for part in parts if part.get_content_type() in CALENDARS]
        others = [part for part in parts if part not in calendars]
        plain = next((part for part in others if part.get_content_type() == "text/plain"), None)
        rich = [part for part in others if part is not plain]
        if plain is not None and (not rich or self._says_something(plain)):
            return [plain, *calendars]
        return [*(rich[-1:] or others[:1]), *calendars]

    def _says_something(self, plain: Message) -> bool:
        text = self._text_of(plain, is_web=False)
        return any(sign.isalnum() for sign in text) and _NO_TEXT.match(text) is None

    def _add_attached(self, part: Message, depth: int) -> None:
        """Add a mail that is attached: who wrote it, when, and what it says, between lines that name it."""
        inner = (
            next((each for each in part.get_payload() if isinstance(each, Message)), None)
            if part.is_multipart()
            else None
        )
        if inner is None:
            self.shown.append(_placeholder(part, "message"))
            return
        found = _Parts(self._encoding)
        found.add(inner, depth + 1, within_related=False)
        self.left_out.update(found.left_out)
        told = [(name, " ".join(header(inner, name).split())) for name in ("From", "To", "Date")]
        head = "\n".join(f"{name}: {value}" for name, value in told if value)
        subject = " ".join(header(inner, "Subject").split()) or "mail"
        text = "\n\n".join(
            said for said in (head, *found.said, *found.invitations, "\n".join(found.shown)) if said.strip()
        )
        self.shown.append(enclosed(f"attachment {subject}", text))

    def _add_calendar(self, part: Message) -> None:
        told = invitation_text(self._text_of(part, is_web=False))
        if told:
            self.invitations.append(told)
        else:
            self.shown.append(_placeholder(part, "text"))

    def _text_of(self, part: Message, *, is_web: bool) -> str:
        text = self._decoded(part)
        if is_web:
            page = web_text(text)
            if page.long_links:
                self.leave_out(ADDRESSES, page.long_links)
            return page.text
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if str(part.get_param("format", "")).lower() == "flowed":
            text = _flowed(text, deletes=str(part.get_param("delsp", "")).lower() == "yes")
        return text.strip("\n")

    def _decoded(self, part: Message) -> str:
        payload = part.get_payload(decode=True)
        data = payload if isinstance(payload, bytes) else b""
        try:
            charset = part.get_content_charset()
        except (UnicodeError, LookupError, ValueError):
            charset = None
        for encoding in _encodings(charset, self._encoding):
            try:
                return data.decode(encoding)
            except (UnicodeError, LookupError, ValueError):
                continue
        return data.decode("latin-1")


def _encodings(charset: str | None, given: str | None) -> Iterator[str]:
    """Give the encodings to try in turn: the one that a text names, the person's, then those of most mails."""
    if charset and charset not in ("us-ascii", "ascii", "unknown-8bit"):
        yield {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252", "ks_c_5601-1987": "cp949"}.get(
            charset, charset
        )
    if given:
        yield given
    yield "utf-8"
    yield "cp1252"


def _is_attached(part: Message) -> bool:
    return part.get_content_disposition() == "attachment"


def _placeholder(part: Message, main: str) -> str:
    kind = main if main in ("image", "audio", "video") else "file"
    try:
        named = part.get_filename() or ""
    except (UnicodeError, LookupError, ValueError, TypeError):
        named = ""
    name = " ".join(decoded(named).split()).replace("\\", "/").rpartition("/")[2][:200]
    return f"[{kind} {name}]" if name else f"[{kind}]"


def _flowed(text: str, *, deletes: bool) -> str:
    """Put paragraphs together that were broken into lines on the way (RFC 3676)."""
    joined: list[tuple[int, list[str]]] = []
    is_open = False
    for line in text.split("\n"):
        said = line.lstrip(">")
        depth = len(line) - len(said)
        said = said.removeprefix(" ")
        if is_open and joined[-1][0] == depth:
            joined[-1][1].append(said)
        else:
            joined.append((depth, [said]))
        is_open = said.endswith(" ") and said != "-- "
        if is_open and deletes:
            joined[-1][1][-1] = said[:-1]
    return "\n".join(f"{'>' * depth}{' ' * (depth > 0)}{''.join(pieces)}" for depth, pieces in joined)
