"""What words are for in a claim, in both languages: kin, animals, things that are owned, jobs, illnesses. Pure."""

from __future__ import annotations

from functools import cache

from palace.nlp.rules import Rules

_WORDS = Rules("claims", "kinds.toml")
_BONDS = "sibling_of child_of parent_of married_to partner_of friend_of colleague_of related_to"


@cache
def kin() -> dict[str, tuple[str, str]]:
    """Give for each word of kin what the speaker is to them ("sibling_of"), and their gender: "f", "m" or "n"."""
    pairs = ((pair, bond) for bond in _BONDS.split() for pair in _WORDS.table(f"kin_{bond}").split())
    return {pair.split(":")[0]: (bond, pair.split(":")[1]) for pair, bond in pairs}


@cache
def roles() -> dict[str, str]:
    """Give the gender of each person one has by what they are to one: "dentist", "boss"."""
    return dict(pair.split(":") for pair in _WORDS.table("roles").split())


@cache
def _in_english() -> dict[str, str]:
    return dict(pair.split(":") for pair in _WORDS.table("english").split())


def in_english(noun: str) -> str:
    """Give the English noun for a German one of kin, a role, an animal or a property: both make one predicate."""
    return _in_english().get(noun, noun)


def words(name: str) -> frozenset[str]:
    """Give one of the lists of words by its name: "animals", "owned", "jobs", "sports"."""
    return _WORDS.words(name)


def is_job(noun: str) -> bool:
    """Whether a noun says what somebody does for a living."""
    return noun in words("jobs") or noun.endswith(tuple(words("job_endings")))


def gender_of(noun: str) -> str | None:
    """Tell the gender of a person by the noun; None of what is no person."""
    return kin()[noun][1] if noun in kin() else roles().get(noun)
