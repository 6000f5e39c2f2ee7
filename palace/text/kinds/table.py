"""The kinds there are, with the words for them, the nouns and the names that are of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from palace.patterns import rules
from palace.text.claims.kinds import in_english, kin, roles, words
from palace.text.entities.lists.heads import heads
from palace.text.entities.lists.lexicon import folded, is_ordinary


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of things."""

    name: str
    """What it is called: "musical instrument"."""
    asked: tuple[tuple[str, ...], ...]
    """The words that ask for it, each as its words' stems in English; none where its name alone does."""
    german: frozenset[str]
    """German words that ask for it, in lower case."""
    stems: frozenset[str]
    """English nouns that are of it, as Postgres stems them."""


@cache
def kinds() -> tuple[Kind, ...]:
    """Read the kinds, those of the fewest nouns first."""
    nouns = dict(line.split(": ", 1) for line in _lines("nouns.txt"))
    found = []
    for line in _lines("words.txt"):
        key, name, german = (part.strip() for part in line.split(":"))
        asked = tuple(tuple(each.split()) for each in key.split("|") if each)
        stems = frozenset(nouns[key].split(", ")) if key else frozenset()
        found.append(Kind(name, asked, frozenset(german.split(", ")), stems))
    return tuple(sorted(found, key=lambda kind: len(kind.stems)))


@cache
def names_of_kinds() -> Mapping[str, tuple[str, ...]]:
    """Map names that many people know, folded, to the kinds that they are of."""
    known: dict[str, tuple[str, ...]] = {}
    for kind, names in _rows("names.txt"):
        for name in names:
            known[folded(name)] = (*known.get(folded(name), ()), kind)
    return known


@cache
def words_of_kinds() -> Mapping[str, tuple[str, ...]]:
    """Map kinds to German nouns and to names of them, in lower case; without what is a word of ordinary English."""
    found: dict[str, tuple[str, ...]] = {}
    for kind, nouns in _rows("german.txt"):
        found[kind] = (*found.get(kind, ()), *nouns)
    for kind, names in _rows("names.txt"):
        telling = (name.casefold() for name in names if not all(map(is_ordinary, name.split())))
        found[kind] = (*found.get(kind, ()), *telling)
    return found


@cache
def german_kinds() -> Mapping[str, tuple[str, ...]]:
    """Map German nouns, in lower case, to the kinds that they are of."""
    found: dict[str, tuple[str, ...]] = {}
    for kind, nouns in _rows("german.txt"):
        for noun in nouns:
            found[noun] = (*found.get(noun, ()), kind)
    return found


@cache
def general_words() -> frozenset[str]:
    """Return the words that say what something is, beside the nouns of kinds: "band", "NAS", "landlord", "museum"."""
    of_people = (*kin(), *roles())
    lists = (word for name in ("animals", "owned", "jobs", "groups", "instruments") for word in words(name))
    return frozenset((*of_people, *lists, *heads(), *(kind.name for kind in kinds()))) - rules("kinds", "around").words(
        "vague"
    )


def general_word(noun: str) -> str:
    """Return a word that says what something is in English, where it is German and known."""
    return in_english(noun)


def _rows(file: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in _lines(file):
        kind, _, listed = line.partition(": ")
        yield kind, tuple(listed.split(", "))


def _lines(file: str) -> list[str]:
    return files("palace").joinpath("data", "kinds", file).read_text(encoding="utf-8").splitlines()
