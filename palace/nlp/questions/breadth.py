"""How much a query asks for: one thing, or all of a kind, counted, listed, in order or summed up. Pure.

Rules of our own for English and German, made to be right where they speak rather than to find every broad question:
"How many sugars does she take?" asks for one thing, "How many letters did I write?" for every letter.
"""

from __future__ import annotations

from enum import Enum

from palace.nlp.rules import rules

_RULES = rules("asked", "breadth")


class Breadth(Enum):
    """How much a query asks for."""

    NONE = "none"
    """One thing."""
    COUNT = "count"
    LIST = "list"
    ORDER = "order"
    SUMMARY = "summary"

    @property
    def is_broad(self) -> bool:
        """Whether what answers may lie in many drawers."""
        return self is not Breadth.NONE


def breadth_of(query: str) -> Breadth:
    """Tell how much a query asks for."""
    return Breadth(_RULES.meaning("breadth", query.replace("\u2019", "'")) or "none")
