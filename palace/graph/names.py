"""Fold names so that spellings of the same name are equal, and find the family of a name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files

from palace.models.claims import SELF, EntityType
from palace.nlp.names.lexicon import sexes
from palace.nlp.rules import rules

_RULES = rules("graph", "names")

_BEHIND = " \t\"'“”„‚‘’«»‹›.,;:!?…()[]{}<>*_`~-–—"
_BEFORE = f"{_BEHIND}#@"
_MARKS = re.compile("[\u0300-\u036f]")
_POSSESSIVE = re.compile(r"(?<=\w)'s?$")


def fold_name(name: str) -> str:
    """Fold case, accents, surplus spaces, titles, a leading "the" and a possessive; "" where nothing is left.

    "Dr. Müller's" and "muller" become equal, "Mr Weber" and "Mrs Weber" do not.
    """
    words = _bare(name).split()
    while len(words) > 1 and (words[0] == "the" or _titled(words[0])):
        words = words[1:]
    if len(words) > 1 and (courtesy := courtesy_of(words[0].rstrip("."))):
        rest = fold_name(" ".join(words[1:])).split()
        words = [courtesy, *rest] if len(rest) == 1 else rest or words
    # A word may be abbreviated with or without a full stop: "derek h.", "St. Gallen".
    return _POSSESSIVE.sub("", " ".join(word.rstrip(".") or word for word in words))


def family_of(folded: str) -> str:
    """Return the family of a folded name: its first word, after courtesy titles and owners ("my sister").

    The names of a town in several languages are in one family, and "annas" is in that of "anna".
    """
    words = usual_name(folded).split()
    while len(words) > 1 and (courtesy_of(words[0]) or words[0] in _RULES.words("owners")):
        words = words[1:]
    first = _POSSESSIVE.sub("", words[0].rstrip(_BEHIND)) or words[0] if words else ""
    return without_genitive(first)


def without_genitive(word: str) -> str:
    """Strip an s from a folded word if it may be a genitive without an apostrophe: "annas", "lindners"."""
    return word[:-1] if len(word) > 4 and word.isalpha() and word.endswith("s") and word[-2] != "s" else word


def _bare(name: str) -> str:
    """Fold letters and spaces, and strip punctuation around a name."""
    unmarked = name.lower() if name.isascii() else _unmarked(name)
    plain = " ".join(unmarked.split()).lstrip(_BEFORE).rstrip(_BEHIND)
    return f"{plain})" if "(" in plain and ")" not in plain else plain


def _unmarked(name: str) -> str:
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name).casefold().replace("’", "'"))
    # "й" is another letter than "и"; all other combining marks are accents.
    bare = "".join(
        letter for at, letter in enumerate(decomposed) if not _MARKS.match(letter) or decomposed[at - 1 : at] == "и"
    )
    return unicodedata.normalize("NFC", bare)


def _titled(word: str) -> bool:
    return word.rstrip(".") in _RULES.words("titles")


def courtesy_of(word: str) -> str | None:
    """Return "mr" or "ms" for a folded courtesy title that shows the sex; else None.

    It is kept before a single word, because Mr and Ms Weber are two people.
    """
    return next((courtesy for courtesy in ("mr", "ms") if word in _RULES.words(courtesy)), None)


def usual_name(folded: str) -> str:
    """Return the folded English name of a town or country; any other name unchanged."""
    return _usual().get(folded, folded)


@cache
def _usual() -> Mapping[str, str]:
    lines = files("palace").joinpath("data", "graph", "towns.txt").read_text("utf-8").splitlines()
    return {name: names[0] for names in (line.split(", ") for line in lines) for name in names}


FESTIVAL = frozenset(("festival", "fest"))
"""The word for a festival, which names may include or omit."""


class Sort(StrEnum):
    """Coarse types by which entities are told apart; few texts tell a firm from a product or project."""

    PERSON = "person"
    PLACE = "place"
    THING = "thing"
    TIME = "time"


_SORTS = {EntityType.PERSON: Sort.PERSON, EntityType.PLACE: Sort.PLACE, EntityType.TIME: Sort.TIME}


def sort_of(type: EntityType) -> Sort:
    """Return the sort of a type."""
    return _SORTS.get(type, Sort.THING)


def bare_words(folded: str) -> list[str]:
    """Return the words of a name without a courtesy title and commas."""
    return [word.rstrip(",") for word in _parts(folded)[1]]


def fullness(folded: str) -> tuple[int, int, int]:
    """Rank the fullness of a name: whole words, then initials, then whether it has a courtesy title."""
    courtesy, words = _parts(folded)
    whole = sum(len(word) > 1 for word in words)
    return whole, len(words) - whole, courtesy is not None


def may_stand_for(short: str, full: str, sort: Sort) -> bool:
    """Check whether a folded name may be short for another of the same sort: "derek h" for "derek hughes".

    For a person, the first words, with initials; for a firm, the name without its legal form; for a festival, without
    that word; for a place, without the region after a comma. Never a number, a version, or a firm for its products
    ("google maps").
    """
    if short == full:
        return False
    if sort is Sort.PERSON:
        return _is_shorter_person(short, full)
    if sort is Sort.PLACE:
        return full.startswith(f"{short}, ")
    return sort is Sort.THING and _is_shorter_thing(short.split(), full.split())


def may_be_called(short: str, full: str, sort: Sort) -> bool:
    """Check whether a folded name may be short for another of its sort in the same conversation.

    For a person, the last words; for a thing, the name without its maker ("octavia" for "skoda octavia"), or initials.
    """
    words, full_words = _parts(short)[1], _parts(full)[1]
    if len(words) < len(full_words) and words == full_words[-len(words) :]:
        if sort is Sort.PERSON:
            return all(len(word) > 1 for word in words)
        return sort is Sort.THING and any(map(str.isalpha, short)) and words[-1] not in _RULES.words("tails")
    return sort is Sort.THING and len(short) > 2 and short in initials_of(full)


def initials_of(folded: str) -> frozenset[str]:
    """Return the abbreviations of a name of three words or more by first letters."""
    words = folded.split()
    telling = [word for word in words if word not in _RULES.words("small")]
    made = ("".join(word[0] for word in some) for some in (words, telling) if len(some) > 2)
    return frozenset(each for each in made if each.isalpha())


def may_be_courteous(short: str, full: str) -> bool:
    """Check whether a courtesy title fits the fuller name: "ms menon" is not "rajiv menon".

    If the fuller name has no title, its given name must be known for that sex.
    """
    courtesy, _ = _parts(short)
    other, words = _parts(full)
    if courtesy is None or courtesy == other:
        return True
    return other is None and sexes().get(words[0]) == {"mr": "m", "ms": "f"}[courtesy]


def is_version(folded: str) -> bool:
    """Check whether a name ends in a number, a version or a letter, which tells it from similar names."""
    last = folded.rsplit(maxsplit=1)[-1]
    return (len(last) == 1 and " " in folded) or any(letter.isdigit() for letter in last)


def _is_shorter_person(short: str, full: str) -> bool:
    courtesy, words = _parts(short)
    other_courtesy, full_words = _parts(full)
    if words == full_words:
        return courtesy is None and other_courtesy is not None
    if courtesy is not None and other_courtesy is not None and courtesy != other_courtesy:
        return False
    if (
        not words
        or words[0] != full_words[0]
        or len(words) > len(full_words)
        or not all(map(_is_of_letters, full_words))
    ):
        return False
    return not _RULES.words("generations") & (set(full_words) ^ set(words)) and _is_within(words[1:], full_words[1:])


def _is_shorter_thing(words: Sequence[str], full: Sequence[str]) -> bool:
    """Check whether a thing's longer name only adds a legal form, or a generic word for its kind."""
    rest = [word.rstrip(".,") for word in full[len(words) :]]
    if list(full[: len(words)]) == list(words):
        return all(word in _RULES.words("legal") for word in rest) or (
            rest[-1] in _RULES.words("generic") and all(word in _RULES.words("of_kind") for word in rest[:-1])
        )
    *name, last = words
    rest = list(full[len(name) :])
    return (
        bool(name and rest[1:])
        and list(full[: len(name)]) == name
        and {last, rest[-1]} <= FESTIVAL
        and all(word in _RULES.words("of_kind") for word in rest[:-1])
    )


def _is_within(words: Sequence[str], full: Sequence[str]) -> bool:
    """Check whether words, or their initials, occur in that order in others."""
    rest = iter(full)
    return all(any(word == other or (len(word) == 1 and other.startswith(word)) for other in rest) for word in words)


def _is_of_letters(word: str) -> bool:
    return not any(letter.isdigit() for letter in word)


def _parts(folded: str) -> tuple[str | None, list[str]]:
    words = folded.split()
    if len(words) > 1 and courtesy_of(words[0]):
        return words[0], words[1:]
    return None, words


SELF_KEY = fold_name(SELF)
"""The folded name of the palace's owner."""
TIMES = "time "
"""Prefix of the folded form of a time, which makes each time a family: "3 May" is no other name of "3 June"."""
