"""Whether a text asks for how things are or for how they were, and which way it points in time."""

from __future__ import annotations

from enum import StrEnum

from palace.nlp.rules import rules
from palace.nlp.time.periods import Tense
from palace.nlp.time.vocabulary import compiled, fold

_RULES = rules("times", "focus")


class TimeFocus(StrEnum):
    """Which state of what changes over time is asked for."""

    NONE = "none"
    CURRENT = "current"
    FORMER = "former"


def time_focus(text: str) -> TimeFocus:
    """Read from its words which state a text asks for: "where do I live now", "where did I use to live".

    A text that names both asks for neither in particular.
    """
    folded = fold(text)
    current, former = (
        compiled(words).search(folded) is not None for words in (_RULES.source("current"), _RULES.source("former"))
    )
    if current == former:
        return TimeFocus.NONE
    return TimeFocus.CURRENT if current else TimeFocus.FORMER


def asks_what_happened(text: str) -> bool:
    """Whether a text asks for something that happened, rather than for how things are."""
    return compiled(_RULES.source("past")).search(fold(text)) is not None


def tense_of(text: str) -> Tense:
    """Read from its verbs which way a text points: to the future for "I will", "going to", "planning to"."""
    return Tense.FUTURE if compiled(_RULES.source("future")).search(fold(text)) else Tense.PAST
