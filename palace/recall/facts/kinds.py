"""Whether a query asks for several things of a kind, and of which."""

from __future__ import annotations

import re
from collections.abc import Collection

from palace.recall.intent import Intent
from palace.text.asked.breadth import Breadth
from palace.text.kinds.asked import AskedKinds, kinds_asked

_OF_SEVERAL = re.compile(
    r"\b(?:which|what|how many|any|all|every|list|name|welche[nrms]?|was für|wie viele|alle|jede[nrms]?)\b"
    r"(?P<of>(?:\s+[\w'-]+){1,6})",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\b(?:do|does|did|have|has|had|is|are|was|were|am|can|could|will|would|should|i|we|you|he|she|they|that|who|which"
    r"|in|on|at|from|for|with|to|by|about|since|when"
    r"|habe|hast|hat|haben|hatte|hatten|ist|sind|bin|war|waren|kann|ich|wir|du|er|sie|die|denen|bei|im|am|aus|mit|seit)\b",
    re.IGNORECASE,
)
"""What ends the name of the kind: "which instruments | do I play"."""
_WORD = re.compile(r"[\w'-]+")
_BETWEEN_TWO = re.compile(r"[,:;–—]\s+[^,;:?]{2,80}? (?:or|oder) [^,;:?]{2,80}\?*\s*$", re.IGNORECASE)
"""What names the two that it asks of: "which did I read first, X or Y?"."""
_WHOLE = (Breadth.ORDER, Breadth.SUMMARY)


def asked_in(query: str, lexemes: Collection[str], intent: Intent) -> AskedKinds | None:
    """Give the kinds that a query of such stems asks for; None where it asks for one thing.

    The kind is what follows the word that asks, as far as the next verb or the like: a car in "what was the first issue
    with my car" is none. Of what asks for an order or a summary all words may be it, where none follows such a word.
    """
    if _BETWEEN_TWO.search(query):
        return None
    of = [_BEHIND.split(found["of"])[0] for found in _OF_SEVERAL.finditer(query)]
    told = _told_by(" ".join(of), lexemes)
    if told is None and (intent.breadth in _WHOLE or (intent.breadth.is_broad and not of)):
        return _told_by(query, lexemes)
    return told


def _told_by(asked: str, lexemes: Collection[str]) -> AskedKinds | None:
    said = [word.casefold() for word in _WORD.findall(asked)]
    told = kinds_asked(asked, [stem for stem in lexemes if any(word.startswith(_begun(stem)) for word in said)])
    return told if told.names or told.stems or told.words else None


def _begun(stem: str) -> str:
    """Give what a word of a stem begins with: "batteri" stems from "battery"."""
    return stem[: max(3, len(stem) - 1)].casefold()
