"""Claims implied by others: a title ends with the job, the rent of a flat with the move. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from palace.models.claims import SELF, Action, Claim, Reading

_ENDS_WITH = {
    ("works_at", Action.ENDS): ("works_as", "has_boss", "has_salary"),
    ("lives_in", Action.BEGINS): ("has_rent", "has_landlord", "has_landlady"),
}
"""Predicates that end with a claim of this predicate and action."""


def with_ends(reading: Reading) -> Reading:
    """Add the implied claims to a message's claims: what ends as well, and what goes on if a move is called off.

    Nothing is implied about predicates that the message itself mentions, such as the title in a change of jobs, nor by
    moves of other people.
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
    """Return claims that what would end with a move goes on, if a claim denies the move."""
    begun = (claim.predicate, Action.BEGINS)
    if claim.subject != SELF or begun not in _ENDS_WITH or not claim.object:
        return []
    return [
        Claim(claim.subject, predicate, "", Action.HOLDS, claim.start, claim.end)
        for predicate in _ENDS_WITH[begun]
        if predicate not in told
    ]
