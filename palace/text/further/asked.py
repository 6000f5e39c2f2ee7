"""Further words of a passage that is filed, and of a question."""

from __future__ import annotations

from typing import NamedTuple

from palace.text.further.compounds import parts_of
from palace.text.further.unspaced import grams_asked, grams_of, without_unspaced

MOST_WORDS = 2500
"""Further words of a passage, which has 2,000 characters: what writing without spaces comes to, with some to spare."""
MOST_ASKED = 32


class FurtherWords(NamedTuple):
    """What a question says, as its words are looked for."""

    text: str
    """What the parser is to find words in."""
    parts: tuple[str, ...]
    """Parts of its names and codes."""
    grams: tuple[str, ...]
    """Of its writing without spaces."""


def further_words(text: str) -> tuple[str, ...]:
    """List the words of a passage that the parser does not find, each once, at most 2,500 of them."""
    return tuple(dict.fromkeys((*parts_of(text), *grams_of(text))))[:MOST_WORDS]


def words_asked(query: str) -> FurtherWords:
    """Divide a question into what the parser takes apart, and at most 32 parts and as many runs that it does not."""
    parts = tuple(dict.fromkeys(parts_of(query)))[:MOST_ASKED]
    return FurtherWords(without_unspaced(query), parts, tuple(grams_asked(query))[:MOST_ASKED])
