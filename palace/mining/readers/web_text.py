"""Converts the HTML of a mail to the text that a reader sees, without scripts, styles and hidden parts. Pure.

The page is read in one pass, however malformed, and tags are searched only up to a maximal length, so that time stays
linear (that of the standard library's parser does not).
"""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

from palace.nlp.rules import Rules

LONGEST_LINK = 120
"""Most characters of an address that is shown after its link text; longer ones are only counted."""

_TAG = re.compile(
    r"<(/?)([a-zA-Z][a-zA-Z0-9:]{0,30})"
    r"""((?:[^<>"']{1,2000}+|"[^"]{0,4000}+"|'[^']{0,4000}+'){0,60}+)>"""
)
_OPENING = re.compile(r"</?[a-zA-Z][a-zA-Z0-9:]{0,30}|<[!?]")
_LONGEST_TAG = 4000
_ATTRIBUTE = re.compile(r"""([a-zA-Z-]{1,30})\s{0,9}=\s{0,9}(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""")
_RAW = frozenset({"script", "style", "title", "template", "textarea", "xml"})
"""Elements whose content is not text; each extends to its closing tag."""
_RULES = Rules("readers", "mail.toml")
_HIDDEN_FLAG = re.compile(r"\bhidden\s{0,9}$")
_BLANKS = re.compile(r"[ \t\r\n\f\u00a0]+")
_UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2007\u2060\ufeff\u034f]{1,2000}")
"""Zero-width characters, with which senders pad the preview line."""


class WebText(NamedTuple):
    """The text of a page."""

    text: str
    long_links: int
    """How many link addresses were too long to be shown."""


def web_text(page: str) -> WebText:
    """Return the text of a page: a line per block, ``- `` before list items, ``> `` before quotations.

    Images become their alternative text; links keep their address unless it is long. A hidden element that is never
    closed is treated as visible.
    """
    found = _read(page, hides=True)
    if found.hidden is not None:
        found = _read(page, hides=False)
    return WebText(found.text(), found.long_links)


def _read(page: str, *, hides: bool) -> _Writer:
    writer, at = _Writer(hides=hides), 0
    while (begin := page.find("<", at)) >= 0:
        writer.say(page[at:begin])
        at = _behind_tag(page, begin, writer)
    writer.say(page[at:])
    return writer


def _behind_tag(page: str, begin: int, writer: _Writer) -> int:
    if page.startswith("<!--", begin):
        end = page.find("-->", begin + 4)
        return end + 3 if end >= 0 else len(page)
    found = _TAG.match(page, begin)
    if found is None:
        is_tag = _OPENING.match(page, begin) is not None
        writer.say("" if is_tag else "<")
        end = page.find(">", begin, begin + _LONGEST_TAG) if is_tag else -1
        return end + 1 if end >= 0 else begin + 1
    closing, name, rest = found[1], found[2].lower(), found[3]
    if not closing and name in _RAW and not rest.endswith("/"):
        end_tag = re.compile(f"</{name}[^>]{{0,200}}>", re.IGNORECASE).search(page, found.end())
        return end_tag.end() if end_tag else len(page)
    if closing:
        writer.end(name)
    else:
        writer.begin(name, rest)
    return found.end()


class _Writer:
    def __init__(self, *, hides: bool) -> None:
        self._hides = hides
        self._lines: list[str] = []
        self._line: list[str] = []
        self._quoted, self._as_is = 0, 0
        self._gap: int | None = None
        """Quotation depth of a pending blank line; None without one."""
        self.hidden: str | None = None
        """Name of the hidden element that is being skipped; ``_hidden_depth`` counts its open tags."""
        self._hidden_depth = 0
        self._links: list[tuple[str, int]] = []
        self.long_links = 0

    def say(self, raw: str) -> None:
        """Add the text between two tags."""
        if not raw or self.hidden is not None:
            return
        said = _UNSEEN.sub("", unescape(raw))
        if not self._as_is:
            self._line.append(_BLANKS.sub(" ", said))
            return
        for number, line in enumerate(said.split("\n")):
            if number:
                self._break()
            self._line.append(line)

    def begin(self, name: str, rest: str) -> None:
        """Process an opening tag."""
        if self.hidden is not None:
            self._hidden_depth += name == self.hidden
            return
        fields = {found[1].lower(): found[2] or found[3] or found[4] or "" for found in _ATTRIBUTE.finditer(rest)}
        is_hidden = _RULES["hidden"].search(fields.get("style", "")[:2000]) or _HIDDEN_FLAG.search(rest)
        if self._hides and name not in _RULES.words("void") and not rest.endswith("/") and is_hidden:
            self.hidden, self._hidden_depth = name, 1
            return
        self._part(name)
        if name in ("td", "th"):
            self._line.append(" ")
        elif name == "li":
            self._line.append("- ")
        elif name == "blockquote":
            self._quoted = min(self._quoted + 1, 20)
        elif name == "pre":
            self._as_is += 1
        elif name == "img":
            self._picture(fields)
        elif name == "a":
            self._links.append((unescape(fields.get("href", "")).strip(), len(self._line)))

    def end(self, name: str) -> None:
        """Process a closing tag."""
        if self.hidden is not None:
            self._hidden_depth -= name == self.hidden
            if self._hidden_depth == 0:
                self.hidden = None
            return
        if name == "a" and self._links:
            self._link(*self._links.pop())
        self._part(name)
        if name == "blockquote":
            self._quoted = max(self._quoted - 1, 0)
        elif name == "pre":
            self._as_is = max(self._as_is - 1, 0)

    def text(self) -> str:
        """Return the text, with at most one blank line in a row."""
        self._break()
        return "\n".join(self._lines).strip("\n")

    def _part(self, name: str) -> None:
        """End the line or the paragraph if this element does."""
        if name in _RULES.words("paragraphs"):
            self._paragraph()
        elif name in _RULES.words("breaks"):
            self._break()

    def _picture(self, fields: dict[str, str]) -> None:
        is_dot = fields.get("width") in ("0", "1") or fields.get("height") in ("0", "1")
        words = _BLANKS.sub(" ", unescape(fields.get("alt", ""))).strip()
        if not is_dot and any(sign.isalnum() for sign in words):
            self._line.append(f"[image {words[:LONGEST_LINK]}]")

    def _link(self, address: str, begin: int) -> None:
        words = "".join(self._line[begin:]).strip() if begin <= len(self._line) else ""
        bare = address.split("://", 1)[-1].rstrip("/")
        if not address.lower().startswith(("http://", "https://")) or not bare or bare in words:
            return
        if len(address) > LONGEST_LINK:
            self.long_links += 1
        elif words:
            self._line.append(f" ({address})")

    def _break(self) -> None:
        line = "".join(self._line)
        line = line.rstrip() if self._as_is else _BLANKS.sub(" ", line).strip()
        self._line.clear()
        self._links = [(address, 0) for address, _ in self._links[-20:]]
        if not (line or self._as_is):
            return
        if self._gap is not None and self._lines:
            self._lines.append(("> " * min(self._gap, self._quoted)).rstrip())
        self._gap = None
        self._lines.append("> " * self._quoted + line)

    def _paragraph(self) -> None:
        self._break()
        self._gap = self._quoted if self._gap is None else min(self._gap, self._quoted)
