"""The drawer: what was said, by whom and when, and what is known of it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from palace.records import ShownDrawer
from palace_cli.render.drawer import said, tagged, whereabouts
from palace_cli.render.visible import visible


class DrawerPane(Vertical):
    """One drawer."""

    def __init__(self) -> None:
        super().__init__(id="drawer")
        self.shown: ShownDrawer | None = None

    def compose(self) -> ComposeResult:
        """Head and text."""
        yield Static(id="drawer-head", markup=False)
        with VerticalScroll(id="drawer-scroll"):
            yield Static(id="drawer-text", markup=False)

    def show(self, shown: ShownDrawer) -> None:
        """Show a drawer."""
        self.shown = shown
        drawer = shown.drawer
        head = "\n".join((str(drawer.pointer), whereabouts(drawer), said(drawer), *tagged(drawer)))
        self.query_one("#drawer-head", Static).update(Content(head))
        self.query_one("#drawer-text", Static).update(Content(visible(drawer.content[:20_000])))
