"""Which entities may be one, by how their names are written and by what they mean to the embedding model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from palace.graph.names import Sort, initials_of, is_version, may_be_called, may_stand_for, usual_name
from palace.graph.nouns import are_of_one_name, shortened
from palace.models.graph import Likeness
from palace.nlp.names.lexicon import places, well_known
from palace.nlp.rules import rules


class Candidate(NamedTuple):
    """An entity as it is compared with others."""

    id: int
    sort: Sort
    folded: str
    """The name that it goes by."""
    times: int
    """How often it is named."""


class DoubtfulPair(NamedTuple):
    """Two entities that may be one; the one with the shorter name is first."""

    one: Candidate
    other: Candidate
    likeness: Likeness


def in_order(one: Candidate, other: Candidate) -> tuple[Candidate, Candidate]:
    """Put two in the order of a pair."""
    first, second = sorted((one, other), key=lambda each: (len(each.folded), each.folded))
    return first, second


def likeliest_first(pairs: Iterable[DoubtfulPair]) -> list[DoubtfulPair]:
    """Order pairs by what is alike in them, then by how often they are named, then by name."""
    order = list(Likeness)
    return sorted(
        pairs,
        key=lambda pair: (
            order.index(pair.likeness),
            -min(pair.one.times, pair.other.times),
            pair.one.folded,
            pair.other.folded,
        ),
    )


ALIKE = 0.5
"""Of the trigrams that two names have, the share that both have, from which on they may be spellings of one."""
SHORTEST = 5
"""Letters of a name below which likeness says nothing."""
MOST_SHARING = 200
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
        if len(same) <= MOST_SHARING:
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


Vectors = npt.NDArray[np.float32]

MOST_COMPARED = 2_000
"""Names that are compared, those named most often."""
NEAREST = 3
"""Of what a name is nearest to, how many may be the same as it."""
CLOSE = 0.57
"""Of the way from what two names have in common by chance to being the same, how much two spellings of one go."""


@cache
def unlike() -> tuple[str, ...]:
    """Return names of things that have nothing to do with each other: what a model finds alike in these is chance."""
    return tuple(rules("graph", "names").table("unlike"))


def comparable(entities: Sequence[Candidate]) -> list[Candidate]:
    """List those whose names mean something, at most so many: no people, no times, no versions of a thing."""
    fit = [each for each in entities if each.sort in (Sort.THING, Sort.PLACE) and not is_version(each.folded)]
    return fit[:MOST_COMPARED]


def alike_in_meaning(
    entities: Sequence[Candidate], vectors: Vectors, apart: Vectors, beside: Collection[frozenset[int]] = ()
) -> list[DoubtfulPair]:
    """List pairs that may be one, the likeliest first: each is among the nearest of the other, and close.

    ``vectors`` (n, dimension) are of the entities' names, ``apart`` (m, dimension) of ``unlike()``: how close is close
    differs from model to model. ``beside`` are pairs of ids that one message names, which are mostly two.
    """
    if len(entities) < 2:
        return []
    likeness = _unit(vectors) @ _unit(vectors).T
    np.fill_diagonal(likeness, -1.0)
    by_sort = np.array([each.sort is Sort.PLACE for each in entities])
    likeness[by_sort[:, None] != by_sort[None, :]] = -1.0
    near = _are_near(likeness)
    found = []
    for first, second in zip(*np.nonzero(np.triu((likeness >= _close(apart)) & near & near.T)), strict=True):
        one, other = in_order(entities[first], entities[second])
        if frozenset((one.id, other.id)) not in beside and not _are_known_apart(one, other):
            found.append(DoubtfulPair(one, other, Likeness.MEANING))
    return likeliest_first(found)


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = vectors / np.maximum(lengths, np.float32(1e-9))
    return unit


def _close(apart: Vectors) -> float:
    """Return from which likeness on two names may be one."""
    by_chance = (_unit(apart) @ _unit(apart).T)[np.triu_indices(len(apart), 1)]
    usual = float(by_chance.mean())
    return usual + CLOSE * (1.0 - usual)


def _are_near(likeness: Vectors) -> npt.NDArray[np.bool_]:
    """Return for each row which are its nearest."""
    most = min(NEAREST, len(likeness) - 1)
    least = -np.partition(-likeness, most - 1, axis=1)[:, most - 1 : most]
    near: npt.NDArray[np.bool_] = likeness >= least
    return near


def _are_known_apart(one: Candidate, other: Candidate) -> bool:
    """Check whether a list has both, each by itself: Leeds and Bradford, BMW and Audi."""
    names = usual_name(one.folded), usual_name(other.folded)
    return names[0] != names[1] and any(set(names) <= set(known) for known in (places(), well_known()))
