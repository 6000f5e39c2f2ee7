"""Names in German, where every noun has a capital: by the words before them, by lists, never by the capital alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from palace.models.claims import EntityType
from palace.nlp.names.clues import Clue, Cue, cues
from palace.nlp.names.lexicon import folded, given_names, heads, places, well_known
from palace.nlp.names.page import Page, Token
from palace.nlp.rules import rules

_RULES = rules("names", "german_cues")

PERSON, PLACE, FIRM, ITEM = EntityType.PERSON, EntityType.PLACE, EntityType.ORGANISATION, EntityType.ITEM


def is_german_word(text: str) -> bool:
    """Tell whether a word is a noun of everyday or a small word that lists of names have as well."""
    return text in _RULES.words("no_names") or text.lower() in _RULES.words("small")


def is_partly_german(page: Page) -> bool:
    """Tell whether a message of another language has words of German between."""
    return sum(token.lower in _RULES.words("function_words") for token in page.tokens) > 2


def clues_by_german_words(page: Page) -> Iterator[Clue]:
    """Find the names that stand behind words of German."""
    for cue in cues(_RULES, "behind"):
        for found in cue.pattern.finditer(page.text):
            yield from _cut(found, cue)
    for before, town in pairwise(page.tokens):
        if before.lower in ("in", "nach", "aus", "ab", "von") and town.is_capital and town.lower in places():
            yield Clue(town.start, town.end, PLACE, 1.5)


def clues_in_german(page: Page) -> Iterator[Clue]:
    """Find the names that words of German point to, and those that are told by their shape."""
    yield from clues_by_german_words(page)
    if page.is_lower:
        yield from clues_in_lower_german(page)
    yield from _by_shape(page)
    yield from _full_names(page)
    yield from _doers(page)
    yield from _compounds(page.text)


def _cut(found: re.Match[str], cue: Cue) -> Iterator[Clue]:
    """End a name before a noun that is none."""
    words, kept = found["name"].split(" "), 0
    while kept < min(len(words), cue.most) and words[kept].rstrip(".-") not in _RULES.words("no_names") | _RULES.words(
        "titles"
    ):
        kept += 1
    if kept:
        name = " ".join(words[:kept]).rstrip("-.&")
        yield Clue(found.start("name"), found.start("name") + len(name), cue.type, cue.worth)


def _by_shape(page: Page) -> Iterator[Clue]:
    """Find abbreviations, streets, and firms of two partners."""
    text = page.text
    for name in () if page.is_shouted else ("acronym", "short_acronym"):
        for found in _RULES[name].finditer(text):
            if found["name"] not in _RULES.words("no_acronym"):
                led = _RULES["before_acronym"].search(text, max(0, found.start() - 12), found.start())
                yield Clue(*found.span("name"), FIRM, 1.0 if led or name == "short_acronym" else 0.8)
    for found in _RULES["street"].finditer(text):
        if found["name"].lower() not in _RULES.words("no_streets"):
            yield Clue(*found.span("name"), PLACE, 1.0)
    for found in _RULES["firm_pair"].finditer(text):
        yield Clue(*found.span("name"), FIRM, 0.9)


def _doers(page: Page) -> Iterator[Clue]:
    """Find the given names that begin a sentence, where what is behind them is said of somebody."""
    for found in _RULES["doing"].finditer(page.text):
        is_given = folded(found["name"]) in given_names() and folded(found["name"]) not in places()
        if (
            is_given
            and found["name"] not in _RULES.words("no_names")
            and found["name"].lower() not in _RULES.words("small")
        ):
            yield Clue(*found.span("name"), PERSON, 1.0)


def _full_names(page: Page) -> Iterator[Clue]:
    """Find what is made of a given name and another word with a capital, where neither begins a sentence."""
    for first, last in pairwise(page.tokens):
        is_pair = last.is_capital and not last.begins and last.start == first.end + 1 and not last.text.isupper()
        if is_pair and first.is_capital and first.lower in given_names() and _may_follow(page, first, last):
            yield Clue(first.start, last.end, PERSON, 1.0 if not first.begins else 0.8)


def _may_follow(page: Page, first: Token, last: Token) -> bool:
    """Tell whether a word may be a family name: no noun of everyday, and no job behind a town ("in Kiel Pastorin")."""
    led = page.text[max(0, first.start - 5) : first.start].lower().split()
    is_town = bool(led) and led[-1] in ("in", "nach", "aus", "bei") and first.lower in places()
    return last.text not in _RULES.words("no_names") and not is_town


def clues_in_lower_german(page: Page) -> Iterator[Clue]:
    """Find the names that words of German point to where no capitals are written."""
    for found in _RULES["lower_kin"].finditer(page.text):
        if folded(found["name"]) in given_names() and found["name"] not in _RULES.words("no_lower"):
            yield Clue(*found.span("name"), PERSON, 2.2)
    for found in _RULES["lower_pet"].finditer(page.text):
        is_given = folded(found["name"]) in given_names()
        is_subject = found["verb"] and not _RULES["dependent"].search(
            page.text, max(0, found.start() - 60), found.start()
        )
        if (is_given or found["called"] not in (None, ",") or is_subject) and found["name"] not in _RULES.words(
            "no_lower"
        ):
            yield Clue(*found.span("name"), ITEM, 2.4)
    for found in _RULES["lower_titled"].finditer(page.text):
        if found["name"] not in _RULES.words("no_lower") and not found["name"].endswith(("in", "ung")):
            yield Clue(*found.span("name"), PERSON, 1.1)
    for before, town in pairwise(page.tokens):
        is_town = town.lower in places() and town.lower not in _RULES.words("no_lower")
        if before.lower in ("in", "nach", "aus", "ab", "von") and is_town:
            yield Clue(town.start, town.end, PLACE, 1.5)


def _compounds(text: str) -> Iterator[Clue]:
    """Find what is named with an adjective ("Kölner Philharmonie") or a hyphen ("Siemens-Ofen")."""
    for found in _RULES["adjective"].finditer(text):
        if found["name"].split()[0].lower() not in _RULES.words("no_adjectives"):
            yield Clue(
                *found.span("name"), PLACE if found["head"].lower() in _RULES.words("place_heads") else FIRM, 1.2
            )
    for found in _RULES["compound"].finditer(text):
        if folded(found["first"]) in well_known():
            yield Clue(*found.span("name"), ITEM, 2.5)
        elif kind := heads().get(found["last"].lower()):
            yield Clue(*found.span("name"), kind, 1.0)
