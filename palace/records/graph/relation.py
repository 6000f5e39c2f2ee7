"""Assertions, each from one drawer, and the relations folded from them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palace.records.graph.reading import Action, Precision, VagueDate
from palace.records.place import Pointer


@dataclass(frozen=True, slots=True)
class Assertion:
    """One dated claim read from one drawer, with its names resolved, as relations are folded from it."""

    id: int
    drawer_id: int
    learned_at: datetime
    """When the drawer was said, else when its conversation began; where neither is known, when it was filed."""
    ordinal: int
    """Its place among the claims of its drawer."""
    object_key: str
    """What is the same object is the same key: an entity's, or the words and digits of a value."""
    object: str
    """As it was said."""
    object_id: int | None
    """The entity it is, None for a value."""
    action: Action
    valid_from: VagueDate | None = None
    valid_to: VagueDate | None = None
    position: int = 0
    """Its drawer's place in its conversation, which tells what came first where a whole conversation has one time."""
    filed_at: datetime | None = None
    is_dated: bool = True
    """Whether it is known when it was said, and ``learned_at`` is not only when it was filed."""
    is_rejection: bool = False
    """Whether a person says by it that it was misread, so that nothing ended."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Subject, predicate and object with the time it was true, and the time it was believed."""

    id: int
    subject: str
    subject_id: int
    """The entity it is."""
    predicate: str
    object: str
    """The name of the entity it is, else the value as it was said."""
    object_id: int | None
    """None for a value."""
    valid_from: datetime | None
    """None where its beginning is not known."""
    from_precision: Precision
    valid_to: datetime | None
    """The first moment at which it was no longer so; None while it holds."""
    to_precision: Precision | None
    recorded_at: datetime
    """When it was learned in this form."""
    superseded_at: datetime | None
    """When something else was learned instead; None where it is believed still."""
    evidence: tuple[Pointer, ...]
    """Of the drawers it is read from, in order of telling; never empty."""
    closed_by: tuple[Pointer, ...] = ()
    """Of the drawers that say what came in its place, or that it is over; none where its own say so."""
