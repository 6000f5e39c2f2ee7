"""What changes the palace: forgetting and taking back, moving, renaming. Every method blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from palace.errors import BadRequest, NotFound
from palace.records import ForgetSummary, MoveSummary, Room, TakenBack, Wing, WingPointer
from palace.text.pointers import has_shape
from palace_cli.tui.source.places import Level, Place

if TYPE_CHECKING:
    from palace.palace import Palace


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

    def forget(self, place: Place, at_most: int) -> ForgetSummary:
        """Forget a place and all that stands in it, where that is no more drawers than a person agreed to.

        Raises:
            MoreToForget: there are more by now; nothing was forgotten.
        """
        return self._forget(place, at_most=at_most)

    def take_back(self, forgotten: ForgetSummary) -> TakenBack:
        """Take back what was forgotten, and nothing that was before.

        Raises:
            NotFound: its time is over, or somebody else took it back.
        """
        return self._palace.forgotten.restore(*forgotten.pointers)

    def move(self, place: Place, to: str, *, create: bool = False) -> MoveSummary:
        """Move a room into a wing, or merge a wing into it."""
        return self._palace.tree.move(str(place.pointer), to, create=create)

    def target(self, place: Place, to: str) -> Wing | None:
        """Give the wing that a room is to stand in, or a wing to be merged into; None for one that is to be made.

        Raises:
            NotFound: there is none, and a wing cannot be merged into it; BadRequest: the wing is that one.
        """
        try:
            wing = self._palace.tree.wing(to)
        except NotFound:
            if place.level is Level.WING or has_shape(to):
                raise
            return None
        if place.level is Level.WING and wing.pointer == place.pointer:
            raise BadRequest(f"{to!r} is that wing itself")
        return wing

    def held(self, place: Place) -> Wing:
        """Give a wing with how much it holds."""
        return self._palace.tree.wing(str(place.pointer))

    def rename(self, place: Place, name: str) -> Wing | Room:
        """Give a wing or a room another name."""
        if place.level is Level.WING and self._goes_by(name) not in {None, place.pointer}:
            raise BadRequest(f"another wing goes by {name!r}: m merges one wing into another")
        return self._palace.tree.rename(str(place.pointer), name)

    def _goes_by(self, name: str) -> WingPointer | None:
        try:
            return None if has_shape(name) else self._palace.tree.wing(name).pointer
        except NotFound:
            return None

    def wing_names(self) -> list[str]:
        """Name the wings, for who has to name one."""
        return [wing.name for wing in self._palace.tree.wings(limit=1_000, counted=False)]

    def _forget(self, place: Place, *, dry_run: bool = False, at_most: int | None = None) -> ForgetSummary:
        if place.level is Level.CLOSET and not place.id:
            raise BadRequest("what is sorted into no closet yet has no name: forget its drawers, or the room")
        closet = place.name if place.level is Level.CLOSET else None
        return self._palace.forget(str(place.pointer), closet=closet, dry_run=dry_run, at_most=at_most)
