"""Words of expressions of time, as patterns on folded text, and their numeric values."""

from __future__ import annotations

import re
from functools import cache

from palace.nlp.rules import rules
from palace.nlp.words import lowered

Words = re.Match[str]
"""The match of an expression in folded text."""

_RULES = rules("times", "english")
QUANTITIES: dict[str, list[float]] = _RULES.table("quantities")
"""Map each word of quantity to its number and its relative inaccuracy."""
MONTHS = tuple(_RULES.text("months").split())
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
ORDINALS = _RULES.text("ordinals").split()

OPENING = frozenset(_RULES.table("opening"))
"""Words that begin a period with the time itself, excluding all before it: "not before"."""
BOUNDS = OPENING.union(_RULES.table("bounds"))
"""Prepositions that begin or end a period; a word behind one of them is a time."""

_SPACE = r"(?:\s{1,4})"


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile and cache a pattern, in which each space matches one to four white-space characters."""
    return re.compile(pattern.replace(" ", _SPACE))


def of_times(name: str) -> re.Pattern[str]:
    """Return the named pattern of the English times."""
    return compiled(_RULES.source(name))


fold = lowered
"""Return a text in lower case with straight apostrophes, keeping offsets."""


def group_text(words: Words, group: str | int) -> str | None:
    """Return the text of a group with each run of white space as one space; None if it did not match."""
    return " ".join(words[group].split()) if words[group] else None


def count_of(words: str) -> tuple[float, float]:
    """Parse a quantity; return its number and its relative inaccuracy."""
    if words[0].isdigit():
        number = float(words)
        return number, 0.2 if number >= 10 and number % 5 == 0 else 0.15
    parts = words.split()
    chosen = next((part for part in parts if part in ("half", "couple", "few", "dozen")), parts[0])
    number, share = QUANTITIES[chosen]
    return number, share


def place_of(name: str, names: tuple[str, ...]) -> int:
    """Return the index of a month or weekday by its name or abbreviation, from 0."""
    return next(place for place, full in enumerate(names) if full.startswith(name[:3]))


def ordinal_of(words: str) -> int:
    """Parse a day of a month: "5", "5th" or "fifth"."""
    return ORDINALS.index(words) + 1 if words in ORDINALS else int(words.rstrip("stndrh"))
