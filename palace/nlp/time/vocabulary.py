"""The words that times are told in, as patterns on folded text, and what they count."""

from __future__ import annotations

import re
from functools import cache

from palace.nlp.rules import rules
from palace.nlp.words import lowered

Words = re.Match[str]
"""An expression as it stands in folded text."""

_RULES = rules("times", "english")
QUANTITIES: dict[str, list[float]] = _RULES.table("quantities")
"""How many a word of quantity is, and the share of it by which people are off."""
MONTHS = tuple(_RULES.text("months").split())
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
ORDINALS = _RULES.text("ordinals").split()

OPENING = frozenset(_RULES.table("opening"))
"""Words that shut out what lies before a time, so that the time itself is the first that is meant."""
BOUNDS = OPENING.union(_RULES.table("bounds"))
"""Words that open or close a stretch; before them a name of a time is meant as one."""

_SPACE = r"(?:\s{1,4})"


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern, once it is needed; each space in it stands for white space, line ends included."""
    return re.compile(pattern.replace(" ", _SPACE))


def of_times(name: str) -> re.Pattern[str]:
    """Return the pattern of a name in the data of English times."""
    return compiled(_RULES.source(name))


fold = lowered
"""Lower case with straight apostrophes, each character at its place."""


def group_text(words: Words, group: str | int) -> str | None:
    """Return a group as if its words stood on one line."""
    return " ".join(words[group].split()) if words[group] else None


def count_of(words: str) -> tuple[float, float]:
    """Read a quantity: how many, and the share of it by which people are off."""
    if words[0].isdigit():
        number = float(words)
        return number, 0.2 if number >= 10 and number % 5 == 0 else 0.15
    parts = words.split()
    chosen = next((part for part in parts if part in ("half", "couple", "few", "dozen")), parts[0])
    number, share = QUANTITIES[chosen]
    return number, share


def place_of(name: str, names: tuple[str, ...]) -> int:
    """Find which month or weekday a name or its abbreviation is, from 0."""
    return next(place for place, full in enumerate(names) if full.startswith(name[:3]))


def ordinal_of(words: str) -> int:
    """Read a day of a month: "5", "5th" or "fifth"."""
    return ORDINALS.index(words) + 1 if words in ORDINALS else int(words.rstrip("stndrh"))
