"""What the words around a name say that it is: "my dog Biscuit", "Kestrel, our NAS", "Biscuit is a beagle"."""

from __future__ import annotations

from collections.abc import Iterator

from palace.patterns import rules

_RULES = rules("kinds", "around")

WIDTH = 60
"""Characters before a name and behind it that are looked at."""


def phrases_around(before: str, behind: str) -> Iterator[str]:
    """Find the phrases, in lower case, that say what a name between two texts is; the last word is the noun."""
    if found := _RULES["before"].search(before):
        yield _RULES["called"].sub("", found["phrase"].casefold())
    for name in ("behind_is", "behind_comma", "behind_the"):
        if (found := _RULES[name].search(behind)) and (phrase := _RULES["stop"].split(found["phrase"])[0].strip()):
            yield phrase.casefold()


def is_title(before: str) -> bool:
    """Tell whether a doctor's title stands before a name."""
    return _RULES.finds("title", before)


def is_of_a_trip(before: str, behind: str) -> bool:
    """Tell whether the name of a place stands where somebody tells of going there or of having been there."""
    found = _RULES["trip"].search(before)
    if found is None:
        return False
    return found[0].strip().casefold() != "nach" or _RULES.finds("nach", behind)


def nouns_of(phrase: str) -> tuple[str, ...]:
    """Return what a phrase may be looked up as, the longest first: its last three words, two, and the last."""
    words = phrase.split()
    return tuple(" ".join(words[-size:]) for size in (3, 2, 1) if size <= len(words))
