"""Nouns by which people go who belong to somebody: which are the same, and which can be one's only. Pure."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from palace.text.claims.kinds import in_english, kin, roles, words

_OWN_WRITTEN = """
my our mein meine meinen meiner meinem meines unser unsere unseren unserer unserem unseres mini min mis mim
"""
OWN = frozenset(_OWN_WRITTEN.split())
"""Words that make a noun the speaker's."""
_SAME_WRITTEN = """
mother:mum,mom,mam,mama,mutter,mummy,mommy,mutti father:dad,papa,daddy,vati,vater sister:sis,sister,swester
brother:bro grandmother:grandma,granny,gran,nan,nana,oma grandfather:grandpa,granddad,opa wife:wifey husband:hubby
boyfriend:bf girlfriend:gf gp:hausarzt,hausarztin flatmate:roommate,housemate,roomie cat:kitty,kater
dog:pup,doggo,hundin car:auto,wagen boat:boot bike:bicycle,rad,fahrrad
colleague:coworker,co-worker,kolleg,workmate boss:chef,chefin,manager neighbour:neighbor partner:partnerin van:bulli
"""
_SEVERAL_WRITTEN = """
friend buddy mate pal bestie colleague teammate neighbour cousin aunt auntie uncle niece nephew kid child parents
grandchild grandson granddaughter twin teacher professor tutor coach trainer student doctor consultant specialist nurse
kumpel nachbar lehrer
"""
_SEVERAL = frozenset(_SEVERAL_WRITTEN.split())
"""Of whom one has several at a time: who is meant in one conversation need not be meant in another."""


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
    while len(said) > 1 and said[0] in OWN:
        said = said[1:]
    return Noun(owner, " ".join((*said[:-1], usual_noun(said[-1])))) if said else Noun(owner, folded)


def usual_noun(word: str) -> str:
    """Give the one English word for a folded noun of kin, a role, an animal or what is owned; others as they are."""
    return _usual().get(word, word)


def is_of_one(noun: str) -> bool:
    """Tell whether somebody has one of a kind at a time, so that it is the same in all that they say."""
    last = _last(noun)
    if last in _SEVERAL:
        return False
    return is_known(noun)


def is_kin(noun: str) -> bool:
    """Tell whether a noun says of what kin, or whose friend or colleague, somebody is."""
    return _last(noun) in _relatives()


def is_known(noun: str) -> bool:
    """Tell whether a noun is one of kin, a role, an animal or what is owned."""
    last = _last(noun)
    return last in _kin() or last in words("animals") or last in words("owned") or last in _MORE


_MORE_WRITTEN = "cleaner gardener childminder landlord landlady car boat bike narrowboat sailboat ship"
_MORE = frozenset(_MORE_WRITTEN.split())


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
    same = {
        word: noun
        for noun, _, written in (each.partition(":") for each in _SAME_WRITTEN.split())
        for word in written.split(",")
    }
    german = {_plain(noun): in_english(noun) for noun in (*kin(), *roles(), *words("animals"), *words("owned"))}
    return {word: same.get(noun, noun) for word, noun in german.items()} | same


def _plain(word: str) -> str:
    """Fold the letters that names are folded by."""
    return word.translate(_PLAIN)


_PLAIN = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "é": "e", "ß": "ss"})
