"""What the words around a name say that it is: "my dog Biscuit", "Kestrel, our NAS", "Biscuit is a beagle"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.patterns import late

WIDTH = 60
"""Characters before a name and behind it that are looked at."""

_OWN = r"my|our|his|her|their|mein\w{0,2}|unser\w{0,2}|sein\w{0,2}|ihr\w{0,2}"
_ARTICLE = rf"{_OWN}|your|a|an|the|one of (?:my|our)|ein\w{{0,2}}|der|die|das|den|dem"
_PHRASE = r"(?P<phrase>(?:[^\W\d_][\w'-]*[ ]){0,3}[^\W\d_][\w'-]*)"
_BEFORE = late(rf"(?:^|[^\w])(?:{_ARTICLE})\s+{_PHRASE}\s+[\"“„']?$", re.IGNORECASE)
_BEHIND = (
    late(rf"^\s+(?:is|was|ist|war)\s+(?:{_ARTICLE})\s+{_PHRASE}", re.IGNORECASE),
    late(rf"^\s*,\s*(?:{_ARTICLE})\s+{_PHRASE}", re.IGNORECASE),
    late(r"^\s+the\s+(?P<phrase>[^\W\d_][\w'-]*)", re.IGNORECASE),
)
_CALLED = late(r"\s+(?:called|named|namens)$")
_TITLE = late(r"(?:^|\W)(?:dr|doctor|doktor)\.?\s+$", re.IGNORECASE)
_TRIP = late(
    r"\b(?:(?:trip|holidays?|vacation|honeymoon|weekend|weeks?|days|nights|fortnight|month|flight|urlaub|reise|ausflug"
    r"|wochen?|wochenende|tagen?|flug)\s+(?:\w+\s+)?(?:to|in|nach|auf)"
    r"|(?:back|home|zurück)\s+(?:from|aus|von)"
    r"|(?:flew|flying|travell?ed|geflogen|gereist)\s+(?:\w+\s+)?(?:to|nach|around|through)"
    r"|nach)\s+$",
    re.IGNORECASE,
)
_NACH = late(r"^\s+(?:gefahren|geflogen|gereist)", re.IGNORECASE)
_STOP = late(
    r"\b(?:in|on|at|of|from|with|that|which|who|for|and|but|or|to|by|is|was|has|had|because|so|von|aus|mit|für|und"
    r"|aber|bei|am|im|ist|hat|war|der|die|das)\b",
    re.IGNORECASE,
)


def phrases_around(before: str, behind: str) -> Iterator[str]:
    """Give the phrases, in lower case, that say what a name between two texts is; the last word is the noun."""
    if found := _BEFORE.search(before):
        yield _CALLED.sub("", found["phrase"].casefold())
    for pattern in _BEHIND:
        if (found := pattern.search(behind)) and (phrase := _STOP.split(found["phrase"])[0].strip()):
            yield phrase.casefold()


def is_title(before: str) -> bool:
    """Tell whether a doctor's title stands before a name."""
    return bool(_TITLE.search(before))


def is_of_a_trip(before: str, behind: str) -> bool:
    """Tell whether the name of a place stands where somebody tells of going there or of having been there."""
    found = _TRIP.search(before)
    if found is None:
        return False
    return found[0].strip().casefold() != "nach" or bool(_NACH.search(behind))


def nouns_of(phrase: str) -> tuple[str, ...]:
    """Give what a phrase may be looked up as, the longest first: its last three words, two, and the last."""
    words = phrase.split()
    return tuple(" ".join(words[-size:]) for size in (3, 2, 1) if size <= len(words))
