"""What a question asks of an entity, by the words it is asked in; sets are asked in words of their own."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from bench.graph.scoring.predicates import content, meaning
from bench.graph.scoring.vocabulary import CUES, WEAK_CUES
from bench.graph.scoring.words import fold, stem, tokens

_WHEN = re.compile(
    r"\b(?:when|since when|(?:on |in )?(?:what|which) (?:day|date|month|year)|wann|seit wann|"
    r"an welchem (?:tag|datum)|in welche[mr] (?:monat|jahr))\b"
)
_UNTIL = re.compile(
    r"\b(?:until when|bis wann|(?:when|wann) .*\b(?:stop\w*|quit|end\w*|leave|left|sell|sold|verkauf\w*))\b"
)
_PLAN = re.compile(r"\b(?:plan\w*|going to|will|shall|next|geplant|werden?|wird|vorhabe\w*)\b")
CUE, WORD = 4, 1
NAMED = 6
"""How much a cue, a word of the object and a predicate's own word speak for a relation."""


def asks_when(question: str) -> bool:
    """Tell whether a time is asked for."""
    return bool(_WHEN.search(fold(question)))


def asks_until(question: str) -> bool:
    """Tell whether an end is asked for."""
    return bool(_UNTIL.search(fold(question)))


def asks_for_plan(question: str) -> bool:
    """Tell whether what is to come is asked for."""
    return bool(_PLAN.search(fold(question)))


def likeness(question: str, words: Collection[str], predicate: str, object: Iterable[str]) -> int:
    """Say how much a relation looks like what is asked for; 0 where nothing speaks for it.

    ``words`` are those of the question, and of other names of what it names.
    """
    asked = fold(question)
    stems = {stem(word) for word in words}
    family = meaning(predicate).family
    cues = CUES if any(cue.search(asked) for cue in CUES.values()) else WEAK_CUES
    score = NAMED * bool(content(predicate) & stems) if family not in CUES else 0
    if family in cues and cues[family].search(asked):
        score += CUE
    if score:
        score += WORD * any(stems & {stem(word) for word in tokens(name)} for name in object)
    return score
