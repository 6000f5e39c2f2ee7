"""Nouns by which people go who belong to somebody: which are the same, and which can be one's only. Pure."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from palace.patterns import rules
from palace.text.claims.kinds import in_english, kin, roles, words

_RULES = rules("graph", "names")


class Noun(NamedTuple):
    """A noun as it is told from others."""

    owner: str
    """"" of the speaker's and of nobody's in particular, else a folded name."""
    noun: str
    """In English, one word for all that mean the same."""


def noun_of(folded: str) -> Noun:
    """Read a folded noun: "my mum" and "meine mutter" are one, "tom's mother" and "my older sister" are others."""
    owner, _, rest = folded.rpartition("'s ")
    said = rest.split()
    while len(said) > 1 and said[0] in _RULES.words("own"):
        said = said[1:]
    return Noun(owner, " ".join((*said[:-1], usual_noun(said[-1])))) if said else Noun(owner, folded)


def usual_noun(word: str) -> str:
    """Give the one English word for a folded noun of kin, a role, an animal or what is owned; others as they are."""
    return _usual().get(word, word)


def is_of_one(noun: str) -> bool:
    """Tell whether somebody has one of a kind at a time, so that it is the same in all that they say."""
    last = _last(noun)
    if last in _RULES.words("several"):
        return False
    return is_known(noun)


def is_kin(noun: str) -> bool:
    """Tell whether a noun says of what kin, or whose friend or colleague, somebody is."""
    return _last(noun) in _relatives()


def is_known(noun: str) -> bool:
    """Tell whether a noun is one of kin, a role, an animal or what is owned."""
    last = _last(noun)
    return last in _kin() or last in words("animals") or last in words("owned") or last in _RULES.words("more")


def _last(noun: str) -> str:
    return noun.rpartition(" ")[2]


@cache
def _kin() -> frozenset[str]:
    return frozenset(usual_noun(_plain(noun)) for noun in (*kin(), *roles()))


@cache
def _relatives() -> frozenset[str]:
    return frozenset(usual_noun(_plain(noun)) for noun in kin())


@cache
def _usual() -> dict[str, str]:
    same = {word: noun for noun, written in _RULES.table("same").items() for word in written.split()}
    german = {_plain(noun): in_english(noun) for noun in (*kin(), *roles(), *words("animals"), *words("owned"))}
    return {word: same.get(noun, noun) for word, noun in german.items()} | same


def _plain(word: str) -> str:
    """Fold the letters that names are folded by."""
    return word.translate(_PLAIN)


_PLAIN = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "é": "e", "ß": "ss"})
