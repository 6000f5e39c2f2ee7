"""Which predicates a query asks about, by its words, in English and German. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection

_WRITTEN = {
    "lives_in": "live lives lived living city town village country where home address moved move wohnt wohne wohnen"
    " lebt stadt ort adresse zuhause wo umgezogen",
    "comes_from": "from origin hometown born country herkunft kommt stammt geboren",
    "works_at": "work works worked working job employer company firm office where arbeitet arbeite firma arbeitgeber",
    "works_as": "work works job profession occupation do does beruf arbeitet",
    "studies_at": "study studies studied school university college studiert uni universität schule",
    "studies": "study studies studied subject major degree learning learn studiert fach lernt",
    "married_to": "married marry husband wife spouse wedding verheiratet mann frau ehemann ehefrau",
    "partner_of": "partner boyfriend girlfriend dating together freund freundin",
    "parent_of": "mother father mom mum dad parent parents child children kid kids son sons daughter daughters mutter"
    " vater eltern kind kinder sohn tochter",
    "child_of": "mother father mom mum dad parent parents son daughter mutter vater eltern",
    "sibling_of": "brother sister sibling siblings brothers sisters bruder schwester geschwister",
    "friend_of": "friend friends freund freundin freunde",
    "colleague_of": "colleague colleagues coworker coworkers boss team kollege kollegin kollegen chef",
    "related_to": "related relative relatives family cousin uncle aunt niece nephew verwandt familie",
    "owns": "own owns owned have has had bought buy got get pet sold besitzt hat gekauft verkauft",
    "uses": "use uses used using software app tool nutzt benutzt",
    "takes": "take takes taking medicine medication pills dose nimmt medikament",
    "does": "do does hobby hobbies sport sports habit course started macht",
    "plays": "play plays played playing instrument spielt",
    "speaks": "speak speaks language languages spricht sprache sprachen",
    "likes": "like likes liked love loves favourite favorite enjoy enjoys mag liebt liebling",
    "dislikes": "dislike dislikes hate hates mag hasst",
    "prefers": "prefer prefers rather lieber bevorzugt",
    "allergic_to": "allergic allergy allergies eat allergisch allergie",
    "member_of": "member club band group team mitglied verein",
    "called": "name called named heißt name",
    "costs": "cost costs price pay paid much kostet preis",
    "located_in": "where located city country wo liegt",
    "planned": "plan plans planned planning trip going when geplant plant wann",
    "visited": "visit visited went trip trips been besucht reise",
    "leads": "lead leads run runs manage manages head leitet",
    "works_on": "project projects working work works on projekt",
}
_ASKED_BY: dict[str, frozenset[str]] = {predicate: frozenset(words.split()) for predicate, words in _WRITTEN.items()}
_PROPERTY = "has_"
_WORD = re.compile(r"\w+")


_OF_ONESELF = re.compile(r"\b(?:i|my|our|we|ich|mein\w*|unser\w*|wir)\b", re.IGNORECASE)
_TELLING = frozenset(
    {"lives_in", "works_at", "works_as", "studies_at", "married_to", "takes", "plays", "speaks", "allergic_to"}
)
_COMMON = frozenset(
    ("where", "wo", "city", "town", "country", "do", "does", "macht", "has", "have", "had", "name", "from", "office")
)


def own_predicates(query: str) -> list[str]:
    """List the predicates that a query asks about of the person themselves; few are told by their words alone.

    >>> own_predicates("Where do I live?"), own_predicates("Where does Anna live?")
    (['lives_in'], [])
    """
    if not _OF_ONESELF.search(query):
        return []
    words = words_of_predicates(query) - _COMMON
    return [each for each in predicates_asked(words) if each in _TELLING or each.startswith(_PROPERTY)]


def asked_of(query: str, predicates: Collection[str]) -> frozenset[str]:
    """Choose those of some predicates that a query asks about by more than common words; all where it does of none."""
    words = words_of_predicates(query) - _COMMON
    return frozenset(each for each in predicates if asks_about(each, words)) or frozenset(predicates)


def words_of_predicates(query: str) -> frozenset[str]:
    """Give the words of a query that predicates are told by, in lower case."""
    return frozenset(_WORD.findall(query.casefold()))


_ASKS_WHO = frozenset(
    ("who", "whom", "whose", "name", "names", "called", "wer", "wen", "wem", "wessen", "heißt", "heißen")
)


def asking_words(query: str, names: Collection[str]) -> frozenset[str]:
    """Give the words of a query that predicates are told by, but for those that name someone: "my cousin".

    Where it asks who that is they ask as well.

    >>> "sister" in asking_words("Where does my sister live?", ["sister"])
    False
    """
    words = words_of_predicates(query)
    return words if words & _ASKS_WHO else words - {part for name in names for part in name.split()}


def asks_about(predicate: str, words: frozenset[str]) -> bool:
    """Tell whether a query of such words asks about a predicate; about a property where it names it.

    >>> asks_about("lives_in", words_of_predicates("my sister's city")), asks_about("has_rent", frozenset({"rent"}))
    (True, True)
    """
    if predicate.startswith(_PROPERTY):
        return bool(words & set(predicate.removeprefix(_PROPERTY).split("_")))
    return bool(words & _ASKED_BY.get(predicate, frozenset()))


def predicates_asked(words: frozenset[str]) -> list[str]:
    """List the predicates that a query of such words asks about, properties it names included."""
    named = [f"{_PROPERTY}{word}" for word in words if word.isalpha()]
    return sorted([*(predicate for predicate in _ASKED_BY if asks_about(predicate, words)), *named])
