"""Recognise to-dos, their completion, and checkboxes, in English and German sentences."""

from __future__ import annotations

from collections.abc import Callable, Set
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from palace.nlp.rules import late, rules

_LANGUAGES = (rules("todos", "english"), rules("todos", "german"))
LONGEST_SENTENCE = 500
"""Most characters of a sentence; a longer line is data."""
MOST_WORDS = 6
"""Most words of a message that only says that a to-do is done."""
_STEM = 4
"""Number of first letters by which words are compared."""
_QUESTION_MARKS = ("?", "？")
_BOX = late(r"(?:[-*+]|\d{1,3}[.)])[ \t]+\[(?P<sign>[ xX✓✔]?)\](?=\s+\S)")
_DRAWN_BOX = late(r"(?:[-*+][ \t]+)?(?P<sign>[☐☑☒✅])(?=\s*\S)")
_UNTICKED = ("", " ", "☐")


class Intent(Enum):
    """How certainly a sentence is a to-do."""

    SURE = "sure"
    """A to-do whatever else its message says."""
    LIKELY = "likely"
    """A to-do unless it leads to a question, whose answer was all that was needed."""


class Closing(NamedTuple):
    """A sentence that says that a to-do is done, as the stems of its words."""

    stems: frozenset[str]
    past: frozenset[str]
    """Stems of the words that may be verbs in the past tense."""
    is_sure: bool
    """Whether it ticks a box or says explicitly that the to-do is done."""


def intent_of(sentence: str) -> Intent | None:
    """Return how certainly a sentence is a to-do; None where it is none or a question."""
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
    """Check whether a line is an unticked checkbox: ``- [ ] order the seal``."""
    return _sign(line) in _UNTICKED


def is_ticked(line: str) -> bool:
    """Check whether a line is a ticked checkbox: ``- [x] order the seal``."""
    return _sign(line) not in (None, *_UNTICKED)


def _sign(line: str) -> str | None:
    found = _BOX.match(line.lstrip()) or _DRAWN_BOX.match(line.lstrip())
    return found["sign"] if found else None


def says_done(text: str) -> bool:
    """Check whether a message only says that the matter is done or no longer wanted."""
    plain = text.strip().replace("’", "'")
    return len(plain.split()) <= MOST_WORDS and any(language.finds("all_done", plain) for language in _LANGUAGES)


def closing_of(later: str, words: Callable[[], Set[str]]) -> Closing | None:
    """Return a sentence as the closing of a to-do; None where it is none. ``words`` returns its content words."""
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
    """Check whether a later sentence says that a to-do is done, given the content words of the to-do.

    It must contain two thirds of them, in any inflection, and tick a box or say that the to-do is done.
    """
    stems = [_stems_of_word(word) for word in open_words]
    if not stems or 3 * sum(not closing.stems.isdisjoint(each) for each in stems) < 2 * len(stems):
        return False
    return closing.is_sure or not closing.past.isdisjoint(frozenset().union(*stems))


def _stems_of(words: Set[str]) -> frozenset[str]:
    return frozenset(stem for word in words for stem in _stems_of_word(word))


@lru_cache(maxsize=4096)
def _stems_of_word(word: str) -> frozenset[str]:
    """Return the stems of a word, with and without the "ge" of a German participle: "abgegeben" is "abgeben"."""
    return frozenset(stem[:_STEM] for stem in (word, word.replace("ge", "", 1)) if len(stem) > 1)
