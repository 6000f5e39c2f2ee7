"""What is known of predicates: which hold one value at a time, what their objects are, what ends with them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache

from palace.models.claims import SELF, Action, Claim, EntityType, Reading
from palace.nlp.rules import rules

_ENDS_WITH = {
    ("works_at", Action.ENDS): ("works_as", "has_boss", "has_salary"),
    ("lives_in", Action.BEGINS): ("has_rent", "has_landlord", "has_landlady"),
}
"""What holds no longer once a claim does what it does."""

_RULES = rules("graph", "predicates")
_PROPERTY = "has_"


def is_single_valued(predicate: str) -> bool:
    """Check whether a predicate holds one value at a time: the listed ones and every property (``has_<noun>``)."""
    return predicate in _RULES.words("single") or (predicate.startswith(_PROPERTY) and predicate != _PROPERTY)


def tells_events(predicate: str) -> bool:
    """Check whether what a predicate says with a date happens then, and is over afterwards."""
    return predicate in _RULES.words("events")


def tells_past(predicate: str) -> bool:
    """Check whether what a predicate says to have happened is over when it is said."""
    return predicate in _RULES.words("past")


@cache
def object_types() -> Mapping[str, EntityType]:
    """Map predicates whose object is someone or something even without a name to what that is."""
    rows = _RULES.table("objects").items()
    return {predicate: EntityType(kind) for kind, predicates in rows for predicate in predicates.split()}


def is_of_people(predicate: str) -> bool:
    """Check whether only a person can be the subject of a predicate."""
    return predicate in object_types() or predicate in _RULES.words("of_people")


def with_ends(reading: Reading) -> Reading:
    """Add to what a message claims what is over with it, and what goes on where that is called off.

    Not what the message tells anew, nor the title of who goes from one job to another, nor of a move that is not the
    person's own.
    """
    return replace(reading, claims=(*reading.claims, *(end for each in reading.claims for end in _ends(each, reading))))


def _ends(claim: Claim, reading: Reading) -> list[Claim]:
    told = {each.predicate for each in reading.claims if each.subject == claim.subject and each is not claim}
    if claim.action is Action.DENIES:
        return _goings_on(claim, told)
    if claim.predicate in told or (claim.predicate == "lives_in" and claim.subject != SELF):
        return []
    end = claim.valid_to if claim.action is Action.ENDS else claim.valid_from
    return [
        Claim(claim.subject, predicate, "", Action.ENDS, claim.start, claim.end, valid_to=end)
        for predicate in _ENDS_WITH.get((claim.predicate, claim.action), ())
        if predicate not in told
    ]


def _goings_on(claim: Claim, told: Collection[str]) -> list[Claim]:
    """Let go on what was to end with a move that is called off."""
    begun = (claim.predicate, Action.BEGINS)
    if claim.subject != SELF or begun not in _ENDS_WITH or not claim.object:
        return []
    return [
        Claim(claim.subject, predicate, "", Action.HOLDS, claim.start, claim.end)
        for predicate in _ENDS_WITH[begun]
        if predicate not in told
    ]
