"""Whether a sentence leaves something to be done, or says that it is done; boxes to tick. English and German."""

from __future__ import annotations

from collections.abc import Callable, Set
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from palace.nlp.rules import late, rules

_LANGUAGES = (rules("todos", "english"), rules("todos", "german"))
LONGEST_SENTENCE = 500
"""Characters beyond which a line is no sentence of anybody's."""
MOST_WORDS = 6
"""Words of a message that says nothing but that it is done."""
_STEM = 4
"""Letters that words of one stem have in common."""
_QUESTION_MARKS = ("?", "？")
_BOX = late(r"(?:[-*+]|\d{1,3}[.)])[ \t]+\[(?P<sign>[ xX✓✔]?)\](?=\s+\S)")
_DRAWN_BOX = late(r"(?:[-*+][ \t]+)?(?P<sign>[☐☑☒✅])(?=\s*\S)")
_UNTICKED = ("", " ", "☐")


class Intent(Enum):
    """How surely a sentence leaves something open."""

    SURE = "sure"
    """Whatever else its message says."""
    LIKELY = "likely"
    """Unless it leads to a question, whose answer is what was needed."""


class Closing(NamedTuple):
    """A sentence that says that something is done, by the stems of its words."""

    stems: frozenset[str]
    past: frozenset[str]
    """Those of what may be verbs of the past."""
    is_sure: bool
    """It ticks a box, or says in so many words that it is done."""


def intent_of(sentence: str) -> Intent | None:
    """Tell how surely a sentence says that something is still to be done; None where it does not, or asks."""
    text = sentence.strip().replace("’", "'")
    if len(text) > LONGEST_SENTENCE or text.rstrip("\"'”)* ").endswith(_QUESTION_MARKS):
        return None
    if any(language.finds("sure", text) for language in _LANGUAGES):
        return Intent.SURE
    for language in _LANGUAGES:
        if language.finds("likely", text) or (language.finds("timed", text) and language.finds("when", text)):
            return Intent.LIKELY
    return None


def is_unticked(line: str) -> bool:
    """Tell whether a line is something to do that is not ticked: ``- [ ] order the seal``."""
    return _sign(line) in _UNTICKED


def is_ticked(line: str) -> bool:
    """Tell whether a line is something to do that is ticked: ``- [x] order the seal``."""
    return _sign(line) not in (None, *_UNTICKED)


def _sign(line: str) -> str | None:
    found = _BOX.match(line.lstrip()) or _DRAWN_BOX.match(line.lstrip())
    return found["sign"] if found else None


def says_done(text: str) -> bool:
    """Tell whether a message says that what was spoken of is done, or no longer wanted, and nothing else."""
    plain = text.strip().replace("’", "'")
    return len(plain.split()) <= MOST_WORDS and any(language.finds("all_done", plain) for language in _LANGUAGES)


def closing_of(later: str, words: Callable[[], Set[str]]) -> Closing | None:
    """Read what a sentence may close; None where it says of nothing that it is done. ``words``: its content words."""
    plain = later.replace("’", "'")
    is_sure = is_ticked(later) or any(language.finds("done", plain) for language in _LANGUAGES)
    if not is_sure and "ed" not in plain:
        return None
    if not is_ticked(later):
        is_open = any(language.finds("not_done", plain) for language in _LANGUAGES)
        if is_open or plain.rstrip().endswith("?") or intent_of(plain):
            return None
    said = words()
    return Closing(_stems_of(said), _stems_of({word for word in said if word.endswith("ed")}), is_sure)


def closes(closing: Closing, open_words: Set[str]) -> bool:
    """Tell whether a later sentence plainly says that something is done; the words are those of what was open.

    It has to say two thirds of them, be they inflected, and to tick a box or say that it is done.
    """
    stems = [_stems_of_word(word) for word in open_words]
    if not stems or 3 * sum(not closing.stems.isdisjoint(each) for each in stems) < 2 * len(stems):
        return False
    return closing.is_sure or not closing.past.isdisjoint(frozenset().union(*stems))


def _stems_of(words: Set[str]) -> frozenset[str]:
    return frozenset(stem for word in words for stem in _stems_of_word(word))


@lru_cache(maxsize=4096)
def _stems_of_word(word: str) -> frozenset[str]:
    """Return how a word begins, with and without what a German participle has more: "abgegeben" is "abgeben"."""
    return frozenset(stem[:_STEM] for stem in (word, word.replace("ge", "", 1)) if len(stem) > 1)
