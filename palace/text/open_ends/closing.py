"""Whether what is said later says that something is done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from palace.text.open_ends import english, german
from palace.text.open_ends.boxes import is_ticked
from palace.text.open_ends.intentions import intent_of

MOST_WORDS = 6
"""Words of a message that says nothing but that it is done."""

_DONE = re.compile(rf"(?<!\w)(?:{english.DONE}|{german.DONE})(?!\w)", re.IGNORECASE)
_NOT_DONE = re.compile(rf"(?:(?<!\w)|(?=n't))(?:{english.NOT_DONE}|{german.NOT_DONE})(?!\w)", re.IGNORECASE)
_NEVER_MIND = re.compile(r"\b(?:never ?mind|nvm|forget (?:it|about it)|hat sich erledigt|egal)\b", re.IGNORECASE)
_ALONE = re.compile(
    r"^\W*(?:(?:ok|okay|yes|ja|so|all|it's|its|it is|that's|that is|alles|ist|schon|already|now|jetzt|i'm|i am) )*"
    r"(?:done|finished|fixed|solved|sorted|erledigt|fertig|geschafft|gelöst)"
    r"(?: (?:now|already|jetzt|it|that|schon))?\W*$",
    re.IGNORECASE,
)
_SHORTEST_STEM = 4


def says_done(text: str) -> bool:
    """Tell whether a message says that what was spoken of is done, or no longer wanted, and nothing else.

    >>> says_done("Ok, done!")
    True
    >>> says_done("I'm done with the frame, the fork is next.")
    False
    """
    plain = text.strip().replace("’", "'")
    if len(plain.split()) > MOST_WORDS:
        return False
    return _ALONE.match(plain) is not None or _NEVER_MIND.search(plain) is not None


def closes(later: str, later_words: Set[str], open_words: Set[str]) -> bool:
    """Tell whether a later sentence plainly says that something is done; the words are those that say something.

    It has to say two thirds of the words of what was open, be they inflected, and to tick a box or say that it is done.

    >>> closes("I called the yard about the mast.", {"called", "yard", "mast"}, {"call", "yard", "mast"})
    True
    >>> closes("The yard has not called yet.", {"called", "yard"}, {"call", "yard"})
    False
    """
    if not open_words:
        return False
    met = sum(any(_are_one(word, other) for other in later_words) for word in open_words)
    if met * 3 < len(open_words) * 2:
        return False
    if is_ticked(later):
        return True
    plain = later.replace("’", "'")
    if plain.rstrip().endswith("?") or _NOT_DONE.search(plain) or intent_of(plain) is not None:
        return False
    is_past = any(_is_past_of(other, word) for word in open_words for other in later_words)
    return is_past or _DONE.search(plain) is not None


def _are_one(one: str, other: str) -> bool:
    """Whether two words are one, but for how they end."""
    return one == other or any(_differ_at_the_end(*pair) for pair in ((one, other), *_without_ge(one, other)))


def _without_ge(one: str, other: str) -> Iterator[tuple[str, str]]:
    """Take out what German participles have more: "abgegeben" is "abgeben"."""
    if "ge" in one:
        yield one.replace("ge", "", 1), other
    if "ge" in other:
        yield one, other.replace("ge", "", 1)


def _differ_at_the_end(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _SHORTEST_STEM and long.startswith(short[:-1]) and len(long) - len(short) < _SHORTEST_STEM


def _is_past_of(later: str, word: str) -> bool:
    return later.endswith("ed") and later != word and _are_one(later, word)
