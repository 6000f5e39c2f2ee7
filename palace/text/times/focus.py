"""Whether a text asks for how things are or for how they were, and which way it points in time."""

from __future__ import annotations

from enum import StrEnum

from palace.text.times.periods import Tense
from palace.text.times.vocabulary import compiled, fold


class TimeFocus(StrEnum):
    """Which state of what changes over time is asked for."""

    NONE = "none"
    CURRENT = "current"
    FORMER = "former"


_SOMEBODYS = r"(?:my|your|our|his|her|their|its|the|whose|'s)"
_ASIDE = (
    r"(?:,? (?:i'm|i am) (?:asking|wondering|curious|telling|just)|,? (?:that|then|and then|and again|tell|let|please))"
)

_CURRENT = (
    r"(?<!\w)(?:"
    r"currently|presently|nowadays|recently|lately|at (?:present|the moment|this point)|these days|as of (?:now|today)"
    r"|(?<!at\sthe\s)latest|newest|most recent(?:ly)?|so far|to date|up(?:-| )to(?:-| )date|any ?more|any longer"
    rf"|{_SOMEBODYS} (?:current|present-day)(?= [a-z])(?! (?:affairs|events|in|of|is|was|and|through|at|to|from)(?!\w))"
    r"|(?<!stand\s)(?<!sit\s)(?<!hold\s)(?<!stood\s)(?<!sat\s)still(?! life)"
    rf"|(?:right|by|until|up to) now(?!{_ASIDE})"
    rf"|(?<!^)(?<![.!?]\s)(?<!just\s)(?<!not\s)(?<!every\s)(?<!right\s)now(?!{_ASIDE})"
    r")(?!\w)"
)
"""Sentences that begin with "Now" seldom ask for the present, and "just now" is a moment ago."""

_FORMER = (
    r"(?<!\w)(?:"
    r"used to(?! (?:it|that|this|the|be(?:ing)? used))|did (?:i|we|you|he|she|they) use to|originally|initially"
    r"|formerly|previously|back (?:then|in the day)|at first|in the past(?=\s*(?:[.,;:!?)]|$))"
    r"|once upon a time|prior to (?:that|this)"
    rf"|{_SOMEBODYS} (?:previous|former|original|old|earliest|(?:very )?first)(?= [a-z])"
    r"(?! (?:name|aid|class|floor|page|place|thing|step|message|question|answer))"
    r"|(?:did|when|have|has) (?:i|we|you|he|she|they) first"
    r")(?!\w)"
)

_PAST = (
    r"(?<!\w)(?:did|was|were|had|ago|went|got|took|gave|made|bought|met|happened|told|said|came|saw|felt|began"
    r"|wrote)(?!\w)"
)
"""Verbs of questions, whose main one is mostly "did": what happened, rather than how things are."""

_FUTURE = (
    r"(?<!\w)(?:will(?!'s)|won't|shall|(?<!was\s)(?<!were\s)going to|gonna|upcoming|about to|looking forward"
    r"|plan(?:s|ning)? (?:to|on|for)|planned for|scheduled for|due (?:on|by)|deadline"
    r"|what happens|what(?:'s| is) (?:on|happening|due|planned)|anything on"
    r"|(?:do|have) (?:i|we) (?:have |got )(?:to do )?(?:on|for|at|this|next|planned))(?!\w)|(?<=\w)'ll(?!\w)"
)


def time_focus(text: str) -> TimeFocus:
    """Read from its words which state a text asks for: "where do I live now", "where did I use to live".

    A text that names both asks for neither in particular.
    """
    folded = fold(text)
    current, former = (compiled(words).search(folded) is not None for words in (_CURRENT, _FORMER))
    if current == former:
        return TimeFocus.NONE
    return TimeFocus.CURRENT if current else TimeFocus.FORMER


def asks_what_happened(text: str) -> bool:
    """Whether a text asks for something that happened, rather than for how things are."""
    return compiled(_PAST).search(fold(text)) is not None


def tense_of(text: str) -> Tense:
    """Read from its verbs which way a text points: to the future for "I will", "going to", "planning to"."""
    return Tense.FUTURE if compiled(_FUTURE).search(fold(text)) else Tense.PAST
