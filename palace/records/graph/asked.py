"""What is read from the graph: an entity's timeline, what stands around it, and what a drawer says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from palace.records.graph.entity import Entity, EntityType
from palace.records.graph.relation import Relation
from palace.records.place import Drawer


class Standing(StrEnum):
    """Where a relation stands in time, seen from a moment."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """A relation with its time in words."""

    relation: Relation
    when: str
    """As exactly as it is known: "since May 2025", "until about 2019"; "" where nothing of it is."""
    standing: Standing


@dataclass(frozen=True, slots=True)
class Timeline:
    """All relations of an entity as they are believed now, in order of time."""

    entity: Entity
    seen_from: datetime
    """What is past or still to come is so from here."""
    entries: tuple[TimelineEntry, ...]
    """What has no known beginning stands where it ended."""
    is_whole: bool = True
    """False where there are more, older ones."""


@dataclass(frozen=True, slots=True)
class Member:
    """An entity, or a value that one has, in the neighbourhood of another."""

    name: str
    type: EntityType | None
    """None of a value ("24V20Ah")."""
    hops: int
    """How many relations away it is."""
    entity_id: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A relation between two members, who are given by their places among these."""

    subject: int
    object: int
    relation: Relation
    when: str
    """In words, as in a timeline."""
    standing: Standing = Standing.PRESENT
    """Seen from the moment that is asked about."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What stands around an entity at a moment, so many relations far."""

    as_of: datetime
    hops: int
    members: tuple[Member, ...]
    """The entity itself, then the nearest first; of the same distance, in the order in which they were reached."""
    links: tuple[Link, ...]
    """Relations between them, in the order in which they were reached."""
    left_out: int = 0
    """How many more members were reached than are given, at least."""


@dataclass(frozen=True, slots=True)
class ShownDrawer:
    """A drawer with its neighbours in the room, in order, and what it says as it is believed now."""

    drawer: Drawer
    before: tuple[Drawer, ...] = ()
    after: tuple[Drawer, ...] = ()
    says: tuple[TimelineEntry, ...] = ()
    """Relations that it is evidence of, in order of time."""
    ends: tuple[TimelineEntry, ...] = ()
    """Relations of other drawers that it ends."""
