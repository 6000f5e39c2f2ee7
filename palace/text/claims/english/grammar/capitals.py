"""Which words of somebody who writes without capitals would have one. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from palace.text.claims.tokens import Token, listed
from palace.text.entities.lists.lexicon import is_ordinary

_MOST_STRANGE = 0.35
"""Of the words of a sentence: one with more that English does not know is in another language."""
_LONG = 3
_OF_FIRMS = listed(
    """
energy solutions systems consulting labs media foods motors logistics partners technologies software capital
studios engineering architects pharma robotics analytics industries electronics insurance foundation textiles
"""
)
"""What goes on the name of a firm."""
_TITLES = frozenset(["mrs", "mr", "dr", "prof"])


@lru_cache(maxsize=4)
def is_without_capitals(content: str) -> bool:
    """Whether a message is written without capitals, but for what is shouted and for the first word."""
    words = content.split()
    capitals = sum(word[:1].isupper() and word[1:].islower() and len(word) > 1 for word in words[1:])
    return len(words) > 1 and capitals == 0


def _is_of_firm(tokens: Sequence[Token], place: int, strange: Sequence[bool]) -> bool:
    """Whether a word goes on a firm's name: "greenacre energy"."""
    return place > 0 and tokens[place].text in _OF_FIRMS and strange[place - 1]


def capitalised(tokens: Sequence[Token]) -> list[Token]:
    """Take for capitalised the words that ordinary English does not know: "moved to lisbon", "got a berlingo"."""
    strange = [
        token.is_word and len(token.text) >= _LONG and not is_ordinary(token.text) and token.text not in _TITLES
        for token in tokens
    ]
    words = sum(token.is_word for token in tokens)
    if sum(strange) > max(1, _MOST_STRANGE * words):
        return list(tokens)
    strange = [is_name or _is_of_firm(tokens, place, strange) for place, is_name in enumerate(strange)]
    return [replace(token, is_upper=True) if is_name else token for token, is_name in zip(tokens, strange, strict=True)]
