"""What names name, by the nouns that they are said to go with: a boat is no person, whatever it is called. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from palace.models.claims import Claim, EntityType, NamedSpan
from palace.nlp.aliases.nouns import is_borne, kind_of
from palace.nlp.time.vocabulary import fold

_BETWEEN_PEOPLE = frozenset(
    ["married_to", "partner_of", "parent_of", "child_of", "sibling_of", "friend_of", "colleague_of", "related_to"]
)
_OF_ANYTHING = frozenset(["called", "costs", "located_in", "is", "has_age", "has", "likes", "dislikes", "has_birthday"])
"""Predicates of what animals and things do as well."""


def typed_by_nouns(names: Sequence[NamedSpan], types: dict[str, EntityType]) -> tuple[NamedSpan, ...]:
    """Give names with the types that nouns say, as ``types_of_nouns`` lists them."""
    return tuple(
        replace(name, type=types[fold(name.text)])
        if name.type is not EntityType.TIME and fold(name.text) in types
        else name
        for name in names
    )


def types_of_claims(read: Iterable[Sequence[Claim]]) -> dict[str, EntityType]:
    """Map names, folded, that claims of a conversation say to be an animal, a boat or a vehicle, to what that is.

    Not a name of which anything is claimed that is so of people alone: a firm or a sister may be called as a dog is.
    """
    borne: set[str] = set()
    people: set[str] = set()
    for claim in (each for claims in read for each in claims):
        noun = claim.predicate.removeprefix("has_")
        if claim.predicate == "owns" or (noun != claim.predicate and is_borne(noun)):
            borne.add(fold(claim.object))
        elif claim.predicate in _BETWEEN_PEOPLE or kind_of(noun) is EntityType.PERSON:
            people |= {fold(claim.subject), fold(claim.object)}
        elif claim.predicate not in _OF_ANYTHING:
            people.add(fold(claim.subject))
    return dict.fromkeys(borne - people, EntityType.ITEM)


def typed_by_claims(names: Sequence[NamedSpan], types: dict[str, EntityType]) -> tuple[NamedSpan, ...]:
    """Give names of persons with the types that claims say, as ``types_of_claims`` lists them."""
    persons = {fold(name.text) for name in names if name.type is EntityType.PERSON}
    return typed_by_nouns(names, {name: kind for name, kind in types.items() if name in persons})


def types_of_nouns(called: Iterable[Sequence[Claim]]) -> dict[str, EntityType]:
    """Map names, folded, to what the nouns of a conversation say that they name, where all say the same.

    Only nouns of persons, animals, boats and vehicles are heard: what is a firm and what a place is told less clearly.
    """
    told: dict[str, set[EntityType]] = defaultdict(set)
    for claims in called:
        for claim in claims:
            noun = fold(claim.subject).rpartition(" ")[2]
            kind = kind_of(noun)
            if kind is EntityType.PERSON or (kind is EntityType.ITEM and is_borne(noun)):
                told[fold(claim.object)].add(kind)
    return {name: kinds.pop() for name, kinds in told.items() if len(kinds) == 1}
