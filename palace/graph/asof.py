"""Relations at a moment: what held then, as far as it was known by another."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

from palace.models.graph import FoldedRelation, Relation

R = TypeVar("R", FoldedRelation, Relation)


def at(relations: Iterable[R], as_of: datetime | None = None, believed: datetime | None = None) -> tuple[R, ...]:
    """Return what held at ``as_of`` as it was believed at ``believed``, in the order given.

    Without ``as_of`` relations of any time are given; without ``believed``, as they are believed now. Moments are
    aware; a relation holds from its beginning on, and at its end no longer.
    """
    return tuple(r for r in relations if _is_believed(r, believed) and (as_of is None or holds(r, as_of)))


def holds(relation: FoldedRelation | Relation, moment: datetime) -> bool:
    """Check whether a relation holds at a moment, whenever it was believed."""
    begun = relation.valid_from is None or relation.valid_from <= moment
    return begun and (relation.valid_to is None or moment < relation.valid_to)


def _is_believed(relation: FoldedRelation | Relation, believed: datetime | None) -> bool:
    if believed is None:
        return relation.superseded_at is None
    return relation.recorded_at <= believed and (relation.superseded_at is None or believed < relation.superseded_at)
