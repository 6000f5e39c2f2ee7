"""Given names and what they are shortened to: Robert and Bob, Alexander and Sascha. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from palace.patterns import rules
from palace.text.entities.lists.lexicon import nicknames


def are_of_one_name(one: str, other: str) -> bool:
    """Tell whether two folded names differ in nothing but that one has a given name shortened: "bob hughes"."""
    words, others = one.split(), other.split()
    if not words or words == others or words[1:] != others[1:]:
        return False
    first, second = words[0], others[0]
    return second in _shortened().get(first, ()) or first in _shortened().get(second, ())


def shortened(folded: str) -> frozenset[str]:
    """List a folded name with its given name shortened."""
    first, _, rest = folded.partition(" ")
    return frozenset(f"{short} {rest}".rstrip() for short in _shortened().get(first, ()))


@cache
def _shortened() -> Mapping[str, frozenset[str]]:
    known = {name: set(short) for name, short in nicknames().items()}
    for name, short in rules("graph", "names").table("nicknames").items():
        known.setdefault(name, set()).update(short.split())
    return {name: frozenset(short) for name, short in known.items()}
