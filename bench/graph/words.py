"""Text as words and digits, names without what stands around them, and the words of vocabulary.toml."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_TABLES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("vocabulary.toml").read_text(encoding="utf-8"))


def _index(families: Mapping[str, str]) -> dict[str, str]:
    return {word: family for family, words in families.items() for word in words.split()}


def _set(table: str, name: str) -> frozenset[str]:
    return frozenset(_TABLES[table][name].split())


FORWARD = _index(_TABLES["forward"])
"""Families by predicate."""
BACKWARD = _index(_TABLES["backward"])
"""Families by predicates that are told from the other side."""
SYMMETRIC = _set("families", "symmetric")
SINGLE = _set("families", "single")
ABOUT_THINGS = _set("families", "about_things")
EVENTS = _set("families", "events")


def _patterns(table: str) -> dict[str, re.Pattern[str]]:
    return {family: re.compile(rf"\b(?:{'|'.join(cues)})\b") for family, cues in _TABLES[table].items()}


CUES = _patterns("cues")
"""What in a question speaks for a family."""
WEAK_CUES = _patterns("weak_cues")
"""What does so where nothing else in the question speaks for any."""

ARTICLES = _set("words", "articles")
TITLES = _set("words", "titles")
UNITS = _set("words", "units")
OCCASIONS = _set("words", "occasions")
"""Nouns that say no more of a place or a band than that one goes there."""
PREPOSITIONS = _set("words", "prepositions")
EMPTY = _set("words", "empty")
"""Words of predicates that say nothing."""
SELVES = frozenset(_TABLES["words"]["selves"])
MONTHS = tuple(_TABLES["words"]["months"].split())
MONATE = tuple(_TABLES["words"]["monate"].split())
"""In German."""


Tokens = tuple[str, ...]

_THOUSANDS = re.compile(r"(?<!\d)\d{1,3}(?:[.,'’\u00a0 ]\d{3})+(?!\d)")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)?|[^\W\d_]+")
_POSSESSIVE = re.compile(r"['’]s?(?!\w)")


def fold(text: str) -> str:
    """Take off case, accents and typographic apostrophes."""
    decomposed = unicodedata.normalize("NFKD", text.replace("’", "'").casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def tokens(text: str) -> Tokens:
    """List words and numbers, folded: 1,450 and 1.450 are 1450, 12,50 is 12.5, and 24V is 24 and v."""
    joined = _THOUSANDS.sub(lambda found: re.sub(r"\D", "", found[0]), fold(text))
    return tuple(_number(each) if each[0].isdigit() else each for each in _TOKEN.findall(joined))


def contains(given: Tokens, wanted: Tokens) -> bool:
    """Tell whether the wanted words stand in the given ones, side by side; no words stand in nothing."""
    size = len(wanted)
    return bool(wanted) and any(given[at : at + size] == wanted for at in range(len(given) - size + 1))


def bare(name: str) -> Tokens:
    """Give a name's words without articles and titles in front of it; all of them where nothing else is left."""
    words = tokens(_POSSESSIVE.sub(" 's", name))
    first = next((at for at, word in enumerate(words) if word not in ARTICLES | TITLES), None)
    if first is None:
        first = next((at for at, word in enumerate(words) if word not in ARTICLES), 0)
    return words[first:]


def stem(word: str) -> str:
    """Take off the ending of a plural, roughly."""
    return re.sub(r"(?<=\w\w\w)(?:e?s|e?n)$", "", word)


def _number(digits: str) -> str:
    whole, _, rest = digits.replace(",", ".").partition(".")
    rest = rest.rstrip("0")
    return f"{int(whole)}.{rest}" if rest else str(int(whole))
