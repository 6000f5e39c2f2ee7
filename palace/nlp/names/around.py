"""What the words around a name, and the way it is written, speak for: "brand", "leash", "chez", "John Smith"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from palace.models.claims import EntityType
from palace.nlp.names.cues import cues
from palace.nlp.names.lexicon import (
    folded,
    given_names,
    is_ordinary,
    kind_by_words,
    places,
    well_known,
    with_short_forms,
)
from palace.nlp.names.page import Page
from palace.nlp.names.tracing import Traced
from palace.nlp.rules import late, rules

_HEADS = rules("names", "heads")
_ENGLISH = rules("names", "english_cues")
_NEARBY = 8
"""Words that are looked at on each side of a name."""
_WORTH = 0.3
_REACH = 24
"""Characters around a name that are looked at."""
_PART = late(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[^\W\d_]\.")


def types_around(page: Page, name: Traced) -> Iterator[tuple[EntityType, float, str]]:
    """Return what stands around a name speaks for, how much each counts, and by what kind of evidence."""
    before, behind = page.text[max(0, name.start - _REACH) : name.start], page.text[name.end : name.end + _REACH]
    for cue in cues("english", "typing", "(?i)%s"):
        if cue.type and cue.pattern.search(before):
            yield cue.type, cue.worth, "around"
    for cue in cues("english", "after", "(?i)%s"):
        if cue.type and cue.pattern.match(behind):
            yield cue.type, cue.worth, "around"
    nearby = _nearby()
    for token in (*page.tokens[max(0, name.first - _NEARBY) : name.first], *page.tokens[name.last :][:_NEARBY]):
        if kind := nearby.get(token.lower):
            yield kind, _WORTH, "nearby"
        elif token.lower in _HEADS.words("animals"):
            yield EntityType.ITEM, 2.5 * _WORTH, "animals"


@cache
def _nearby() -> Mapping[str, EntityType]:
    return {word: EntityType(kind) for kind, words in _HEADS.table("nearby").items() for word in words.split()}


def full_name_worth(text: str, start: int, end: int) -> float:
    """Return how much it speaks for a person how ``text[start:end]`` is written; 0 where it does not.

    "John Smith" is made of two words that dictionaries have, and is a person's name all the same; "the Grace Period" is
    none.
    """
    parts = text[start:end].split()
    if len(parts) not in (2, 3) or not all(map(_is_part, parts)) or not _is_given(folded(parts[0])):
        return 0.0
    key = folded(" ".join(parts))
    is_thing = kind_by_words(key.split()) is not None or key in places() or key in well_known()
    if is_thing or _ENGLISH.finds("before_thing", text[max(0, start - 12) : start]):
        return 0.0
    if not any(map(is_ordinary, parts[1:])):
        return 0.0  # The words of the name themselves say so already.
    return 2.4 if all(map(is_ordinary, parts)) else 1.4


def _is_given(word: str) -> bool:
    """Check whether a word is a given name; of ordinary words, only one that has a short form or is one."""
    return word in given_names() and (not is_ordinary(word) or word in with_short_forms())


def _is_part(word: str) -> bool:
    return _PART.fullmatch(word) is not None and word[0].isupper() and (len(word) < 3 or not word.isupper())
