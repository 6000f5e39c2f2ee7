"""One message made ready for finding names: what is no prose blanked out, its words, and where its sentences begin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from palace.models import Role
from palace.models.claims import Said
from palace.nlp.words import without_code

MOST_READ = 12_000
"""Characters of a message in which names are looked for; what is longer is a pasted document."""

_WORD = re.compile(r"[^\W_]+(?:['’.&+#_-]?[^\W_]+)*\+{0,2}")
_BREAK = re.compile(r"[.!?…:;\n\r|•*#>\"“”„«»()\[\]{}—–]|\s-\s|[\U0001f300-\U0001faff\u2600-\u27bf]")
_NO_BREAK = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|No|Nr|Mt|z|B|[A-Z])\.$")
_ELIDING = frozenset({"fr", "it", "ca"})
_ELISION = re.compile(
    r"\b(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|dell|all|nell|sull|dall|quell|un|dev)['’](?=\w)", re.IGNORECASE
)
_QUOTED = re.compile(r"^[ \t]{0,3}>[^\n]*$", re.MULTILINE)
_LABEL_BEHIND = re.compile(r"[ \t*_]*[:|]|[ \t]*\*{1,2}[ \t]*(?:[:|\n–-]|$)")
_ENDS_LINE = re.compile(r"[ \t*_]*(?:[:\n\r|]|$)")


class Token(NamedTuple):
    """A word at its place."""

    start: int
    end: int
    text: str
    lower: str
    begins: bool
    """Whether a sentence, line, quotation or cell begins with it, so that its capital means nothing."""

    @property
    def is_capital(self) -> bool:
        return self.text[0].isupper()

    @property
    def has_inner_capital(self) -> bool:
        """Check whether it is written like "iOS", "YouTube" or "F16", but not in capitals only."""
        inner = self.text[1:]
        return not inner.islower() and any(map(str.isupper, inner)) and not self.text.isupper()


@dataclass(frozen=True)
class Page:
    """A message as names are looked for in it."""

    text: str
    """The content as far as it is read, with blanks in place of code, addresses and paths: each character stays put."""
    role: Role
    language: str | None
    said: Said

    @property
    def is_persons(self) -> bool:
        """Check whether a person wrote it, not an assistant or a tool."""
        return self.role is Role.USER

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        found: list[Token] = []
        end = 0
        for match in _WORD.finditer(self.text):
            start, stop = match.span()
            word, between = self.text[start:stop], self.text[end:start]
            begins = not found or (between != " " and self._is_break(between, end))
            found.append(Token(start, stop, word, word.lower(), begins))
            end = stop
        return tuple(found)

    @cached_property
    def _marked(self) -> list[Token]:
        """Words that are not in small letters alone."""
        return [token for token in self.tokens if not token.text.islower()]

    @cached_property
    def is_lower(self) -> bool:
        """Check whether capitals tell nothing by their absence: hardly any word but emphasis has one."""
        capitals = sum(token.is_capital and not token.text.isupper() for token in self._marked)
        return capitals * 12 < len(self.tokens) + 6 and not any(
            token.begins and token.is_capital and not token.text.isupper() for token in self.tokens[:1]
        )

    @cached_property
    def is_shouted(self) -> bool:
        """Check whether it is written in capitals."""
        shouted = sum(token.text.isupper() and len(token.text) > 1 for token in self._marked)
        return shouted * 2 > len(self.tokens) and shouted > 2

    def is_label(self, start: int, end: int) -> bool:
        """Check whether a stretch is a whole line, a cell, or what stands before the colon of a list's entry."""
        before = self.text[max(0, start - 12) : start]
        opens = re.search(r"(?:^|[\n|])[ \t]*(?:[-*•+#>]+|\d{1,2}[.)]|[A-Za-z][.)])?[ \t]*[*_#]*[ \t]*$", before)
        behind = self.text[end : end + 12]
        return bool(opens or "**" in before[-3:]) and bool(_LABEL_BEHIND.match(behind) or _ENDS_LINE.match(behind))

    def _is_break(self, between: str, end: int) -> bool:
        if between.strip(" ") == "." and _NO_BREAK.search(self.text[max(0, end - 5) : end + 1]):
            return False
        return _BREAK.search(between) is not None


def page_of(said: Said) -> Page:
    """Make a message ready; its first 12,000 characters are read."""
    text = without_code(said.content[:MOST_READ], _blank)
    if said.language in _ELIDING:
        text = _ELISION.sub(lambda found: " " * len(found[0]), text)
    return Page(_QUOTED.sub(_blank, text), said.role, said.language, said)


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0][:-1]) + ("\n" if found[0][-1:] == "\n" else ";")
