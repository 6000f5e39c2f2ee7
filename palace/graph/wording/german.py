"""What a relation is asked for with in German: forms of the verbs that claim it, nouns of what one has. Pure."""

from __future__ import annotations

from functools import cache

from palace.patterns import Rules

_RULES = Rules("claims", "asked_in_german.toml")


@cache
def asked_in_german(predicate: str) -> frozenset[str]:
    """List the words, folded, that ask for a predicate in German; none where it is not asked for so."""
    found = _RULES.table("words").get(predicate, "").split()
    if predicate.startswith("has_"):
        found += _RULES.table("nouns").get(predicate.removeprefix("has_").replace("_", " "), "").split()
    return frozenset(found)
