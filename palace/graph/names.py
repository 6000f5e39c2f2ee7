"""Names without what differs between two spellings of one, and the family that a name belongs to."""

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

    "Dr. Müller's" and "muller" are one, "Mr Weber" and "Mrs Weber" two.
    """
    words = _bare(name).split()
    while len(words) > 1 and (words[0] == "the" or _titled(words[0])):
        words = words[1:]
    if len(words) > 1 and (courtesy := courtesy_of(words[0].rstrip("."))):
        rest = fold_name(" ".join(words[1:])).split()
        words = [courtesy, *rest] if len(rest) == 1 else rest or words
    # A word may be shortened with a full stop as well as without: "derek h.", "St. Gallen".
    return _POSSESSIVE.sub("", " ".join(word.rstrip(".") or word for word in words))


def family_of(folded: str) -> str:
    """Return which family a folded name belongs to: its first word, courtesies and owners ("my sister") off.

    The names that languages have for one town are of one family, and "annas" may be of Anna's.
    """
    words = usual_name(folded).split()
    while len(words) > 1 and (courtesy_of(words[0]) or words[0] in _RULES.words("owners")):
        words = words[1:]
    first = _POSSESSIVE.sub("", words[0].rstrip(_BEHIND)) or words[0] if words else ""
    return without_genitive(first)


def without_genitive(word: str) -> str:
    """Take an s off a folded word of one's own that may be a genitive without an apostrophe: "annas", "lindners"."""
    return word[:-1] if len(word) > 4 and word.isalpha() and word.endswith("s") and word[-2] != "s" else word


def _bare(name: str) -> str:
    """Fold letters and spaces, and take off what stands around a name."""
    unmarked = name.lower() if name.isascii() else _unmarked(name)
    plain = " ".join(unmarked.split()).lstrip(_BEFORE).rstrip(_BEHIND)
    return f"{plain})" if "(" in plain and ")" not in plain else plain


def _unmarked(name: str) -> str:
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name).casefold().replace("’", "'"))
    # The breve makes another letter of и, and what marks letters elsewhere is no accent.
    bare = "".join(
        letter for at, letter in enumerate(decomposed) if not _MARKS.match(letter) or decomposed[at - 1 : at] == "и"
    )
    return unicodedata.normalize("NFC", bare)


def _titled(word: str) -> bool:
    return word.rstrip(".") in _RULES.words("titles")


def courtesy_of(word: str) -> str | None:
    """Return "mr" or "ms" for a folded title that tells a man from a woman, before one word alone; else None.

    Mr and Ms Weber are two, so that it is kept.
    """
    return next((courtesy for courtesy in ("mr", "ms") if word in _RULES.words(courtesy)), None)


def usual_name(folded: str) -> str:
    """Return the English name of a town or a country, folded; any other name as it is."""
    return _usual().get(folded, folded)


@cache
def _usual() -> Mapping[str, str]:
    lines = files("palace").joinpath("data", "graph", "towns.txt").read_text("utf-8").splitlines()
    return {name: names[0] for names in (line.split(", ") for line in lines) for name in names}


FESTIVAL = frozenset(("festival", "fest"))
"""One word, as names have it in full or not."""


class Sort(StrEnum):
    """What types are told apart by: whether something is a firm, a product or a project, few texts make clear."""

    PERSON = "person"
    PLACE = "place"
    THING = "thing"
    TIME = "time"


_SORTS = {EntityType.PERSON: Sort.PERSON, EntityType.PLACE: Sort.PLACE, EntityType.TIME: Sort.TIME}


def sort_of(type: EntityType) -> Sort:
    """Return the sort of a type."""
    return _SORTS.get(type, Sort.THING)


def bare_words(folded: str) -> list[str]:
    """List the words of a name but a courtesy, without commas."""
    return [word.rstrip(",") for word in _parts(folded)[1]]


def fullness(folded: str) -> tuple[int, int, int]:
    """Rank how full a name is: whole words, then initials, then whether a courtesy is before it."""
    courtesy, words = _parts(folded)
    whole = sum(len(word) > 1 for word in words)
    return whole, len(words) - whole, courtesy is not None


def may_stand_for(short: str, full: str, sort: Sort) -> bool:
    """Check whether a name of one sort, folded, may be short for another: "derek h" for "derek hughes".

    A person's first words, with initials; a firm without its legal form, a festival without that word; a place without
    what it lies in, behind a comma. Never a number, a version or a name that goes on otherwise ("google maps").
    """
    if short == full:
        return False
    if sort is Sort.PERSON:
        return _is_shorter_person(short, full)
    if sort is Sort.PLACE:
        return full.startswith(f"{short}, ")
    return sort is Sort.THING and _is_shorter_thing(short.split(), full.split())


def may_be_called(short: str, full: str, sort: Sort) -> bool:
    """Check whether a name, folded, may be short for another of its sort that is in the same conversation.

    A person's last words; those of a thing without its maker ("octavia" for "skoda octavia"); its initials.
    """
    words, full_words = _parts(short)[1], _parts(full)[1]
    if len(words) < len(full_words) and words == full_words[-len(words) :]:
        if sort is Sort.PERSON:
            return all(len(word) > 1 for word in words)
        return sort is Sort.THING and any(map(str.isalpha, short)) and words[-1] not in _RULES.words("tails")
    return sort is Sort.THING and len(short) > 2 and short in initials_of(full)


def initials_of(folded: str) -> frozenset[str]:
    """List what a name of three words or more is shortened to, by its first letters."""
    words = folded.split()
    telling = [word for word in words if word not in _RULES.words("small")]
    made = ("".join(word[0] for word in some) for some in (words, telling) if len(some) > 2)
    return frozenset(each for each in made if each.isalpha())


def may_be_courteous(short: str, full: str) -> bool:
    """Check whether a courtesy, if a short name has one, fits whom a fuller one names: "ms menon" is no "rajiv menon".

    It does where the given name is known for one of that sex.
    """
    courtesy, _ = _parts(short)
    other, words = _parts(full)
    if courtesy is None or courtesy == other:
        return True
    return other is None and sexes().get(words[0]) == {"mr": "m", "ms": "f"}[courtesy]


def is_version(folded: str) -> bool:
    """Check whether a name ends in what tells it from others of its name: a number, a version, a letter."""
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
    """Check whether a thing's name goes on with a legal form, or with what kind of a thing it is."""
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
    """Check whether words, or initials of them, stand in that order in others."""
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
"""What the person whose palace it is goes by, folded."""
TIMES = "time "
"""Times are a family each: "3 May" is no other name of "3 June"."""
