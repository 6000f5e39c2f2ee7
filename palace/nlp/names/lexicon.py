"""Words and names that are known beforehand: ordinary English, given names, places, software, firms and services."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

from palace.models.claims import EntityType
from palace.nlp.rules import rules
from palace.nlp.words import STOP_WORDS

_RULES = rules("names", "words")


@cache
def english() -> frozenset[str]:
    """Read the stems of ordinary English words, in lower case."""
    return frozenset(_lines("english.txt")) | STOP_WORDS | _RULES.words("chat")


@cache
def no_names() -> frozenset[str]:
    """Return words with a capital that name nothing: languages and peoples, days, forms of address, abbreviations."""
    return _RULES.words("no_names")


@cache
def openers() -> frozenset[str]:
    """Return words that stand before a name at the beginning of a sentence and do not belong to it."""
    return _RULES.words("openers") | STOP_WORDS


@cache
def given_names() -> frozenset[str]:
    """Read given names of many countries, folded."""
    return frozenset(folded(name) for name in _lines("given-names.txt") if len(name) > 2)


@cache
def sexes() -> Mapping[str, str]:
    """Read given names, folded, that only men ("m") or only women ("f") have."""
    known: dict[str, str] = {}
    sex = ""
    for line in _lines("sexes.txt"):
        if line.startswith("["):
            sex = line.strip("[]")
        else:
            known[line] = sex
    return known


@cache
def nicknames() -> Mapping[str, frozenset[str]]:
    """Read English given names, folded, with what each is shortened to."""
    lines = (line.partition(": ") for line in _lines("nicknames.txt"))
    return {name: frozenset(short.split()) for name, _, short in lines}


@cache
def with_short_forms() -> frozenset[str]:
    """Return the names that people shorten, and what they shorten them to: "John", "Tom", "Mike", but not "Urban"."""
    return frozenset(nicknames()).union(*nicknames().values())


@cache
def places() -> frozenset[str]:
    """Read the names of countries, of some regions and of cities of more than 100,000 people, folded."""
    return frozenset(folded(name) for name in _lines("places.txt"))


@cache
def well_known() -> Mapping[str, EntityType]:
    """Read software, firms, services and medicines that many people speak of, folded, with what each is."""
    known: dict[str, EntityType] = {}
    kind = EntityType.ITEM
    for line in _lines("well-known.txt"):
        if line.startswith("["):
            kind = EntityType(line.strip("[]"))
        else:
            known.update((folded(name), kind) for name in line.split(", "))
    return known


@lru_cache(1 << 14)
def folded(name: str) -> str:
    """Return a name without case, accents and surplus spaces, with straight apostrophes."""
    plain = name.casefold().replace("’", "'")
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return plain if " " not in plain else " ".join(plain.split())


@cache
def _is_ordinary(word: str) -> bool:
    words = english()
    if word in words:
        return True
    if word in well_known():
        return False
    if "-" in word:
        return all(_is_ordinary(part) for part in word.split("-") if part)
    stems = [
        word,
        *_american(word),
        *(word.removeprefix(each) for each in _RULES.words("beginnings") if len(word) > len(each) + 2),
    ]
    return any(_stands(stem) for stem in stems)


def _american(word: str) -> list[str]:
    return [word.replace(british, instead) for british, instead in _RULES.table("british") if british in word]


def _stands(word: str) -> bool:
    words = english()
    if word in words:
        return True
    for ending, instead in _RULES.table("endings"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word.removesuffix(ending) + instead
            if stem in words or (len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in words):
                return True
    return False


def is_ordinary(word: str) -> bool:
    """Check whether a word is one of ordinary English or of chats, in whatever form; case does not count."""
    return len(word) < 30 and _is_ordinary(word.lower().replace("’", "'"))


def is_surely_given(word: str) -> bool:
    """Check whether a word in lower case is a given name and nothing else in English."""
    is_word = word.lower() in _RULES.words("also_words") or is_ordinary(word)
    return len(word) > 2 and folded(word) in given_names() and not is_word


def _lines(name: str) -> list[str]:
    text = files("palace").joinpath("data", "names", name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line]


_RULES_HEADS = rules("names", "heads")


@cache
def heads(which: str = "last") -> Mapping[str, EntityType]:
    """Return the last words of names, or the "first", in lower case, with what such a name names."""
    return {word: EntityType(kind) for kind, words in _RULES_HEADS.table(which).items() for word in words.split()}


def kind_by_words(words: list[str]) -> EntityType | None:
    """Return what a name names by its words, in lower case; None where they do not say it."""
    if len(words) > 1:
        for word, table in ((words[-1], heads()), (words[0], heads("first"))):
            if word in table:
                return table[word]
        if words[-1] in ("brothers", "boys", "girls"):
            return EntityType.ORGANISATION
        for joint in ("of", "for"):
            if joint in words[1:-1] and (kind := heads().get(words[words.index(joint) - 1])):
                return kind
    if found := _RULES_HEADS["german_ends"].fullmatch(words[-1]):
        return EntityType(str(found.lastgroup))
    if len(words) == 1 and is_medicine(words[0]):
        return EntityType.ITEM
    return None


def is_medicine(word: str) -> bool:
    """Check whether a word in lower case ends as the international names of medicines do."""
    if word in _RULES_HEADS.words("medicines"):
        return True
    is_long = len(word) > 6 and word not in _RULES_HEADS.words("no_medicine")
    return is_long and _RULES_HEADS["medicine"].fullmatch(word) is not None
