"""The end of a letter: the words that close it, who signs, and the lines below."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from palace.models import Span
from palace.nlp.rules import rules

_RULES = rules("names", "signature")

_SENTENCE = re.compile(r"(?:\S+\s+){5,}\S+[.;,]\s*$")
_LONGEST_LINE, _MOST_LINES = 90, 14


class Signature(NamedTuple):
    """What stands below the closing words of a letter."""

    signer: str
    """The first word of who signs."""
    lines: tuple[Span, ...]
    """Lines that name the signer or something else, ``text[start:end]``, without white space around."""


def signature_of(text: str) -> Signature | None:
    """Find what stands below the last closing words of a letter; None where it has none, or where more is said."""
    lines = list(_lines(text))
    closing = next((at for at in range(len(lines) - 1, -1, -1) if _closes(text[slice(*lines[at])])), None)
    if closing is None or not 0 < len(below := lines[closing + 1 :]) <= _MOST_LINES:
        return None
    written = [text[slice(*line)] for line in below]
    if any(len(line) > _LONGEST_LINE or _RULES["goes_on"].match(line) or _SENTENCE.match(line) for line in written):
        return None
    words = re.findall(r"[^\W\d_][\w'’-]*", written[0])
    return Signature(words[0], tuple(below)) if words and len(words) < 5 else None


def _closes(line: str) -> bool:
    return _RULES["closing"].fullmatch(line.lower().strip(" ,.!–—")) is not None


def _lines(text: str) -> Iterator[Span]:
    for found in re.finditer(r"[^\n]+", text):
        if found[0].strip():
            yield Span(found.end() - len(found[0].lstrip()), found.start() + len(found[0].rstrip()))
