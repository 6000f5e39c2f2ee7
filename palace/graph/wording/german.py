"""What a relation is asked for with in German: forms of the verbs that claim it, nouns of what one has. Pure."""

from __future__ import annotations

from functools import cache

from palace.text.claims.german.lexicon import nouns_of, verb_forms
from palace.text.words import fold

_VERBS = {
    "lives_in": "wohnen leben umziehen",
    "comes_from": "stammen aufwachsen",
    "works_at": "arbeiten jobben",
    "works_as": "arbeiten",
    "studies_at": "studieren",
    "studies": "studieren lernen",
    "married_to": "heiraten",
    "owns": "besitzen fahren kaufen",
    "uses": "benutzen nutzen verwenden",
    "takes": "nehmen einnehmen",
    "plays": "spielen",
    "speaks": "sprechen",
    "likes": "mögen lieben",
    "dislikes": "hassen",
    "prefers": "bevorzugen",
    "costs": "kosten bezahlen",
    "planned": "verreisen planen",
    "visited": "besuchen reisen",
    "leads": "leiten",
    "has_weight": "wiegen",
    "has_rent": "zahlen bezahlen",
}
_NOUNS = {
    "owns": "auto autos wagen haustier haustiere tier tiere fahrrad",
    "works_as": "beruf",
    "member_of": "verein vereine chor mitglied",
    "planned": "wohin",
    "dislikes": "nicht",
    "uses": "programme apps",
    "has_age": "alt alter",
    "has_weight": "schwer gewicht",
    "has_birthday": "geburtstag geboren",
    "sibling_of": "bruder schwester geschwister brüder schwestern",
    "related_to": "tante onkel oma opa cousin cousine",
}


@cache
def asked_in_german(predicate: str) -> frozenset[str]:
    """List the words, folded, that ask for a predicate in German; none where it is not asked for so."""
    verbs = _VERBS.get(predicate, "").split()
    found = {*verb_forms(verbs), *_NOUNS.get(predicate, "").split()}
    if predicate.startswith("has_"):
        found |= nouns_of(predicate.removeprefix("has_"))
    return frozenset(fold(word) for word in found)
