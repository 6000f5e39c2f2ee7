"""What a person decided of who is who: names merged, parted, renamed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from palace.records.graph.entity import Entity, EntityType
from palace.records.place import Pointer

MOST_DECISIONS = 5_000
"""Of one palace: each is looked at whenever the names it is about are resolved."""


class DecisionVerb(StrEnum):
    """What was decided."""

    MERGE = "merge"
    """``name`` is ``other``."""
    SPLIT = "split"
    """``name`` is not ``other``; where conversations are given, what ``name`` means in these is called ``other``."""
    RENAME = "rename"
    """``name`` is to be called ``other``."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision, which mining and rebuilding respect until it is undone."""

    id: int
    """Its number among the person's own, from 1."""
    verb: DecisionVerb
    name: str
    """As the entity was called when it was decided; which it is, is told by the name folded, and by the type."""
    type: EntityType
    other: str
    other_type: EntityType
    decided_at: datetime
    undone_at: datetime | None = None
    conversations: tuple[int, ...] = ()
    """Ids of those that a split is about, as far as they are there; empty where it is about a name everywhere."""
    is_partial: bool = False
    """Whether it is about some conversations only, or was, where none of them is there any more."""


@dataclass(frozen=True, slots=True)
class DecisionSummary:
    """What a decision, or taking it back, came to."""

    decision: Decision
    entities: tuple[Entity, ...]
    """Those that it is about, as they are now."""


class Likeness(StrEnum):
    """Why two entities may be one."""

    SHORT = "short"
    """The one's name may be short for the other's, or is its last word."""
    SPELLING = "spelling"
    INITIALS = "initials"
    """The one's name is made of the other's first letters."""
    MEANING = "meaning"
    """Their names mean something alike, by the embedding model."""


@dataclass(frozen=True, slots=True)
class Naming:
    """A message that names an entity."""

    pointer: Pointer
    text: str
    """What it says, cut around the name."""


@dataclass(frozen=True, slots=True)
class Doubtful:
    """Two entities that may be one; only a person can tell."""

    one: Entity
    other: Entity
    likeness: Likeness
    one_said: Naming | None = None
    """The latest message that names the one; None where none does."""
    other_said: Naming | None = None
