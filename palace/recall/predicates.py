"""Which predicates a query asks about, by its words, in English and German. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection

from palace.nlp.rules import Rules

_RULES = Rules("recall", "predicates.toml")
_PROPERTY = "has_"
_WORD = re.compile(r"\w+")


_OF_ONESELF = re.compile(r"\b(?:i|my|our|we|ich|mein\w*|unser\w*|wir)\b", re.IGNORECASE)


def own_predicates(query: str) -> list[str]:
    """List the predicates that a query asks about of the person themselves; few are told by their words alone.

    >>> own_predicates("Where do I live?"), own_predicates("Where does Anna live?")
    (['lives_in'], [])
    """
    if not _OF_ONESELF.search(query):
        return []
    words = words_of_predicates(query) - _RULES.words("common")
    return [each for each in predicates_asked(words) if each in _RULES.words("telling") or each.startswith(_PROPERTY)]


def asked_of(query: str, predicates: Collection[str]) -> frozenset[str]:
    """Choose those of some predicates that a query asks about by more than common words; all where it does of none."""
    words = words_of_predicates(query) - _RULES.words("common")
    return frozenset(each for each in predicates if asks_about(each, words)) or frozenset(predicates)


def words_of_predicates(query: str) -> frozenset[str]:
    """Give the words of a query that predicates are told by, in lower case."""
    return frozenset(_WORD.findall(query.casefold()))


def asking_words(query: str, names: Collection[str]) -> frozenset[str]:
    """Give the words of a query that predicates are told by, but for those that name someone: "my cousin".

    Where it asks who that is they ask as well.

    >>> "sister" in asking_words("Where does my sister live?", ["sister"])
    False
    """
    words = words_of_predicates(query)
    return words if words & _RULES.words("asks_who") else words - {part for name in names for part in name.split()}


def asks_about(predicate: str, words: frozenset[str]) -> bool:
    """Tell whether a query of such words asks about a predicate; about a property where it names it.

    >>> asks_about("lives_in", words_of_predicates("my sister's city")), asks_about("has_rent", frozenset({"rent"}))
    (True, True)
    """
    if predicate.startswith(_PROPERTY):
        return bool(words & set(predicate.removeprefix(_PROPERTY).split("_")))
    return predicate in _RULES.words("predicates") and bool(words & _RULES.words(predicate))


def predicates_asked(words: frozenset[str]) -> list[str]:
    """List the predicates that a query of such words asks about, properties it names included."""
    named = [f"{_PROPERTY}{word}" for word in words if word.isalpha()]
    return sorted([*(predicate for predicate in _RULES.words("predicates") if asks_about(predicate, words)), *named])
