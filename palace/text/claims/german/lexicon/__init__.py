"""The words that German claims are read by: verbs and what they claim, nouns and what they are of, small words."""

from __future__ import annotations

from collections.abc import Iterable

from palace.text.claims.german.grammar.verbs import forms
from palace.text.claims.german.lexicon.nouns import german_nouns

__all__ = ["nouns_of", "verb_forms"]


def verb_forms(verbs: Iterable[str]) -> frozenset[str]:
    """List all forms of some German verbs."""
    wanted = frozenset(verbs)
    return frozenset(word for word, known in forms().items() if any(form.verb in wanted for form in known))


def nouns_of(noun: str) -> frozenset[str]:
    """List the German nouns of what a predicate names in English: of "dentist", "zahnarzt" and "zahnärztin"."""
    return german_nouns(noun.replace("_", " "))
