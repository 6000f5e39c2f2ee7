"""Phrases of English in which a name stands, whatever word it is: "Paris is my sister", "the server hydra is down"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.patterns import late
from palace.records.graph import EntityType
from palace.text.entities.clues import Clue
from palace.text.entities.cues import nouns
from palace.text.entities.cues.capitals import OPENERS
from palace.text.entities.lists.lexicon import folded, given_names, is_ordinary, well_known
from palace.text.entities.page import Page

_KIN = "|".join(nouns.KIN.split())
_NAMES = r"[A-Z][\w'’-]{1,40}(?:\s[A-Z][\w'’-]{1,40})?"
_RELATED = late(rf"(?<!\w)(?<!\w['’-])(?P<name>{_NAMES})\s(?:is|was)\s(?:my|his|her|our)\s(?:{_KIN})\b")
_SAYS = late(
    r"\b(?P<name>[A-Z][a-z]+)\s(?:said|says|told|texted|asked|thinks|wants|loves|hates|suggested|promised|insists)\b"
)
_CODENAME = late(
    r"\b(?:(?P<project>project)|(?:the|our|my)\s(?:server|boat|van|robot|ship))\s(?P<name>[^\W\d_]{4,20})"
    r"(?=\s*(?:[,.!?;)]|$)|\s(?:is|was|has|keeps|needs|got|ships|starts|launches|goes)\b)",
    re.IGNORECASE,
)
_STREET = late(
    r"\b(?:on|in|near|off|at)\s"
    r"(?P<name>[a-z]{3,15}\s(?:lane|street|road|avenue|gardens|square|terrace|crescent|close))\b"
)
_SWITCHED = late(r"\bfrom\s(?P<one>[^\W_][\w.+-]*)\sto\s(?P<other>[^\W\d_][\w.+-]*\w(?:\s[A-Z]\w+)?)")
_NO_CODENAMES_WRITTEN = """
manager management plan planning plans deadline team lead leads work room rack side again today tomorrow yesterday down
online offline alone instead idea ideas proposal report update updates status name setup trip ride club house show tour
well there here back home away soon later now anyway please thing stuff first only also logs data code budget
"""
_NO_CODENAMES = frozenset(_NO_CODENAMES_WRITTEN.split()) | OPENERS
_NO_STREETS_WRITTEN = """
main same busy open wrong right fast bike dirt high next side other quiet back long whole old narrow country private
public local rough town city fire off toll slow middle inside outside closed street our your their road
"""
_NO_STREETS = frozenset(_NO_STREETS_WRITTEN.split()) | OPENERS


def clues_in_phrases(page: Page) -> Iterator[Clue]:
    """Give the names that stand in such phrases."""
    text = page.text
    for found in _RELATED.finditer(text):
        if found["name"].split()[0].lower() not in OPENERS:
            yield Clue(*found.span("name"), EntityType.PERSON, 1.6)
    for found in _SAYS.finditer(text):
        if folded(found["name"]) in given_names():
            yield Clue(*found.span("name"), EntityType.PERSON, 1.2)
    for found in _SWITCHED.finditer(text):
        kind = well_known().get(folded(found["one"]))
        if kind and found["other"].lower() not in OPENERS:
            yield Clue(*found.span("one"), kind, 1.6)
            yield Clue(*found.span("other"), kind, 1.6)
    yield from _codenames(text)


def _codenames(text: str) -> Iterator[Clue]:
    """Give servers, boats, projects and streets that are called by a word."""
    for found in _CODENAME.finditer(text):
        if _may_be_codename(found["name"].lower()):
            yield Clue(*found.span("name"), EntityType.PROJECT if found["project"] else EntityType.ITEM, 1.6)
    for found in _STREET.finditer(text):
        if found["name"].split()[0] not in _NO_STREETS:
            yield Clue(*found.span("name"), EntityType.PLACE, 1.6)


def _may_be_codename(word: str) -> bool:
    return word not in _NO_CODENAMES and not (word.endswith(("s", "ed", "ing", "ly")) and is_ordinary(word))
