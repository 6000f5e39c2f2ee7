"""The screen that one begins on: the tree on the left, a drawer on the right."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import ContentSwitcher, Footer

from palace_cli.tui.messages import DrawerChosen, PlaceWanted
from palace_cli.tui.screens.asking import AskingScreen
from palace_cli.tui.source.places import Page, Place
from palace_cli.tui.widgets.banner import Banner
from palace_cli.tui.widgets.drawer import DrawerPane
from palace_cli.tui.widgets.tree import PalaceTree


class BrowseScreen(AskingScreen[None]):
    """Tree and drawer. What is found instead of walked to takes the tree's place in the left pane."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r", "retry", "Retry", id="browse.retry", tooltip="Ask again what failed.", show=False),
    ]

    def compose(self) -> ComposeResult:
        """The left pane is a switcher: a widget added to it with an id is shown by ``show_left(id)``."""
        yield Banner()
        with Horizontal(id="panes"):
            with Vertical(id="left"), ContentSwitcher(id="left-switch", initial="tree"):
                yield PalaceTree()
            yield DrawerPane()
        yield Footer()

    def begin(self) -> None:
        """List the palace; it is open."""
        self._list(None, None)
        self.query_one(PalaceTree).focus()

    def show_left(self, id: str) -> None:
        """Show the tree, or what else stands in the left pane."""
        self.query_one("#left-switch", ContentSwitcher).current = id

    def on_place_wanted(self, message: PlaceWanted) -> None:
        """List what stands in a place."""
        self._list(message.place, message.after)

    def _list(self, place: Place | None, after: Place | None) -> None:
        def fill(page: Page) -> None:
            self.query_one(PalaceTree).fill(place, page, after)

        group = f"list {place.key if place else 'palace'}"
        self.ask(lambda: self.source.tree.page(place, after), fill, group=group)

    def on_drawer_chosen(self, message: DrawerChosen) -> None:
        """Show a drawer, and where it stands if it was not chosen there."""
        self.show_drawer(message.pointer)
        if message.jumps:
            self.jump(message.pointer)

    def show_drawer(self, pointer: str) -> None:
        """Show a drawer in the pane on the right."""
        self.ask(lambda: self.source.show(pointer), self.query_one(DrawerPane).show, group="drawer")

    def jump(self, pointer: str) -> None:
        """Open the tree where a drawer, a room or a wing stands, and put the cursor on it."""
