"""What words are for in a claim: kin, animals, things and jobs in both languages, and what English verbs say. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

from palace.models.claims import EntityType
from palace.nlp.rules import Rules, rules

_WORDS = Rules("claims", "kinds.toml")
_VERBS = Rules("claims", "verbs.toml")
_BONDS = "sibling_of child_of parent_of married_to partner_of friend_of colleague_of related_to"


@cache
def kin() -> dict[str, tuple[str, str]]:
    """Return for each word of kin what the speaker is to them ("sibling_of"), and their gender: "f", "m" or "n"."""
    pairs = ((pair, bond) for bond in _BONDS.split() for pair in _WORDS.table(f"kin_{bond}").split())
    return {pair.split(":")[0]: (bond, pair.split(":")[1]) for pair, bond in pairs}


@cache
def roles() -> dict[str, str]:
    """Return the gender of each person one has by what they are to one: "dentist", "boss"."""
    return dict(pair.split(":") for pair in _WORDS.table("roles").split())


@cache
def _in_english() -> dict[str, str]:
    return dict(pair.split(":") for pair in _WORDS.table("english").split())


def in_english(noun: str) -> str:
    """Return the English noun for a German one of kin, a role, an animal or a property: both make one predicate."""
    return _in_english().get(noun, noun)


def words(name: str) -> frozenset[str]:
    """Return one of the lists of words by its name: "animals", "owned", "jobs", "sports"."""
    return _WORDS.words(name)


def is_job(noun: str) -> bool:
    """Check whether a noun says what somebody does for a living."""
    return noun in words("jobs") or noun.endswith(tuple(words("job_endings")))


def gender_of(noun: str) -> str | None:
    """Return the gender of a person by the noun; None of what is no person."""
    return kin()[noun][1] if noun in kin() else roles().get(noun)


@dataclass(frozen=True, slots=True)
class Use:
    """One way of using a verb."""

    before: frozenset[str]
    """What may stand before its object; the empty string for a direct one."""
    kind: str
    """Of the object."""
    predicate: str
    does: str
    """What the verb does: "state", "begin", "end", "event", or one of a few that are read by themselves."""
    is_of_noun: bool = False
    """Whether a noun gives the verb its meaning, so that the object may hang on it: "a job at Bosch"."""


@cache
def uses() -> dict[str, list[Use]]:
    """Map verbs to their uses, in the order of the file."""
    found: dict[str, list[Use]] = defaultdict(list)
    for _, verbs, use in entries():
        for verb in verbs:
            found[verb].append(use)
    return dict(found)


def entries() -> Iterator[tuple[str, list[str], Use]]:
    """Return each entry as its example, its verbs and its use."""
    for example, written in _VERBS.table("says").items():
        verbs, before, kind, says = (part.strip() for part in written.split("|"))
        predicate, does = says.split()
        use = Use(frozenset(before.split("/")), kind, predicate, does, is_of_noun="/" in verbs)
        yield example, [each for verb in verbs.split(",") for each in _forms(verb)], use


def _forms(verb: str) -> Iterator[str]:
    """Return a verb with its noun, each of several with each: "get job" of "get/land job/post"."""
    return (" ".join(parts) for parts in product(*(part.split("/") for part in verb.split())))


@cache
def simple_verbs() -> frozenset[str]:
    """List the first words of all verbs, in their base form."""
    return frozenset(verb.split()[0] for verb in uses())


@cache
def object_types() -> Mapping[str, EntityType]:
    """Map predicates whose object is someone or something even without a name to what that is."""
    rows = rules("graph", "predicates").table("objects").items()
    return {predicate: EntityType(kind) for kind, predicates in rows for predicate in predicates.split()}
