"""Entities, the names they go by, and where these stand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from palace.records.place import Pointer


class EntityType(StrEnum):
    """What an entity is."""

    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    EVENT = "event"
    ITEM = "item"
    PROJECT = "project"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Alias:
    """A name as one conversation uses it."""

    conversation_id: int
    folded: str
    """Without case, accents and surplus spaces."""
    name: str
    """As it is written there most often."""
    type: EntityType
    is_named: bool
    """False of what is only called by its noun ("boat", "my sister")."""
    count: int
    """How often it stands there."""


@dataclass(frozen=True, slots=True)
class Entity:
    """Someone or something that messages name."""

    id: int
    name: str
    type: EntityType
    kinds: tuple[str, ...] = ()
    """General words for it ("musical instrument"), the most special first."""
    aliases: tuple[str, ...] = ()
    """Other names it goes by, the most frequent first."""
    mention_count: int = 0
    first_said_at: datetime | None = None
    last_said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a drawer names an entity."""

    entity_id: int
    pointer: Pointer
    text: str
    said_at: datetime | None
