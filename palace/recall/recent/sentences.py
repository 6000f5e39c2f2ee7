"""The sentences and lines of what was said, each with the words that tell something. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from palace.recall.sentence import UNIT_END
from palace.records import SaidDrawer, Span
from palace.text.open_ends import Closing, closing_of
from palace.text.passages import pieces
from palace.text.statements import telling_words

LONGEST_SHOWN = 240
"""Characters of a sentence that are shown."""

MOST_SENTENCES = 30
"""Sentences of one drawer that are looked at: of what is longer, the beginning says what it is about."""

_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MARK = re.compile(r"(?:#{1,6}|>|\||[-*_=]{3,})")
"""What begins a heading, a quotation, a row of a table, or is a rule."""


@dataclass(frozen=True)
class Sentence:
    """A sentence, or a line, of what was said."""

    said: SaidDrawer
    span: Span
    text: str

    @cached_property
    def words(self) -> frozenset[str]:
        """Those of its words that tell something, folded; read when they are asked for, which is of few."""
        return telling_words(self.text)

    @cached_property
    def closing(self) -> Closing | None:
        """What it may close; None where it says that nothing is done."""
        return closing_of(self.text, lambda: self.words)

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.rstrip("\"'”’)]»* ").endswith(("?", "？", "؟"))

    def shown(self) -> Span:
        """Give as much of it as is shown; a long one is cut behind a word."""
        if self.span.end - self.span.start <= LONGEST_SHOWN:
            return self.span
        kept = self.text[:LONGEST_SHOWN]
        return Span(self.span.start, self.span.start + (len(kept.rpartition(" ")[0].rstrip()) or len(kept)))


def sentences_of(said: SaidDrawer) -> list[Sentence]:
    """Cut a drawer into its sentences, at most 30, in order; blocks of code, headings and quotations are left out."""
    return [
        Sentence(said, span, said.text[slice(*span)])
        for span, _ in zip(_spans(said.text), range(MOST_SENTENCES), strict=False)
    ]


def _spans(text: str) -> Iterator[Span]:
    start = 0
    for code in _CODE.finditer(text):
        yield from _prose_in(text, Span(start, code.start()))
        start = code.end()
    yield from _prose_in(text, Span(start, len(text)))


def _prose_in(text: str, stretch: Span) -> Iterator[Span]:
    for span in pieces(text, stretch, UNIT_END):
        if not _MARK.match(text, span.start):
            yield span
