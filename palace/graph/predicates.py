"""What is known of predicates: which hold one value at a time, and which say what happens."""

from __future__ import annotations

_SINGLE = frozenset(
    {
        "lives_in",
        "comes_from",
        "works_at",
        "works_as",
        "studies_at",
        "married_to",
        "partner_of",
        "called",
        "costs",
        "located_in",
        "is",
    }
)
_PROPERTY = "has_"
_PAST = frozenset({"visited"})
_EVENTS = frozenset({"planned"}) | _PAST


def is_single_valued(predicate: str) -> bool:
    """Check whether a predicate holds one value at a time: the listed ones and every property (``has_<noun>``)."""
    return predicate in _SINGLE or (predicate.startswith(_PROPERTY) and len(predicate) > len(_PROPERTY))


def tells_events(predicate: str) -> bool:
    """Check whether what a predicate says with a date happens then, and is over afterwards."""
    return predicate in _EVENTS


def tells_past(predicate: str) -> bool:
    """Check whether what a predicate says to have happened is over when it is said."""
    return predicate in _PAST
