"""Whether what is said later says that something is done."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from functools import lru_cache
from typing import NamedTuple

from palace.patterns import late
from palace.text.open_ends import english, german
from palace.text.open_ends.boxes import is_ticked
from palace.text.open_ends.intentions import intent_of

MOST_WORDS = 6
"""Words of a message that says nothing but that it is done."""

_DONE = late(rf"(?<!\w)(?:{english.DONE}|{german.DONE})(?!\w)", re.IGNORECASE)
_NOT_DONE = late(rf"(?:(?<!\w)|(?=n't))(?:{english.NOT_DONE}|{german.NOT_DONE})(?!\w)", re.IGNORECASE)
_NEVER_MIND = late(r"\b(?:never ?mind|nvm|forget (?:it|about it)|hat sich erledigt|egal)\b", re.IGNORECASE)
_ALONE = late(
    r"^\W*(?:(?:ok|okay|yes|ja|so|all|it's|its|it is|that's|that is|alles|ist|schon|already|now|jetzt|i'm|i am)[ ,]+)*"
    r"(?:done|finished|fixed|solved|sorted|erledigt|fertig|geschafft|gelöst)"
    r"(?: (?:now|already|jetzt|it|that|schon))?\W*$",
    re.IGNORECASE,
)
_STEM = 4
"""Letters that words of one stem have in common."""


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


class Closing(NamedTuple):
    """A sentence that says that something is done, by the stems of its words."""

    stems: frozenset[str]
    past: frozenset[str]
    """Those of what may be verbs of the past."""
    is_sure: bool
    """It ticks a box, or says in so many words that it is done."""


def closing_of(later: str, words: Callable[[], Set[str]]) -> Closing | None:
    """Read what a sentence may close; None where it says of nothing that it is done. ``words``: its content words."""
    plain = later.replace("’", "'")
    is_sure = is_ticked(later) or _DONE.search(plain) is not None
    if not is_sure and "ed" not in plain:
        return None
    if not is_ticked(later) and (plain.rstrip().endswith("?") or _NOT_DONE.search(plain) or intent_of(plain)):
        return None
    said = words()
    return Closing(stems_of(said), stems_of({word for word in said if word.endswith("ed")}), is_sure)


def closes(closing: Closing, open_words: Set[str]) -> bool:
    """Tell whether a later sentence plainly says that something is done; the words are those of what was open.

    It has to say two thirds of them, be they inflected, and to tick a box or say that it is done.
    """
    stems = [_stems_of_word(word) for word in open_words]
    if not stems or 3 * sum(not closing.stems.isdisjoint(each) for each in stems) < 2 * len(stems):
        return False
    return closing.is_sure or not closing.past.isdisjoint(frozenset().union(*stems))


def stems_of(words: Set[str]) -> frozenset[str]:
    """Give how words begin, with and without what German participles have more: "abgegeben" is "abgeben"."""
    return frozenset(stem for word in words for stem in _stems_of_word(word))


@lru_cache(maxsize=4096)
def _stems_of_word(word: str) -> frozenset[str]:
    return frozenset(stem[:_STEM] for stem in (word, word.replace("ge", "", 1)) if len(stem) > 1)
