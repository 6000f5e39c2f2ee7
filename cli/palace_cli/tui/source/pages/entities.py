"""Who and what messages name, for the entity view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from palace.records import Entity, EntityType, Neighbourhood, Timeline

if TYPE_CHECKING:
    from palace.palace import Palace

MOST_LISTED = 5_000
MOST_DRAWN = 300
"""Relations of an entity, the latest begun."""
FAR = 2
"""Relations that are walked from an entity."""


@dataclass(frozen=True, slots=True)
class EntityPage:
    """All that the view shows of one entity."""

    timeline: Timeline
    around: Neighbourhood

    @property
    def entity(self) -> Entity:
        """Whom it is about."""
        return self.timeline.entity


def address(name: str, type: EntityType) -> str:
    """Write a name so that it is told from one of another type."""
    return f"{name} ({type})"


class EntitySource:
    """Lists entities, and tells about one. Every method blocks: call it from a thread."""

    def __init__(self, palace: Palace) -> None:
        self._palace = palace

    def list(self) -> tuple[Entity, ...]:
        """List those named most often first, at most 5,000."""
        return self._palace.entities.list(limit=MOST_LISTED)

    def about(self, name: str) -> EntityPage:
        """Tell what held and holds of an entity, and what stands around it now."""
        around = self._palace.graph(name, hops=FAR)
        return EntityPage(self._palace.timeline(name, limit=MOST_DRAWN), around)
