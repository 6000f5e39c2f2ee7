"""Names without what differs between two spellings of one, and the family that a name belongs to."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from palace.patterns import rules

_RULES = rules("graph", "names")

COURTESIES = {"mr": "mr", "ms": "ms"} | dict.fromkeys(
    ("mister", "herr", "herrn", "hr", "monsieur", "senor", "signor", "meneer", "dhr"), "mr"
)
COURTESIES |= dict.fromkeys(
    ("mrs", "miss", "frau", "fr", "madame", "mme", "mlle", "senora", "signora", "mevrouw", "mevr"), "ms"
)
"""Titles that tell a man from a woman, folded. They are kept before one word alone: Mr and Ms Weber are two."""
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
    if len(words) > 1 and (courtesy := _courtesy(words[0])):
        rest = fold_name(" ".join(words[1:])).split()
        words = [courtesy, *rest] if len(rest) == 1 else rest or words
    # A word may be shortened with a full stop as well as without: "derek h.", "St. Gallen".
    return _POSSESSIVE.sub("", " ".join(word.rstrip(".") or word for word in words))


def family_of(folded: str) -> str:
    """Tell which family a folded name belongs to: its first word, courtesies and owners ("my sister") off.

    The names that languages have for one town are of one family, and "annas" may be of Anna's.
    """
    words = usual_name(folded).split()
    while len(words) > 1 and (words[0] in COURTESIES or words[0] in _RULES.words("owners")):
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


def _courtesy(word: str) -> str | None:
    return COURTESIES.get(word.rstrip("."))


def usual_name(folded: str) -> str:
    """Return the English name of a town or a country, folded; any other name as it is."""
    return _usual().get(folded, folded)


@cache
def _usual() -> Mapping[str, str]:
    lines = files("palace").joinpath("data", "graph", "towns.txt").read_text("utf-8").splitlines()
    return {name: names[0] for names in (line.split(", ") for line in lines) for name in names}
