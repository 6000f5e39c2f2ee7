"""Which of the words that somebody uses was most likely meant by a mistyped one. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from palace.text.spelling.distance import edits_between
from palace.text.spelling.slips import LONGER, are_slips
from palace.text.stopwords import STOP_WORDS


def edits_forgiven(word: str) -> int:
    """Give how many edits are forgiven in a word of so many letters."""
    return 2 if len(word) >= LONGER else 1


def likely_meant(typed: str, known: Mapping[str, int], *, at_most: int = 5) -> list[str]:
    """Choose from words, each with how many passages hold it, those that were likely meant by ``typed``; best first.

    Fewer edits come first, then the same letters in another order, then the more usual word. Function words are known
    as well: what is nearest to one of them is nothing to look for. All in lower case.
    """
    ranked = []
    for word in (*known, *(word for word in STOP_WORDS if len(word) > 2 and word not in known)):
        edits = edits_between(typed, word, edits_forgiven(typed)) if word.isalpha() else None
        if edits and are_slips(typed, word, edits):
            ranked.append((len(edits), sorted(word) != sorted(typed), -known.get(word, 0), word))
    return [word for *_, word in sorted(ranked)][:at_most]
