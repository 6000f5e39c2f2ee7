"""Drawers to be read: with what was said around them, and what is known of them. Every method blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from palace.records import Drawer, Hit, NewPassage, Recollection, ShownDrawer, Span

if TYPE_CHECKING:
    from palace.palace import Palace

AROUND = 8
"""Messages of the conversation that are listed before a drawer, and behind it."""
LONGEST_QUOTED = 1_000
"""Characters of a drawer that stand for it in a block; the block shows an excerpt of them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A drawer as it is read."""

    shown: ShownDrawer
    before: tuple[Drawer, ...]
    after: tuple[Drawer, ...]

    @property
    def pointer(self) -> str:
        """Where it stands."""
        return str(self.shown.drawer.pointer)


class DrawerSource:
    """Gives drawers."""

    def __init__(self, palace: Palace) -> None:
        self._palace = palace

    def read(self, pointer: str) -> Reading:
        """Give a drawer with what it says, and what was said around it in its conversation.

        Raises:
            NotFound: it is not there, or not any more.
        """
        shown = self._palace.show(pointer)
        return Reading(shown, *self._palace.tree.around(shown.drawer.id, count=AROUND))

    def passages(self, drawer_id: int) -> tuple[NewPassage, ...]:
        """List how it is cut into what is indexed."""
        return self._palace.tree.passages(drawer_id)

    def block(self, shown: ShownDrawer) -> str:
        """Write it as a block for a model."""
        span = Span(0, min(len(shown.drawer.content), LONGEST_QUOTED))
        return self._palace.context_block(Recollection("", (Hit(shown.drawer, 1.0, span, ()),)))
