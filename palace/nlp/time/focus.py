"""Whether a text asks for a present or a former state, and whether it is about the past or the future."""

from __future__ import annotations

from enum import StrEnum

from palace.nlp.rules import rules
from palace.nlp.time.periods import Tense
from palace.nlp.time.vocabulary import compiled, fold

_RULES = rules("times", "focus")


class TimeFocus(StrEnum):
    """Which state of something that changes a text asks for."""

    NONE = "none"
    CURRENT = "current"
    FORMER = "former"


def time_focus(text: str) -> TimeFocus:
    """Return which state a text asks for by its words: "where do I live now", "where did I use to live".

    A text with words of both is ``NONE``.
    """
    folded = fold(text)
    current, former = (
        compiled(words).search(folded) is not None for words in (_RULES.source("current"), _RULES.source("former"))
    )
    if current == former:
        return TimeFocus.NONE
    return TimeFocus.CURRENT if current else TimeFocus.FORMER


def asks_what_happened(text: str) -> bool:
    """Check whether a text asks for a past event, and not for a present state."""
    return compiled(_RULES.source("past")).search(fold(text)) is not None


def tense_of(text: str) -> Tense:
    """Return ``FUTURE`` for a text with "I will", "going to", "planning to" and the like, else ``PAST``."""
    return Tense.FUTURE if compiled(_RULES.source("future")).search(fold(text)) else Tense.PAST
