"""The words of vocabulary.toml."""

from __future__ import annotations

import re
import tomllib
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
