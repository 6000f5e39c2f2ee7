"""Nouns that stand for somebody or something with a name, and of which names each may do so. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from palace.models.claims import EntityType
from palace.nlp.aliases.tokens import listed
from palace.nlp.claims.kinds import gender_of, in_english, is_job, words
from palace.nlp.rules import rules

_MORE_ROLES = listed(
    """
cleaner gardener childminder carer caregiver accountant solicitor broker postman postwoman builder decorator tenant
lodger handyman osteopath chiropractor midwife orthodontist consultant specialist tutor professor apprentice trainee
employer client roomie fella bloke fiancee godmother godfather godson goddaughter stepmother stepfather in-law
putzfrau putzhilfe gärtner gärtnerin tagesmutter hebamme steuerberater steuerberaterin anwalt anwältin azubi praktikant
praktikantin dozent dozentin betreuer betreuerin patentante patenonkel direktor direktorin schulleiter schulleiterin
"""
)
_MORE_THINGS = listed(
    """
ship yacht barge dinghy narrowboat ferry machine robot tractor inhaler tablets pills medication medicine app tool
plugin library framework program game database phone album book novel show film podcast song starter plant
schiff yacht jolle kutter auto bulli server computer tablet spiel buch app programm
"""
)
_MORE_PLACES = listed("bäckerei dorf stadt straße insel kneipe ferienhaus hütte wald berg fluss")
_MORE_FIRMS = listed(
    """
cafe café pub bar restaurant hotel practice surgery dentist's bakery cinema theatre theater museum supplier provider
verein firma schule uni universität praxis klinik laden band chor kita kindergarten bank versicherung werkstatt werft
orchester mannschaft restaurant hotel
"""
)
_BOATS = listed("boat sailboat ship yacht canoe kayak dinghy narrowboat barge ferry boot segelboot schiff kutter jolle")
_BEARERS = listed("car van campervan camper truck bike motorbike scooter server robot auto bulli wagen roller")
_KINDS = {
    "kin": EntityType.PERSON, "pets": EntityType.ITEM, "things": EntityType.ITEM, "places": EntityType.PLACE,
    "firms": EntityType.ORGANISATION, "events": EntityType.EVENT, "projects": EntityType.PROJECT,
}  # fmt: skip
"""Patterns of nouns of English, by their names in the data, with what is named behind them."""
_FITTING = {
    EntityType.PERSON: (EntityType.PERSON, EntityType.ITEM),
    EntityType.ITEM: (EntityType.ITEM, EntityType.ORGANISATION, EntityType.PROJECT),
    EntityType.PLACE: (EntityType.PLACE, EntityType.ORGANISATION, EntityType.ITEM),
    EntityType.ORGANISATION: (
        EntityType.ORGANISATION, EntityType.PLACE, EntityType.ITEM, EntityType.PROJECT, EntityType.EVENT,
    ),
    EntityType.EVENT: (EntityType.EVENT, EntityType.ORGANISATION, EntityType.ITEM),
    EntityType.PROJECT: (EntityType.PROJECT, EntityType.ITEM, EntityType.ORGANISATION),
}  # fmt: skip
_FORMER = re.compile(
    r"ex|ex-.*|former|previous|future|next|last|first|second|third|other|another|favou?rite|dream|potential|step"
    r"|ehemalige\w*|frühere\w*|erste\w*|zweite\w*|nächste\w*|letzte\w*|andere\w*|lieblings.*|biggest|worst"
)


@cache
def kind_of(noun: str) -> EntityType | None:
    """Tell what somebody or something called by a noun is; None of a noun that stands for nothing with a name."""
    if gender_of(noun) is not None or noun in _MORE_ROLES:
        return EntityType.PERSON
    if is_animal(noun) or noun in words("owned") or noun in _MORE_THINGS:
        return EntityType.ITEM
    if noun in _MORE_PLACES:
        return EntityType.PLACE
    if noun in _MORE_FIRMS or noun in words("groups"):
        return EntityType.ORGANISATION
    for name, kind in _KINDS.items():
        if rules("names", "english_cues")[name].fullmatch(noun):
            return kind
    return EntityType.PERSON if is_job(noun) else None


def is_animal(noun: str) -> bool:
    """Tell whether a noun is an animal's, in either language."""
    return noun in words("animals") or in_english(noun) in words("animals")


def is_borne(noun: str) -> bool:
    """Tell whether what goes by a noun bears its name as a person does: an animal, a boat, a vehicle, a server."""
    return is_animal(noun) or noun in _BOATS or noun in _BEARERS


def may_name(noun: str, type_: EntityType, *, is_told: bool) -> bool:
    """Tell whether a name of a type may be that of what a noun stands for.

    Animals, and boats and vehicles where it ``is_told`` that they are called so, bear the names of persons.
    """
    kind = kind_of(noun)
    if kind is None or type_ is EntityType.TIME:
        return False
    if kind is EntityType.ITEM and type_ is EntityType.PERSON:
        return is_animal(noun) or (is_told and (noun in _BOATS or noun in _BEARERS))
    if kind is EntityType.ITEM and is_animal(noun):
        return type_ is EntityType.ITEM
    return type_ in _FITTING[kind] or (kind is EntityType.ITEM and is_told and noun in _BOATS)


def is_former(modifiers: Sequence[str]) -> bool:
    """Tell whether a noun is no longer, or not yet, whose it is said to be, or is one of several."""
    return any(_FORMER.fullmatch(word) for word in modifiers)
