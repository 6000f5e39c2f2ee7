"""Properties of predicates: which have one value at a time, which are events, and the types of their objects."""

from __future__ import annotations

from palace.nlp.claims.kinds import object_types
from palace.nlp.rules import rules

__all__ = ["is_of_people", "is_single_valued", "object_types", "tells_events", "tells_past"]

_RULES = rules("graph", "predicates")
_PROPERTY = "has_"


def is_single_valued(predicate: str) -> bool:
    """Check whether a predicate has one value at a time: the listed ones and every property (``has_<noun>``)."""
    return predicate in _RULES.words("single") or (predicate.startswith(_PROPERTY) and predicate != _PROPERTY)


def tells_events(predicate: str) -> bool:
    """Check whether a dated claim with this predicate is an event, which is over afterwards."""
    return predicate in _RULES.words("events")


def tells_past(predicate: str) -> bool:
    """Check whether an event of this predicate is over by the time it is reported."""
    return predicate in _RULES.words("past")


def is_of_people(predicate: str) -> bool:
    """Check whether only a person can be the subject of a predicate."""
    return predicate in object_types() or predicate in _RULES.words("of_people")
