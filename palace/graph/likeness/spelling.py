"""Which entities may be one by how their names are written. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from palace.graph.likeness.candidate import Candidate, DoubtfulPair, in_order, likeliest_first
from palace.graph.names.forms import Sort, initials_of, is_version, may_be_called, may_stand_for
from palace.graph.names.nicknames import are_of_one_name, shortened
from palace.records.graph import Likeness

ALIKE = 0.5
"""Of the trigrams that two names have, the share that both have, from which on they may be spellings of one."""
SHORTEST = 5
"""Letters of a name below which likeness says nothing."""
MOST = 200
"""Names that share a trigram or a word beyond which it tells nothing."""


def spelled_alike(entities: Sequence[Candidate]) -> list[DoubtfulPair]:
    """List pairs that may be one, the likeliest first; the one with the shorter name comes first in each."""
    found: dict[tuple[int, int], DoubtfulPair] = {}
    for one, other in _neighbours(entities):
        pair = in_order(one, other)
        likeness = _likeness(pair[0].folded, pair[1].folded, one.sort)
        if likeness is not None:
            found[pair[0].id, pair[1].id] = DoubtfulPair(*pair, likeness)
    return likeliest_first(found.values())


def trigrams(name: str) -> frozenset[str]:
    """List the runs of three letters of a name, its edges included."""
    padded = f"  {name} "
    return frozenset(padded[at : at + 3] for at in range(len(padded) - 2))


def _neighbours(entities: Sequence[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    """Go through the pairs of one sort that have a trigram in common, or one of which is short for the other."""
    sharing: dict[tuple[Sort, str], list[Candidate]] = defaultdict(list)
    for each in entities:
        if each.sort is not Sort.TIME:
            short = {each.folded, *initials_of(each.folded), *shortened(each.folded)}
            for sign in (*trigrams(each.folded), *(f"={sign}" for sign in short)):
                sharing[each.sort, sign].append(each)
    for same in sharing.values():
        if len(same) <= MOST:
            yield from combinations(same, 2)


def _likeness(short: str, full: str, sort: Sort) -> Likeness | None:
    if is_version(short) or is_version(full):
        return None
    if short in initials_of(full):
        return Likeness.INITIALS
    if _is_short_for(short, full, sort):
        return Likeness.SHORT
    if min(len(short), len(full)) < SHORTEST:
        return None
    here, there = trigrams(short), trigrams(full)
    return Likeness.SPELLING if len(here & there) >= ALIKE * len(here | there) else None


def _is_short_for(short: str, full: str, sort: Sort) -> bool:
    if sort is Sort.PERSON and are_of_one_name(short, full):
        return True
    if sort is Sort.THING and len(short) >= SHORTEST and full.startswith(f"{short} "):
        return True
    return may_stand_for(short, full, sort) or may_be_called(short, full, sort)
