"""Which of an entity's relations a question asks for, by its words. Pure, and without a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from palace.patterns import rules
from palace.records.graph import SELF, Relation
from palace.text.words import WORD, content_words, fold

_HINTED_AT: dict[str, tuple[str, ...]] = {
    "where": ("lives_in", "located_in", "works_at", "studies_at", "comes_from", "visited"),
    "wo": ("lives_in", "located_in", "works_at", "studies_at", "visited"),
    "woher": ("comes_from",),
    "who": ("married_to", "partner_of", "parent_of", "child_of", "sibling_of", "friend_of", "colleague_of", "leads"),
    "wer": ("married_to", "partner_of", "parent_of", "child_of", "sibling_of", "friend_of", "colleague_of", "leads"),
}
"""What a question word speaks for, which decides nothing against a verb."""
_ASKED_BY = "where what when why how who whom which whose wo was wann warum wie wer wen wem welche"
_ASKING = frozenset(_ASKED_BY.split())
_DOING = frozenset(("do", "does", "did"))
_HELPING = _DOING | {"have", "has", "had", "hat", "habe", "haben"}
_ALSO = {"gp": ("doctor", "arzt", "hausarzt"), "doctor": ("gp",), "doc": ("doctor",)}
"""What else asks for a property."""
_OF_ME = frozenset(("i", "we", "ich", "wir"))

_NAMED, _AGAIN, _VALUE, _HINT, _OWN = 2.0, 0.5, 1.0, 0.4, 0.2


def ranked(relations: Iterable[Relation], question: str) -> tuple[Relation, ...]:
    """Put the relations that a question asks for in front, those it does not ask for left out.

    A relation is asked for by words that its predicate is asked with ("where does he live"), and by words of its object
    or its subject; "I" asks for what is so of the person before what is so of others. One with less than half of what
    the best has is left out. Of those alike the order stays as given.
    """
    relations = list(relations)
    cues = {each.predicate: _cues(each.predicate) for each in relations}
    words = _asking_words([fold(word) for word in WORD.findall(question)], [*_asked_with().values(), *cues.values()])
    meant = frozenset(content_words(question))
    scored = [(score(relation, words, meant), relation) for relation in relations]
    best = max((worth for worth, _ in scored), default=0.0)
    kept = [pair for pair in scored if pair[0] > 0 and 2 * pair[0] >= best]
    return tuple(relation for _, relation in sorted(kept, key=lambda pair: -pair[0]))


def _asking_words(words: Sequence[str], cues: Iterable[frozenset[str]]) -> frozenset[str]:
    """Return the words of a question without those that only make it one: "do" of "where do I live", "have" of
    "which battery do I have". ``cues`` are the words that predicates are asked with.
    """
    kept = list(words)
    helps = next((place for place, word in enumerate(kept) if word in _DOING), None)
    if helps is not None and (helps == 0 or kept[0] in _ASKING):
        del kept[helps]
    others = frozenset(kept) - _HELPING
    return others if any(others & each for each in cues) else frozenset(kept)


def score(relation: Relation, words: frozenset[str], meant: frozenset[str]) -> float:
    """Say how much a question's words ask for a relation; ``meant`` are those of them that say what it is about."""
    asked = words & _cues(relation.predicate)
    worth = _NAMED + _AGAIN * (len(asked) - 1) if asked else 0.0
    if any(relation.predicate in _HINTED_AT.get(word, ()) for word in words):
        worth += _HINT
    worth += _VALUE * _share(relation.object, meant)
    if worth and relation.subject == SELF and words & _OF_ME:
        worth += _OWN
    return worth + _HINT * _share(relation.subject, meant)


@cache
def _asked_with() -> Mapping[str, frozenset[str]]:
    table = rules("graph", "questions").table("asked_with")
    return {predicate: frozenset(map(fold, words.split())) for predicate, words in table.items()}


def _cues(predicate: str) -> frozenset[str]:
    if predicate in _asked_with():
        return _asked_with()[predicate] | asked_in_german(predicate)
    if predicate == "is":
        return frozenset()
    parts = [part for part in predicate.removeprefix("has_").split("_") if part]
    parts += [other for part in parts for other in _ALSO.get(part, ())]
    return frozenset(fold(part) for part in parts) | asked_in_german(predicate)


def _share(name: str, meant: frozenset[str]) -> float:
    of_name = frozenset(content_words(name))
    return len(of_name & meant) / len(of_name) if of_name else 0.0


@cache
def asked_in_german(predicate: str) -> frozenset[str]:
    """List the words, folded, that ask for a predicate in German; none where it is not asked for so."""
    asked = rules("claims", "asked_in_german")
    found = asked.table("words").get(predicate, "").split()
    if predicate.startswith("has_"):
        found += asked.table("nouns").get(predicate.removeprefix("has_").replace("_", " "), "").split()
    return frozenset(found)
