"""What a relation is asked for with in German: forms of the verbs that claim it, nouns of what one has. Pure."""

from __future__ import annotations

from functools import cache

from palace.patterns import rules
from palace.text.claims.german.lexicon import nouns_of, verb_forms
from palace.text.words import fold

_RULES = rules("graph", "german")


@cache
def asked_in_german(predicate: str) -> frozenset[str]:
    """List the words, folded, that ask for a predicate in German; none where it is not asked for so."""
    verbs = _RULES.table("verbs").get(predicate, "").split()
    found = {*verb_forms(verbs), *_RULES.table("nouns").get(predicate, "").split()}
    if predicate.startswith("has_"):
        found |= nouns_of(predicate.removeprefix("has_"))
    return frozenset(fold(word) for word in found)
