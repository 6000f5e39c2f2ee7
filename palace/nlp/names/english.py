"""English words that say that a name follows or went before, and what it names; capitals may be missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from palace.models.claims import EntityType
from palace.nlp.names.clues import Clue, cues
from palace.nlp.names.cut import cut_name, cut_place, is_surely_given
from palace.nlp.names.lexicon import folded, given_names, is_ordinary, no_names, openers, well_known
from palace.nlp.names.page import Page
from palace.nlp.rules import rules

_RULES = rules("names", "english_cues")
PERSON, PLACE, FIRM = EntityType.PERSON, EntityType.PLACE, EntityType.ORGANISATION
ITEM, PROJECT = EntityType.ITEM, EntityType.PROJECT
_LOWER = {"with_i": 1.7, "lower_says": 1.6, "everyone_says": 1.7, "lower_asked": 1.0}
"""Patterns of who does what people do, where a writer uses no capitals, with what they are worth."""


def clues_by_cues(page: Page) -> Iterator[Clue]:
    """Iterate over the names that words of English point to, with capitals or without."""
    text = page.text
    for cue in cues(_RULES, "before", rf"(?i)(?:%s)(?=(?P<name>{_RULES.source('name')}))"):
        for found in cue.pattern.finditer(text):
            name = cut_name(text, *found.span("name"), ordinary=cue.ordinary and page.is_lower, lower=page.is_lower)
            if name is None and cue.type is PLACE and cue.worth >= 1.0:
                name = cut_place(text, *found.span("name"))
            if name:
                yield Clue(*name, cue.type, cue.worth, is_typing_only=cue.worth < 0.8)
    yield from _pets(page)
    yield from _in_phrases(text)
    yield from _beside(page)
    for found in _RULES["self"].finditer(text):
        if name := cut_name(text, *found.span("name")):
            yield Clue(*name, PERSON, 1.0)
    for found in _RULES["handle"].finditer(text):
        yield Clue(*found.span("name"), PERSON, 1.2)


def types_around(text: str, start: int, end: int) -> Iterator[tuple[EntityType, float]]:
    """Say what the words around a name speak for: ``text[start:end]``, with how much each counts."""
    before, behind = text[max(0, start - 24) : start], text[end : end + 24]
    yield from ((cue.type, cue.worth) for cue in cues(_RULES, "typing", "(?i)%s") if cue.pattern.search(before))
    yield from ((cue.type, cue.worth) for cue in cues(_RULES, "after", "(?i)%s") if cue.pattern.match(behind))


def _pets(page: Page) -> Iterator[Clue]:
    """Find "my dog bramble" and "her name is waffles", which may be any word."""
    for found in _RULES["pet"].finditer(page.text):
        word = found["name"].lower()
        is_verb = _is_inflected(word) and folded(word) not in given_names()
        if word not in _RULES.words("pet_words") and not is_verb:
            yield Clue(*found.span("name"), ITEM, 2.0)
    for found in _RULES["she"].finditer(page.text):
        is_animal = bool(_RULES["animal"].search(page.text, max(0, found.start() - 60), found.start()))
        is_lower = page.is_lower
        name = cut_name(page.text, *found.span("name"), ordinary=is_animal and is_lower, lower=is_lower, most=1)
        if name:
            yield Clue(*name, ITEM if is_animal else PERSON, 1.8)


def _in_phrases(text: str) -> Iterator[Clue]:
    """Find names in phrases where any word is one: "Paris is my sister", "the server hydra is down"."""
    for found in _RULES["related"].finditer(text):
        if found["name"].split()[0].lower() not in openers():
            yield Clue(*found.span("name"), PERSON, 1.6)
    for found in _RULES["says"].finditer(text):
        if folded(found["name"]) in given_names():
            yield Clue(*found.span("name"), PERSON, 1.2)
    for found in _RULES["switched"].finditer(text):
        kind = well_known().get(folded(found["one"]))
        if kind and found["other"].lower() not in openers():
            yield Clue(*found.span("one"), kind, 1.6)
            yield Clue(*found.span("other"), kind, 1.6)
    yield from _codenames(text)


def _codenames(text: str) -> Iterator[Clue]:
    """Find servers, boats, projects and streets that are called by a word."""
    for found in _RULES["codename"].finditer(text):
        word = found["name"].lower()
        is_ended = word.endswith("ly") and is_ordinary(word)
        if not _is_any("no_codenames", word) and not is_ended and not _is_inflected(word):
            yield Clue(*found.span("name"), PROJECT if found["project"] else ITEM, 1.6)
    for found in _RULES["street"].finditer(text):
        if not _is_any("no_streets", found["name"].split()[0]):
            yield Clue(*found.span("name"), PLACE, 1.6)


def _beside(page: Page) -> Iterator[Clue]:
    """Find names beside what says what they name: "the boat, the Heron", "biscuit, my dog", "whom she calls Fly"."""
    text = page.text
    for cue in cues(_RULES, "beside"):
        for found in cue.pattern.finditer(text):
            first = found["name"].split()[0].lower()
            if not _is_any("not_numbered", first) and first not in no_names():
                yield Clue(*found.span("name"), cue.type, cue.worth)
    for found in _RULES["one_of"].finditer(text):
        yield Clue(*found.span("name"), ITEM, 1.2, is_typing_only=True)
    yield from _animals(text)
    if page.is_lower:
        yield from _in_lower_case(text)


def _animals(text: str) -> Iterator[Clue]:
    for found in _RULES["calls"].finditer(text):
        if found["name"][0].isupper() and found["name"].lower() not in openers():
            is_animal = _RULES["animals"].search(text, max(0, found.start() - 120), found.start())
            yield Clue(*found.span("name"), ITEM if is_animal else None, 2.0 if is_animal else 1.0)
    for found in _RULES["several"].finditer(text):
        for name in _RULES["cap"].finditer(text, *found.span("names")):
            yield Clue(*name.span(), ITEM, 2.5)
    for found in _RULES["it_is"].finditer(text):
        yield Clue(*found.span("name"), ITEM, 2.0)
    for found in _RULES["owned"].finditer(text):
        word = found["name"].lower()
        if word not in openers() and not _is_inflected(word):
            yield Clue(*found.span("name"), ITEM, 2.0)


def _in_lower_case(text: str) -> Iterator[Clue]:
    """Find the names of a writer who uses no capitals: people who do what people do, bands and streets."""
    for name, worth in _LOWER.items():
        for found in _RULES[name].finditer(text):
            group = next(group for group, value in found.groupdict().items() if value)
            if _may_be_person(found[group]):
                yield Clue(*found.span(group), PERSON, worth)
    for found in _RULES["lower_band"].finditer(text):
        yield Clue(*found.span("name"), FIRM, 2.0)
    for found in _RULES["lower_street"].finditer(text):
        if not is_ordinary(found["name"].split()[0]):
            yield Clue(*found.span("name"), PLACE, 1.6)


def _may_be_person(word: str) -> bool:
    lower = word.lower()
    if lower in openers() or lower in no_names() or _kin().fullmatch(lower):
        return False
    is_short = len(word) < 5 and folded(word) in given_names() and lower in rules("names", "words").words("short_names")
    return is_surely_given(word) or not is_ordinary(lower) or is_short


@cache
def _kin() -> re.Pattern[str]:
    return re.compile(_RULES.source("kin"))


def _is_any(name: str, word: str) -> bool:
    return word in _RULES.words(name) or word in openers()


def _is_inflected(word: str) -> bool:
    return word.endswith(("s", "ed", "ing")) and is_ordinary(word)


_RULES_NOUNS = rules("names", "english_cues")
TABLE: tuple[tuple[str, EntityType], ...] = tuple(
    (_RULES_NOUNS.source(name), kind)
    for name, kind in (
        ("kin", EntityType.PERSON),
        ("pets", EntityType.ITEM),
        ("things", EntityType.ITEM),
        ("places", EntityType.PLACE),
        ("firms", EntityType.ORGANISATION),
        ("events", EntityType.EVENT),
        ("projects", EntityType.PROJECT),
    )
)
"""Patterns of nouns, each with what is named behind them."""
