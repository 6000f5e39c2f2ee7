"""Word lists for claims: kin, animals, things and jobs in both languages, and the uses of English verbs. Pure."""

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
    """Map each word of kin to the speaker's relation to that person ("sibling_of") and the gender "f", "m" or "n"."""
    pairs = ((pair, bond) for bond in _BONDS.split() for pair in _WORDS.table(f"kin_{bond}").split())
    return {pair.split(":")[0]: (bond, pair.split(":")[1]) for pair, bond in pairs}


@cache
def roles() -> dict[str, str]:
    """Map the roles of people one has ("dentist", "boss") to a gender."""
    return dict(pair.split(":") for pair in _WORDS.table("roles").split())


@cache
def _in_english() -> dict[str, str]:
    return dict(pair.split(":") for pair in _WORDS.table("english").split())


def in_english(noun: str) -> str:
    """Translate a German noun of kin, a role, an animal or a property, so that both languages share a predicate."""
    return _in_english().get(noun, noun)


def words(name: str) -> frozenset[str]:
    """Return a word list of the data by its name: "animals", "owned", "jobs", "sports"."""
    return _WORDS.words(name)


def is_job(noun: str) -> bool:
    """Check whether a noun is a profession."""
    return noun in words("jobs") or noun.endswith(tuple(words("job_endings")))


def gender_of(noun: str) -> str | None:
    """Return the gender of a noun of kin or a role; None for other nouns."""
    return kin()[noun][1] if noun in kin() else roles().get(noun)


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a verb: which objects it takes and what it claims of them."""

    before: frozenset[str]
    """Prepositions of its object; "" for a direct object."""
    kind: str
    """Kind of the object, as ``phrases.fits`` checks it."""
    predicate: str
    does: str
    """Effect on the claim: "state", "begin", "end", "event", or a special case that ``verbs`` handles."""
    is_of_noun: bool = False
    """Whether a noun gives the verb its meaning, so that the object may depend on it: "a job at Bosch"."""


@cache
def uses() -> dict[str, list[Use]]:
    """Map verbs to their uses, in the order of the file."""
    found: dict[str, list[Use]] = defaultdict(list)
    for _, verbs, use in entries():
        for verb in verbs:
            found[verb].append(use)
    return dict(found)


def entries() -> Iterator[tuple[str, list[str], Use]]:
    """Return each entry of the data as example, verbs and use."""
    for example, written in _VERBS.table("says").items():
        verbs, before, kind, says = (part.strip() for part in written.split("|"))
        predicate, does = says.split()
        use = Use(frozenset(before.split("/")), kind, predicate, does, is_of_noun="/" in verbs)
        yield example, [each for verb in verbs.split(",") for each in _forms(verb)], use


def _forms(verb: str) -> Iterator[str]:
    """Return every combination of the alternatives in a key: "get job", "get post", … for "get/land job/post"."""
    return (" ".join(parts) for parts in product(*(part.split("/") for part in verb.split())))


@cache
def simple_verbs() -> frozenset[str]:
    """Return the base forms of all verbs in the data, without their particles and nouns."""
    return frozenset(verb.split()[0] for verb in uses())


@cache
def object_types() -> Mapping[str, EntityType]:
    """Map predicates whose object is someone or something even without a name to what that is."""
    rows = rules("graph", "predicates").table("objects").items()
    return {predicate: EntityType(kind) for kind, predicates in rows for predicate in predicates.split()}
