"""What English verbs say of people and things, as ``palace/data/claims/verbs.toml`` has it. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from palace.nlp.rules import Rules

VERBS = Rules("claims", "verbs.toml")


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
    """Give each entry as its example, its verbs and its use."""
    for example, written in VERBS.table("says").items():
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
