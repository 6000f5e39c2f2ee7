"""Nouns for people and things of somebody: which are synonyms, and which a person has only one of. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from palace.nlp.claims.kinds import in_english, kin, roles, words
from palace.nlp.names.lexicon import nicknames
from palace.nlp.rules import rules

_RULES = rules("graph", "names")


class Noun(NamedTuple):
    """A noun with its owner, equal for synonyms."""

    owner: str
    """"" for the speaker's or nobody's, else a folded name."""
    noun: str
    """One English word for all synonyms."""


def noun_of(folded: str) -> Noun:
    """Parse a folded noun: "my mum" equals "meine mutter", but not "tom's mother" or "my older sister"."""
    owner, _, rest = folded.rpartition("'s ")
    said = rest.split()
    while len(said) > 1 and said[0] in _RULES.words("own"):
        said = said[1:]
    return Noun(owner, " ".join((*said[:-1], usual_noun(said[-1])))) if said else Noun(owner, folded)


def usual_noun(word: str) -> str:
    """Return one English word for a folded noun of kinship, role, animal or possession; other words unchanged."""
    return _usual().get(word, word)


def is_of_one(noun: str) -> bool:
    """Check whether a person has only one of a kind at a time, so that the noun means the same in all conversations."""
    last = _last(noun)
    if last in _RULES.words("several"):
        return False
    return is_known(noun)


def is_kin(noun: str) -> bool:
    """Check whether a noun means a relative, a friend or a colleague."""
    return _last(noun) in _relatives()


def is_known(noun: str) -> bool:
    """Check whether a noun is a known one for kinship, a role, an animal or a possession."""
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
    """Replace the letters that name folding replaces."""
    return word.translate(_PLAIN)


_PLAIN = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "é": "e", "ß": "ss"})


def are_of_one_name(one: str, other: str) -> bool:
    """Check whether two folded names differ only in a shortened given name: "bob hughes" and "robert hughes"."""
    words, others = one.split(), other.split()
    if not words or words == others or words[1:] != others[1:]:
        return False
    first, second = words[0], others[0]
    return second in _shortened().get(first, ()) or first in _shortened().get(second, ())


def shortened(folded: str) -> frozenset[str]:
    """Return a folded name with its given name shortened, in all known ways."""
    first, _, rest = folded.partition(" ")
    return frozenset(f"{short} {rest}".rstrip() for short in _shortened().get(first, ()))


@cache
def _shortened() -> Mapping[str, frozenset[str]]:
    known = {name: set(short) for name, short in nicknames().items()}
    for name, short in rules("graph", "names").table("nicknames").items():
        known.setdefault(name, set()).update(short.split())
    return {name: frozenset(short) for name, short in known.items()}
