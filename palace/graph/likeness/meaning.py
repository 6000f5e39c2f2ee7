"""Which things and places may be one by what their names mean, as the embedding model has it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from palace.graph.likeness.candidate import Candidate, DoubtfulPair, in_order, likeliest_first
from palace.graph.names.exonyms import usual_name
from palace.graph.names.forms import Sort, is_version
from palace.records.graph import Likeness
from palace.text.entities.lists.lexicon import places, well_known

Vectors = npt.NDArray[np.float32]

MOST = 2_000
"""Names that are compared, those named most often."""
NEAREST = 3
"""Of what a name is nearest to, how many may be the same as it."""
CLOSE = 0.57
"""Of the way from what two names have in common by chance to being the same, how much two spellings of one go."""
UNLIKE = (
    "Harbour Street",
    "Wednesday Choir",
    "Copper Kettle",
    "Doctor Obi",
    "Lisbon",
    "Kestrel 700",
    "Mountain Rescue",
    "Apple Cake",
    "Savings Bank",
    "Northern Railway",
    "Paracetamol",
    "Little Theatre",
)
"""Names of things that have nothing to do with each other: what a model finds alike in these is chance."""


def comparable(entities: Sequence[Candidate]) -> list[Candidate]:
    """List those whose names mean something, at most so many: no people, no times, no versions of a thing."""
    fit = [each for each in entities if each.sort in (Sort.THING, Sort.PLACE) and not is_version(each.folded)]
    return fit[:MOST]


def alike_in_meaning(
    entities: Sequence[Candidate], vectors: Vectors, unlike: Vectors, beside: Collection[frozenset[int]] = ()
) -> list[DoubtfulPair]:
    """List pairs that may be one, the likeliest first: each is among the nearest of the other, and close.

    ``vectors`` (n, dimension) are of the entities' names, ``unlike`` (m, dimension) of ``UNLIKE``: how close is close
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
    for first, second in zip(*np.nonzero(np.triu((likeness >= _close(unlike)) & near & near.T)), strict=True):
        one, other = in_order(entities[first], entities[second])
        if frozenset((one.id, other.id)) not in beside and not _are_known_apart(one, other):
            found.append(DoubtfulPair(one, other, Likeness.MEANING))
    return likeliest_first(found)


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = vectors / np.maximum(lengths, np.float32(1e-9))
    return unit


def _close(unlike: Vectors) -> float:
    """Tell from which likeness on two names may be one."""
    by_chance = (_unit(unlike) @ _unit(unlike).T)[np.triu_indices(len(unlike), 1)]
    usual = float(by_chance.mean())
    return usual + CLOSE * (1.0 - usual)


def _are_near(likeness: Vectors) -> npt.NDArray[np.bool_]:
    """Tell of each row which are its nearest."""
    most = min(NEAREST, len(likeness) - 1)
    least = -np.partition(-likeness, most - 1, axis=1)[:, most - 1 : most]
    near: npt.NDArray[np.bool_] = likeness >= least
    return near


def _are_known_apart(one: Candidate, other: Candidate) -> bool:
    """Tell whether a list has both, each by itself: Leeds and Bradford, BMW and Audi."""
    names = usual_name(one.folded), usual_name(other.folded)
    return names[0] != names[1] and any(set(names) <= set(known) for known in (places(), well_known()))
