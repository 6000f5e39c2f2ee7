"""The words that times are told in, as patterns on folded text, and what they count."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from palace.nlp.rules import rules
from palace.nlp.time.periods import Clock, Period
from palace.nlp.words import lowered

Words = re.Match[str]
"""An expression as it stands in folded text."""

_ONE_TO_TWELVE = "one two three four five six seven eight nine ten eleven twelve"
_TENS = "ten twenty thirty forty fifty sixty seventy eighty ninety"

COUNTS = {
    **{word: (10.0 * tens, 0.2) for tens, word in enumerate(_TENS.split(), 1)},
    **{word: (float(number), 0.15) for number, word in enumerate(_ONE_TO_TWELVE.split(), 1)},
    **{"a": (1.0, 0.15), "an": (1.0, 0.15), "half": (0.5, 0.2), "fifteen": (15.0, 0.2), "dozen": (12.0, 0.2)},
    **{"couple": (2.0, 0.35), "few": (3.0, 0.5), "several": (5.0, 0.5), "some": (4.0, 0.6)},
}
"""How many a word of quantity is, and the share of it by which people are off."""

_RULES = rules("times", "english")
COUNT, MONTH = _RULES.source("count"), _RULES.source("month")
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth "
    "twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
)
ORDINALS = _ORDINALS.split()

OPENING = frozenset(
    {"not before", "not until", "not till"}
    | {f"{no} {earlier} than" for no in ("no", "not") for earlier in ("earlier", "sooner")}
)
"""Words that shut out what lies before a time, so that the time itself is the first that is meant."""

BOUNDS = OPENING | {*("since", "until", "till", "til", "before", "after", "by", "from", "between", "around", "through")}
"""Words that open or close a stretch; before them a name of a time is meant as one."""

_SPACE = r"(?:\s{1,4})"


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern, once it is needed; each space in it stands for white space, line ends included."""
    return re.compile(pattern.replace(" ", _SPACE))


def of_times(name: str) -> re.Pattern[str]:
    """Return the pattern of a name in the data of English times."""
    return compiled(_RULES.source(name))


@dataclass(frozen=True, slots=True)
class Rule:
    """One way of telling a time."""

    kind: str
    """The kind of word without which it cannot apply."""
    expression: re.Pattern[str]
    resolve: Callable[[Words, Clock], Period | None]
    """What is meant; None, or a ValueError of the calendar (30 February), when nothing is."""
    leads: Callable[[Words, str], frozenset[str] | None]
    """The words of which one has to stand before it, for what means something else alone ("may", "march", "2021"),
    from the words and how they are written; None when it stands alone."""


fold = lowered
"""Lower case with straight apostrophes, each character at its place."""


def told(words: Words, group: str | int) -> str | None:
    """Return a group as if its words stood on one line."""
    return " ".join(words[group].split()) if words[group] else None


def count_of(words: str) -> tuple[float, float]:
    """Read a quantity: how many, and the share of it by which people are off."""
    if words[0].isdigit():
        number = float(words)
        return number, 0.2 if number >= 10 and number % 5 == 0 else 0.15
    parts = words.split()
    chosen = next((part for part in parts if part in ("half", "couple", "few", "dozen")), parts[0])
    return COUNTS[chosen]


def place_of(name: str, names: tuple[str, ...]) -> int:
    """Find which month or weekday a name or its abbreviation is, from 0."""
    return next(place for place, full in enumerate(names) if full.startswith(name[:3]))


def ordinal_of(words: str) -> int:
    """Read a day of a month: "5", "5th" or "fifth"."""
    return ORDINALS.index(words) + 1 if words in ORDINALS else int(words.rstrip("stndrh"))
