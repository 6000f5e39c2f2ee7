"""What changes the palace: forgetting and taking back, moving, renaming. Every method blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from palace.errors import BadRequest
from palace.records import ForgetSummary, MoveSummary, Room, TakenBack, Wing
from palace_cli.tui.source.places import Level, Place

if TYPE_CHECKING:
    from palace.palace import Palace


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was forgotten just now, and what takes exactly that back."""

    summary: ForgetSummary
    pointers: tuple[str, ...]


class ChangeSource:
    """Changes what stands where."""

    def __init__(self, palace: Palace) -> None:
        self._palace = palace

    def plan(self, place: Place) -> ForgetSummary:
        """Count what would go.

        Raises:
            NotFound: it is gone already.
        """
        return self._forget(place, dry_run=True)

    def grace(self) -> int:
        """Give for how many days it could be taken back."""
        return int(self._palace.settings.effective().forget_grace)

    def forget(self, place: Place) -> Forgotten:
        """Forget a place and all that stands in it."""
        before = self._hidden()
        summary = self._forget(place, dry_run=False)
        return Forgotten(summary, tuple(sorted(self._hidden() - before)))

    def take_back(self, forgotten: Forgotten) -> TakenBack:
        """Take back what was forgotten, and nothing that was before.

        Raises:
            NotFound: its time is over, or somebody else took it back.
        """
        return self._palace.forgotten.restore(*forgotten.pointers)

    def move(self, place: Place, to: str, *, create: bool = False) -> MoveSummary:
        """Move a room into a wing, or merge a wing into it."""
        return self._palace.tree.move(str(place.pointer), to, create=create)

    def rename(self, place: Place, name: str) -> Wing | Room:
        """Give a wing or a room another name."""
        return self._palace.tree.rename(str(place.pointer), name)

    def wing_names(self) -> list[str]:
        """Name the wings, for who has to name one."""
        return [wing.name for wing in self._palace.outline.wings(limit=1_000)]

    def _forget(self, place: Place, *, dry_run: bool) -> ForgetSummary:
        if place.level is Level.CLOSET and not place.id:
            raise BadRequest("what is sorted into no closet yet has no name: forget its drawers, or the room")
        closet = place.name if place.level is Level.CLOSET else None
        return self._palace.forget(str(place.pointer), closet=closet, dry_run=dry_run)

    def _hidden(self) -> set[str]:
        return {pointer for place in self._palace.forgotten.list() for pointer in place.pointers}
