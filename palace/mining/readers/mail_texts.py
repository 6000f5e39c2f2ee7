"""Extracts the text of a mail, in whichever form it has one, its invitations and the names of its attachments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, time
from email.message import Message

from palace.mining.drafts.parts import enclosed, placeholder
from palace.mining.files.fields import some_of
from palace.mining.readers.mail_boxes import CALENDARS, DEEPEST, is_read
from palace.mining.readers.mail_heads import decoded, header, one_line
from palace.mining.readers.web_text import web_text
from palace.nlp.rules import Rules

PICTURES = "pictures shown within mails"
SIGNATURES = "signatures of mails (PGP, S/MIME)"
RECEIPTS = "receipts of delivery"
ADDRESSES = "long addresses behind the words of links"
ENCRYPTED = "[encrypted message]"

_RULES = Rules("readers", "mail.toml")


class MailText:
    """The text of a mail, collected part by part."""

    def __init__(self, mail: Message, encoding: str | None, depth: int = 0) -> None:
        """Read a mail; ``encoding`` is used for text that declares none or a wrong one (default UTF-8)."""
        self._encoding = encoding
        self.said: list[str] = []
        self.shown: list[str] = []
        self.invitations: list[str] = []
        self.left_out: Counter[str] = Counter()
        self._add(mail, depth, within_related=False)

    @property
    def text(self) -> str:
        """The text as written, with line feeds."""
        return "\n\n".join(said for said in self.said if said.strip())

    @property
    def below(self) -> tuple[str, ...]:
        """Invitations and attachments, to be shown below the text."""
        return (*dict.fromkeys(self.invitations), *self.shown)

    def _add(self, part: Message, depth: int, *, within_related: bool) -> None:
        kind, main = part.get_content_type(), part.get_content_maintype()
        if depth >= DEEPEST and (main == "multipart" or kind == "message/rfc822"):
            self.shown.append(placeholder("file", None))
        elif kind == "message/rfc822":
            self._add_attached(part, depth)
        elif kind == "multipart/encrypted" and part.is_multipart():
            self.shown.append(ENCRYPTED)
        elif main == "multipart" and part.is_multipart():
            parts = _inner(part)
            for each in self._best(parts) if kind == "multipart/alternative" else parts:
                self._add(each, depth + 1, within_related=within_related or kind == "multipart/related")
        else:
            self._add_leaf(part, kind, main, within_related=within_related)

    def _add_leaf(self, part: Message, kind: str, main: str, *, within_related: bool) -> None:
        if kind in CALENDARS:
            invitation = _invitation(self._text_of(part, is_web=False))
            (self.invitations if invitation else self.shown).append(invitation or _placeholder(part, "text"))
        elif kind in _RULES.words("signatures"):
            self.left_out[SIGNATURES] += 1
        elif kind in _RULES.words("receipts"):
            self.left_out[RECEIPTS] += 1
        elif kind in _RULES.words("encrypted"):
            self.shown += [ENCRYPTED] * (ENCRYPTED not in self.shown)
        elif is_read(part) or main == "multipart":
            self.said.append(self._text_of(part, is_web=kind == "text/html"))
        elif (
            main == "image"
            and part.get("Content-ID")
            and within_related
            and part.get_content_disposition() != "attachment"
        ):
            self.left_out[PICTURES] += 1
        else:
            self.shown.append(_placeholder(part, main))

    def _best(self, parts: list[Message]) -> list[Message]:
        """Return the best alternative, plain text if it has any content, followed by any invitations."""
        calendars = [part for part in parts if part.get_content_type() in CALENDARS]
        others = [part for part in parts if part not in calendars]
        plain = next((part for part in others if part.get_content_type() == "text/plain"), None)
        rich = [part for part in others if part is not plain]
        if plain is not None and (not rich or self._says_something(plain)):
            return [plain, *calendars]
        return [*(rich[-1:] or others[:1]), *calendars]

    def _says_something(self, plain: Message) -> bool:
        text = self._text_of(plain, is_web=False)
        return any(sign.isalnum() for sign in text) and _RULES["no_text"].match(text) is None

    def _add_attached(self, part: Message, depth: int) -> None:
        """Add an attached mail with its author, date and text, between lines that name it."""
        inner = next(iter(_inner(part)), None) if part.is_multipart() else None
        if inner is None:
            self.shown.append(_placeholder(part, "message"))
            return
        found = MailText(inner, self._encoding, depth + 1)
        self.left_out.update(found.left_out)
        lines = [(name, one_line(header(inner, name))) for name in ("From", "To", "Date")]
        head = "\n".join(f"{name}: {value}" for name, value in lines if value)
        pieces = (head, *found.said, *found.invitations, "\n".join(found.shown))
        subject = one_line(header(inner, "Subject")) or "mail"
        self.shown.append(enclosed(f"attachment {subject}", "\n\n".join(piece for piece in pieces if piece.strip())))

    def _text_of(self, part: Message, *, is_web: bool) -> str:
        text = self._decoded(part)
        if is_web:
            page = web_text(text)
            self.left_out.update({ADDRESSES: page.long_links} if page.long_links else {})
            return page.text
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if str(part.get_param("format", "")).lower() == "flowed":
            text = _flowed(text, deletes=str(part.get_param("delsp", "")).lower() == "yes")
        return text.strip("\n")

    def _decoded(self, part: Message) -> str:
        payload = part.get_payload(decode=True)
        data = payload if isinstance(payload, bytes) else b""
        for encoding in self._encodings(part):
            try:
                return data.decode(encoding)
            except (LookupError, ValueError):
                continue
        return data.decode("latin-1")

    def _encodings(self, part: Message) -> Iterator[str]:
        try:
            charset = part.get_content_charset()
        except (LookupError, ValueError):
            charset = None
        if charset and charset not in ("us-ascii", "ascii", "unknown-8bit"):
            yield _RULES.table("wider").get(charset, charset)
        if self._encoding:
            yield self._encoding
        yield "utf-8"
        yield "cp1252"


def _inner(part: Message) -> list[Message]:
    return [each for each in part.get_payload() if isinstance(each, Message)]


def _placeholder(part: Message, main: str) -> str:
    try:
        named = part.get_filename() or ""
    except (LookupError, ValueError, TypeError):
        named = ""
    name = one_line(decoded(named)).replace("\\", "/").rpartition("/")[2][:200]
    return placeholder(main if main in ("image", "audio", "video") else "file", name)


def _flowed(text: str, *, deletes: bool) -> str:
    """Join the lines of flowed paragraphs (RFC 3676)."""
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


_MOST_GUESTS = 12
_PROPERTY = re.compile(
    r"(?P<name>[A-Za-z-]{1,40})(?P<params>(?:;[^:;\"]{0,500}(?:\"[^\"]{0,500}\")?){0,30}):(?P<value>.*)", re.DOTALL
)
_PARAM = re.compile(r";(?P<name>[A-Za-z-]{1,40})=(?:\"(?P<quoted>[^\"]*)\"|(?P<plain>[^;\"]*))")
_ESCAPED = re.compile(r"\\(.)")
_WHEN = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:\d\d)?(Z?))?")
_SHOWN = ("SUMMARY", "RRULE", "LOCATION")


def _invitation(calendar: str) -> str:
    """Summarise a calendar's first event in a few lines; return "" without an event.

    Times are shown in the zone in which they were written, with its name.
    """
    method, found = "", dict[str, tuple[dict[str, str], str]]()
    guests: list[str] = []
    for name, params, value in _properties(calendar):
        if name == "METHOD":
            method = value.strip().upper()
        elif name == "ATTENDEE":
            guests.append(_person(params, value))
        else:
            found.setdefault(name, (params, value))
    if "DTSTART" not in found and "SUMMARY" not in found:
        return ""
    summary, repeats, where = (_plain(found[name][1]) if name in found else "" for name in _SHOWN)
    about = {
        "When": _stretch(found) if "DTSTART" in found else "",
        "Repeats": repeats,
        "Where": where,
        "Organizer": _person(*found["ORGANIZER"]) if "ORGANIZER" in found else "",
        "Guests": some_of(guests, _MOST_GUESTS),
    }
    first = f"[{_RULES.table('invitations').get(method, 'invitation')}] {summary}".rstrip()
    return "\n".join([first, *(f"{name}: {text}" for name, text in about.items() if text)])


def _properties(calendar: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """Yield the properties of a calendar and its first event, without those of nested components."""
    inside: list[str] = []
    for line in re.sub(r"\r?\n[ \t]", "", calendar).replace("\r\n", "\n").split("\n"):
        parsed = _PROPERTY.fullmatch(line)
        if parsed is None:
            continue
        name, value = parsed["name"].upper(), parsed["value"]
        if name == "BEGIN":
            inside.append(value.strip().upper())
        elif name == "END":
            if inside and inside.pop() == "VEVENT":
                return
        elif not inside or inside[-1] in ("VCALENDAR", "VEVENT"):
            params = _PARAM.finditer(parsed["params"])
            yield name, {one["name"].upper(): one["quoted"] or one["plain"] or "" for one in params}, value


def _plain(value: str) -> str:
    said = _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)
    return " ".join(said.split())


def _person(params: dict[str, str], value: str) -> str:
    address = re.sub("^mailto:", "", value.strip(), flags=re.IGNORECASE)
    return " ".join((params.get("CN") or address).split())


def _stretch(found: dict[str, tuple[dict[str, str], str]]) -> str:
    params, value = found["DTSTART"]
    began = _moment(value)
    ended = _moment(found["DTEND"][1]) if "DTEND" in found else ""
    if ended.startswith(f"{began[:10]} "):
        ended = ended[11:]
    zone = params.get("TZID", "") or ("UTC" if value.strip().endswith("Z") else "")
    shown = f"{began} – {ended}" if ended and len(began) > 10 else began
    return f"{shown} ({zone})" if zone else shown


def _moment(value: str) -> str:
    found = _WHEN.match(value.strip())
    if found is None:
        return value.strip()
    year, month, day, hour, minute, _ = found.groups()
    try:
        on = date(int(year), int(month), int(day))
        return f"{on} {time(int(hour), int(minute)):%H:%M}" if hour else str(on)
    except ValueError:
        return value.strip()
