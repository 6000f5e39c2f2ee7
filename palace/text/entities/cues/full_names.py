"""Whether a name is somebody's full name: a given name and another behind it, where no article makes it a thing's."""

from __future__ import annotations

import re
from functools import cache

from palace.patterns import late
from palace.text.entities.lists.heads import kind_by_words
from palace.text.entities.lists.lexicon import folded, given_names, is_ordinary, nicknames, places, well_known

_PART = late(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[^\W\d_]\.")
_LED = late(
    r"\b(?:the|an?|my|our|your|his|her|their|its|this|that|these|those|any|some|no|every|each|another|new|old|per|in|at"
    r"|near|der|die|das|dem|den|des|eine?[mnrs]?|keine?[mnrs]?|im|am|zum|zur|bei) \Z",
    re.IGNORECASE,
)
"""What stands before a thing or a place."""
_MOST_PARTS = 3


def full_name_worth(text: str, start: int, end: int) -> float:
    """Say how much it speaks for a person how ``text[start:end]`` is written; 0 where it does not.

    "John Smith" is made of two words that dictionaries have, and is a person's name all the same; "the Grace Period" is
    none.
    """
    parts = text[start:end].split()
    if not 2 <= len(parts) <= _MOST_PARTS or not all(map(_is_part, parts)) or not _is_given(folded(parts[0])):
        return 0.0
    key = folded(" ".join(parts))
    is_thing = kind_by_words(key.split()) is not None or key in places() or key in well_known()
    if is_thing or _LED.search(text[max(0, start - 12) : start]):
        return 0.0
    if not any(map(is_ordinary, parts[1:])):
        return 0.0  # The words of the name themselves say so already.
    return 2.4 if all(map(is_ordinary, parts)) else 1.4


def _is_given(word: str) -> bool:
    """Tell whether a word is a given name; of ordinary words, only one that has a short form or is one."""
    return word in given_names() and (not is_ordinary(word) or word in _with_short_forms())


@cache
def _with_short_forms() -> frozenset[str]:
    """Give the names that people shorten, and what they shorten them to: "John", "Tom", "Mike", but not "Urban"."""
    return frozenset(nicknames()).union(*nicknames().values())


def _is_part(word: str) -> bool:
    return _PART.fullmatch(word) is not None and word[0].isupper() and (len(word) < 3 or not word.isupper())
