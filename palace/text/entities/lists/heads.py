"""Words within a name that tell what it names: "Road", "University", "Festival", "GmbH", the endings of medicines."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from palace.patterns import rules
from palace.records.graph import EntityType

_RULES = rules("names", "heads")


@cache
def heads(which: str = "last") -> Mapping[str, EntityType]:
    """Return the last words of names, or the "first", in lower case, with what such a name names."""
    return {word: EntityType(kind) for kind, words in _RULES.table(which).items() for word in words.split()}


def kind_by_words(words: list[str]) -> EntityType | None:
    """Tell from the words of a name, in lower case, what it names; None where they do not say it."""
    if len(words) > 1:
        for word, table in ((words[-1], heads()), (words[0], heads("first"))):
            if word in table:
                return table[word]
        if words[-1] in ("brothers", "boys", "girls"):
            return EntityType.ORGANISATION
        for joint in ("of", "for"):
            if joint in words[1:-1] and (kind := heads().get(words[words.index(joint) - 1])):
                return kind
    if found := _RULES["german_ends"].fullmatch(words[-1]):
        return EntityType(str(found.lastgroup))
    if len(words) == 1 and is_medicine(words[0]):
        return EntityType.ITEM
    return None


def is_medicine(word: str) -> bool:
    """Tell whether a word in lower case ends as the international names of medicines do."""
    if word in _RULES.words("medicines"):
        return True
    is_long = len(word) > 6 and word not in _RULES.words("no_medicine")
    return is_long and _RULES["medicine"].fullmatch(word) is not None
