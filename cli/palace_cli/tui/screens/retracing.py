"""Going back to where one was, and forth again: from a hit to its place, and from there to the hits."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import ContentSwitcher

from palace.records import Hit
from palace_cli.tui.screens.asking import AskingScreen
from palace_cli.tui.seeking.history import History, Visited
from palace_cli.tui.widgets.hits import HitsList

TREE, SEEK = "tree", "seek"
"""What stands in the left pane."""


class RetracingScreen(AskingScreen[None]):
    """A screen with two things in its left pane and a drawer on the right; it keeps where one was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "left_square_bracket,alt+left",
            "go_back",
            "Back",
            id="seek.back",
            tooltip="Go back to where you were.",
            show=False,
        ),
        Binding(
            "right_square_bracket,alt+right",
            "go_forward",
            "Forward",
            id="seek.forward",
            tooltip="Go again to where you came back from.",
            show=False,
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.past = History()

    def show_left(self, id: str) -> None:
        """Show what stands in the left pane under an id."""
        raise NotImplementedError

    def show_drawer(self, pointer: str) -> None:
        """Show a drawer in the pane on the right."""
        raise NotImplementedError

    def jump(self, pointer: str) -> None:
        """Go to where it stands in the tree."""
        raise NotImplementedError

    @property
    def shown_pointer(self) -> str | None:
        """Which drawer is shown; None for none."""
        raise NotImplementedError

    @property
    def here(self) -> Visited:
        """Where one is."""
        shown = self.query_one("#left-switch", ContentSwitcher).current
        return Visited(SEEK if shown == SEEK else TREE, self.shown_pointer)

    def go_to(self, hit: Hit) -> None:
        """Go to where a hit stands; the way back is kept."""
        pointer = str(hit.drawer.pointer)
        there = Visited(TREE, pointer)
        self.past.jump(Visited(SEEK, pointer), there)
        self._visit(there)

    def action_go_back(self) -> None:
        """Go back to where one was."""
        self._visit(self.past.back(self.here))

    def action_go_forward(self) -> None:
        """Go again to where one came back from."""
        self._visit(self.past.forward(self.here))

    def _visit(self, place: Visited | None) -> None:
        if place is None:
            return
        self.show_left(place.left)
        if place.pointer is not None:
            self.show_drawer(place.pointer)
        if place.left == TREE:
            self.query_one(f"#{TREE}").focus()
            if place.pointer is not None:
                self.jump(place.pointer)
        else:
            self.workers.cancel_group(self, "jump")
            self.query_one(HitsList).focus()
            self.query_one(HitsList).go_to(place.pointer)
