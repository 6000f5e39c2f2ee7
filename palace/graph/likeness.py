"""Find entities that may be the same, by the spelling of their names and by embeddings."""

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
    """Its folded name."""
    times: int
    """Number of mentions."""


class DoubtfulPair(NamedTuple):
    """Two entities that may be the same; the one with the shorter name is first."""

    one: Candidate
    other: Candidate
    likeness: Likeness


def in_order(one: Candidate, other: Candidate) -> tuple[Candidate, Candidate]:
    """Return two candidates with the shorter name first."""
    first, second = sorted((one, other), key=lambda each: (len(each.folded), each.folded))
    return first, second


def likeliest_first(pairs: Iterable[DoubtfulPair]) -> list[DoubtfulPair]:
    """Sort pairs by the kind of similarity, then by number of mentions, then by name."""
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
"""Share of common trigrams from which on two names may be spellings of the same."""
SHORTEST = 5
"""Letters of a name below which spelling is not compared."""
MOST_SHARING = 200
"""Names that share a trigram or a word, above which it is ignored as too common."""


def spelled_alike(entities: Sequence[Candidate]) -> list[DoubtfulPair]:
    """Return pairs that may be the same, likeliest first; the one with the shorter name comes first in each."""
    found: dict[tuple[int, int], DoubtfulPair] = {}
    for one, other in _neighbours(entities):
        pair = in_order(one, other)
        likeness = _likeness(pair[0].folded, pair[1].folded, one.sort)
        if likeness is not None:
            found[pair[0].id, pair[1].id] = DoubtfulPair(*pair, likeness)
    return likeliest_first(found.values())


def trigrams(name: str) -> frozenset[str]:
    """Return the trigrams of a name, including its padded edges."""
    padded = f"  {name} "
    return frozenset(padded[at : at + 3] for at in range(len(padded) - 2))


def _neighbours(entities: Sequence[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    """Yield the pairs of one sort that share a trigram, or of which one is short for the other."""
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
"""Names that are compared, at most: the most mentioned."""
NEAREST = 3
"""Nearest neighbours of a name that may be the same."""
CLOSE = 0.57
"""Required similarity, as a share of the way from the average of unrelated names to identity."""


@cache
def unlike() -> tuple[str, ...]:
    """Return names of unrelated things, whose similarity is the model's baseline."""
    return tuple(rules("graph", "names").table("unlike"))


def comparable(entities: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates with meaningful names, up to a limit: no people, times or versions of a thing."""
    fit = [each for each in entities if each.sort in (Sort.THING, Sort.PLACE) and not is_version(each.folded)]
    return fit[:MOST_COMPARED]


def alike_in_meaning(
    entities: Sequence[Candidate], vectors: Vectors, apart: Vectors, beside: Collection[frozenset[int]] = ()
) -> list[DoubtfulPair]:
    """Return pairs that may be the same, likeliest first: each is among the nearest of the other, and close.

    ``vectors`` (n, dimension) are of the entities' names, ``apart`` (m, dimension) of ``unlike()``, because
    similarities differ between models. ``beside`` are pairs of ids in the same message, which are usually different.
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
    """Return the similarity from which on two names may be the same."""
    by_chance = (_unit(apart) @ _unit(apart).T)[np.triu_indices(len(apart), 1)]
    usual = float(by_chance.mean())
    return usual + CLOSE * (1.0 - usual)


def _are_near(likeness: Vectors) -> npt.NDArray[np.bool_]:
    """Return a matrix that marks the nearest neighbours of each row."""
    most = min(NEAREST, len(likeness) - 1)
    least = -np.partition(-likeness, most - 1, axis=1)[:, most - 1 : most]
    near: npt.NDArray[np.bool_] = likeness >= least
    return near


def _are_known_apart(one: Candidate, other: Candidate) -> bool:
    """Check whether a list of known names has both as different ones: Leeds and Bradford, BMW and Audi."""
    names = usual_name(one.folded), usual_name(other.folded)
    return names[0] != names[1] and any(set(names) <= set(known) for known in (places(), well_known()))
