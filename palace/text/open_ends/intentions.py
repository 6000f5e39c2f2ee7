"""Whether a sentence says that something is still to be done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from functools import cache

from palace.text.open_ends import english, german

LONGEST_SENTENCE = 500
"""Characters beyond which a line is no sentence of anybody's."""

_ASKING = ("?", "？")


class Intent(Enum):
    """How surely a sentence leaves something open."""

    SURE = "sure"
    """Whatever else its message says."""
    LIKELY = "likely"
    """Unless it leads to a question, whose answer is what was needed."""


def intent_of(sentence: str) -> Intent | None:
    """Tell how surely a sentence says that something is still to be done; None where it does not, or asks.

    >>> intent_of("I still need to order the seal.")
    <Intent.SURE: 'sure'>
    >>> intent_of("I'll call the yard next week.")
    <Intent.LIKELY: 'likely'>
    >>> intent_of("I have to say that I like it.")
    """
    text = sentence.strip().replace("’", "'")
    if len(text) > LONGEST_SENTENCE or text.rstrip("\"'”)* ").endswith(_ASKING):
        return None
    if any(_pattern(rules).search(text) for rules in (english.SURE, german.SURE)):
        return Intent.SURE
    if any(_pattern(rules).search(text) for rules in (english.LIKELY, german.LIKELY)):
        return Intent.LIKELY
    if any(_pattern(rules).search(text) and _pattern((when,)).search(text) for rules, when in _TIMED):
        return Intent.LIKELY
    return None


_TIMED = ((english.TIMED, english.WHEN), (german.TIMED, german.WHEN))


@cache
def _pattern(rules: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{rule})" for rule in rules), re.IGNORECASE)
