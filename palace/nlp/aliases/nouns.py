"""Nouns that stand for a named entity, and the entity types of names by the nouns they go with. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from palace.models.claims import Claim, EntityType, NamedSpan
from palace.nlp.claims.kinds import gender_of, in_english, is_job, object_types, words
from palace.nlp.rules import Rules, rules
from palace.nlp.time.vocabulary import fold

RULES = Rules("claims", "called.toml")
_PERSON, _PLACE, _FIRM = EntityType.PERSON, EntityType.PLACE, EntityType.ORGANISATION
_ITEM, _EVENT, _PROJECT = EntityType.ITEM, EntityType.EVENT, EntityType.PROJECT
_KINDS = {"kin": _PERSON, "pets": _ITEM, "things": _ITEM, "places": _PLACE, "firms": _FIRM, "events": _EVENT,
          "projects": _PROJECT}  # fmt: skip
"""Map patterns of English nouns, by their keys in the data, to the type of entity that such a noun names."""


@cache
def kind_of(noun: str) -> EntityType | None:
    """Return the entity type that a noun stands for; None for a noun that stands for no named entity."""
    if gender_of(noun) is not None or noun in RULES.words("roles"):
        return _PERSON
    if is_animal(noun) or noun in words("owned") or noun in RULES.words("things"):
        return _ITEM
    if noun in RULES.words("places"):
        return _PLACE
    if noun in RULES.words("firms") or noun in words("groups"):
        return _FIRM
    data = rules("names", "english_cues")
    kinds = (kind for name, kind in _KINDS.items() if data[name].fullmatch(noun))
    return next(kinds, _PERSON if is_job(noun) else None)


def is_animal(noun: str) -> bool:
    """Check whether a noun is an animal, in English or German."""
    return noun in words("animals") or in_english(noun) in words("animals")


def is_borne(noun: str) -> bool:
    """Check whether the thing of a noun may bear a person's name: an animal, a boat, a vehicle, a server."""
    return is_animal(noun) or noun in RULES.words("boats") or noun in RULES.words("vehicles")


def may_name(noun: str, type_: EntityType, *, is_told: bool) -> bool:
    """Check whether a name of an entity type may belong to the thing that a noun stands for.

    Animals may bear persons' names; boats and vehicles only where the text says so (``is_told``).
    """
    kind = kind_of(noun)
    if kind is None or type_ is EntityType.TIME:
        return False
    if kind is _ITEM and type_ is _PERSON:
        return is_animal(noun) or (is_told and is_borne(noun))
    return type_ is _ITEM or (not is_animal(noun) and (kind is _PERSON) is (type_ is _PERSON))


def typed_by_nouns(names: Sequence[NamedSpan], types: Mapping[str, EntityType]) -> tuple[NamedSpan, ...]:
    """Return names with the entity types that ``types_of_nouns`` found."""
    return tuple(
        replace(name, type=types[fold(name.text)], is_sure=True)
        if name.type is not EntityType.TIME and fold(name.text) in types
        else name
        for name in names
    )


def settled(
    names: Sequence[Sequence[NamedSpan]], called: Sequence[Sequence[Claim]], claims: Sequence[Sequence[Claim]]
) -> list[tuple[NamedSpan, ...]]:
    """Return the names of a conversation's messages, each guess with the type that nouns or claims support, if any."""
    types = _types_of_objects(claims) | types_of_nouns(called, only_borne=False)
    return [
        tuple(
            name if name.is_sure else replace(name, type=types.get(fold(name.text), EntityType.UNKNOWN))
            for name in spans
        )
        for spans in names
    ]


def types_of_nouns(called: Iterable[Sequence[Claim]], *, only_borne: bool = True) -> dict[str, EntityType]:
    """Map folded names to their entity types by the nouns of a conversation, where all its nouns agree.

    With ``only_borne``, only nouns of persons, animals, boats and vehicles count: those of firms and places are less
    reliable.
    """
    kinds = ((fold(each.object), fold(each.subject).rpartition(" ")[2]) for claims in called for each in claims)
    told = ((name, kind_of(noun)) for name, noun in kinds if not only_borne or _is_clear(noun))
    return _agreed((name, kind) for name, kind in told if kind is not None)


def _is_clear(noun: str) -> bool:
    return is_borne(noun) if kind_of(noun) is _ITEM else kind_of(noun) is _PERSON


def _types_of_objects(read: Iterable[Sequence[Claim]]) -> dict[str, EntityType]:
    """Map folded objects of a conversation's claims to the types that their predicates imply, where all agree."""
    types = object_types()
    claims = (each for claims in read for each in claims if each.predicate in types)
    return _agreed((fold(each.object), types[each.predicate]) for each in claims)


def _agreed(told: Iterable[tuple[str, EntityType]]) -> dict[str, EntityType]:
    kinds: dict[str, set[EntityType]] = defaultdict(set)
    for name, kind in told:
        kinds[name].add(kind)
    return {name: found.pop() for name, found in kinds.items() if len(found) == 1}
