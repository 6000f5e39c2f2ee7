"""Which of WordNet's nouns are of which kinds. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from bench.kinds.wordnet import WordNet

_STOP_WRITTEN = """
saw bit felt left ground bore lay wound found lead well will may can set key organ time second back top post sound
man woman boy girl thing part one it he i no do go as in at a an be am is was who us so or ha re mi fa la ti sol tee
ten eye head hand face pass run walk work play read look rest hold cut drop round square right trade spring fall
march march's general major minor date page case cover kind sort make have need number order place point present
record regular school state story term test title trial turn type use view volume way word
"""
_STOP = frozenset(_STOP_WRITTEN.split())
"""Words that say a noun of a kind too seldom."""
_WORD = re.compile(r"[a-z'\-_]+")


class Cut(NamedTuple):
    """A kind with its nouns."""

    names: tuple[str, ...]
    """The words that ask for it."""
    nouns: tuple[str, ...]
    """In lower case, in order of the alphabet."""


def cut(line: str, wordnet: WordNet) -> Cut:
    """Cut one kind: "boat|ship: vessel#2" has every noun below the second meaning of "vessel"."""
    names, _, senses = line.partition(": ")
    inside: set[str] = set()
    for sense in senses.split():
        inside |= wordnet.all_below(wordnet.meaning(sense))
    own = {name.replace(" ", "_") for name in names.split("|")}
    words = {word for meaning in inside for word in wordnet.lemmas[meaning]} - own
    kept = sorted(word for word in words if _is_kept(word, inside, wordnet))
    return Cut(tuple(names.split("|")), tuple(word.replace("_", " ") for word in kept))


def _is_kept(word: str, inside: Collection[str], wordnet: WordNet) -> bool:
    """Tell whether a word mostly means one of some meanings, and no verb."""
    if word in _STOP or len(word) < 3 or not _WORD.fullmatch(word) or word.count("_") > 2:
        return False
    meanings = wordnet.meanings.get(word, [])
    within = sum(wordnet.counted[word, each] for each in meanings if each in inside)
    without = sum(wordnet.counted[word, each] for each in meanings if each not in inside)
    if wordnet.verbs[word] > 3 * max(within, 1) + 2:
        return False
    return bool(meanings and meanings[0] in inside) or within >= without
