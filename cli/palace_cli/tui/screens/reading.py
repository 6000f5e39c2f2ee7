"""The tree and a drawer beside each other: list places, and read drawers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.widgets import ContentSwitcher

from palace.errors import PalaceError
from palace.models import Drawer, Hit, Recollection, ShownDrawer, Span
from palace_cli.render.visible import one_line
from palace_cli.tui.keys import key
from palace_cli.tui.listing import place_of
from palace_cli.tui.places import Level, Mark, Page, Place, PlaceWanted, Reading, Step
from palace_cli.tui.screens.asking import AskingScreen
from palace_cli.tui.widgets.drawer import DESCRIPTIONS, VIEWS, DrawerPane
from palace_cli.tui.widgets.tree import PalaceTree

TREE, SEEK, EMPTY = "tree", "seek", "empty"
"""Contents of the left pane."""
OVERVIEW, DRAWER = "overview", "drawer"
"""Contents of the right pane."""
LEFT_TITLES = {TREE: "Wings", SEEK: "Find", EMPTY: "Palace"}
AROUND = 8
"""Messages of the conversation that are listed before a drawer, and after it."""
LONGEST_QUOTED = 1_000
"""Characters of a drawer that a block for a model quotes from."""


class ReadingScreen(AskingScreen[None]):
    """A screen with the tree on the left and a drawer on the right, which can be read on and copied."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("n", "next(1)", "Next", "browse.next", "Read the next message of the conversation."),
        key("p", "next(-1)", "Previous", "browse.previous", "Read the message before."),
        *(
            key(
                str(at),
                f"view('{view}')",
                view.capitalize(),
                f"browse.{view}",
                f"Show the drawer: {DESCRIPTIONS[view]}.",
            )
            for at, view in enumerate(VIEWS, start=1)
        ),
        key("plus", "more", "More", "browse.more", "Show more of a long drawer."),
        key("Y", "copy_block", "Copy block", "browse.copy_block", "Copy the drawer as a block for a model."),
    ]

    @property
    def pane(self) -> DrawerPane:
        return self.query_one(DrawerPane)

    @property
    def places(self) -> PalaceTree:
        return self.query_one(PalaceTree)

    def show_drawer(self, pointer: str) -> None:
        """Show a drawer in the pane on the right."""

        def show(reading: Reading) -> None:
            self.show_right(DRAWER)
            self.pane.show(reading)

        def not_there(problem: PalaceError) -> None:
            self.show_right(DRAWER)
            self.pane.clear(one_line(str(problem)))
            self.changed()

        self.ask(lambda: self._read(pointer), show, group="drawer", failed=not_there)

    def read_again(self) -> None:
        """Load the drawer that is shown again: the palace changed, and it may have been moved, or be gone.

        The pane stays as it is if the drawer did not change, or if another is shown meanwhile.
        """
        before = self.pane.reading
        if before is None:
            return
        drawer_id, pointer = before.shown.drawer.id, before.pointer

        def is_read() -> bool:
            reading = self.pane.reading
            return reading is not None and reading.shown.drawer.id == drawer_id

        def show(reading: Reading) -> None:
            if is_read() and reading != self.pane.reading:
                self.pane.show(reading)

        def gone(_: PalaceError) -> None:
            if is_read():
                self.pane.clear(f"{pointer} is there no more")

        self.ask(lambda: self._read(pointer), show, group="read again", failed=gone)

    def _read(self, pointer: str) -> Reading:
        shown = self.palace.show(pointer)
        return Reading(shown, *self.palace.tree.around(shown.drawer.id, count=AROUND))

    def action_next(self, direction: int) -> None:
        reading = self._shown()
        if reading is None:
            return
        beside = reading.before[-1:] if direction < 0 else reading.after[:1]
        for drawer in beside:
            self._read_on(drawer)
        if not beside:
            self.say(f"that is the {'first' if direction < 0 else 'last'} message of its conversation")

    def _read_on(self, drawer: Drawer) -> None:
        """Show a drawer and move the tree's cursor to it; in a search, give the focus to its text instead."""
        if self.has_class("-seeking"):
            self.pane.reader.focus()
        elif not self.places.go_to(place_of(drawer)):
            self.jump(str(drawer.pointer))
        self.show_drawer(str(drawer.pointer))

    def _shown(self) -> Reading | None:
        """Return the drawer that is shown, and notify if none is."""
        reading = self.pane.reading if self.right.current == DRAWER else None
        if reading is None:
            self.say("no drawer is shown: go to one")
        return reading

    def action_more(self) -> None:
        if self._shown() is not None and not self.pane.show_more():
            self.say("all of it is shown")

    def action_view(self, view: str) -> None:
        self.pane.choose(view)

    def action_copy_block(self) -> None:
        reading = self._shown()
        if reading is not None:
            self.ask(
                lambda: self._block(reading.shown),
                lambda text: self._copy(text, f"a block of {len(text):,} characters"),
                group="block",
            )

    def _block(self, shown: ShownDrawer) -> str:
        span = Span(0, min(len(shown.drawer.content), LONGEST_QUOTED))
        return self.palace.context_block(Recollection("", (Hit(shown.drawer, 1.0, span, ()),)))

    def _copy(self, text: str, name: str) -> None:
        self.app.copy_to_clipboard(text)
        self.say(f"copied {name} (OSC 52: where the terminal allows it)")

    def show_left(self, id: str) -> None:
        """Show the tree, the search, or the hint for an empty palace."""
        self.query_one("#left-switch", ContentSwitcher).current = id
        self.query_one("#left").border_title = Content(LEFT_TITLES[id])
        self.set_class(id == SEEK, "-seeking")
        self.set_class(id == EMPTY, "-empty")
        self.refresh_bindings()

    @property
    def right(self) -> ContentSwitcher:
        return self.query_one("#right", ContentSwitcher)

    def show_right(self, id: str) -> None:
        """Show the overview, or the drawer."""
        self.right.current = id

    def on_place_wanted(self, message: PlaceWanted) -> None:
        self._list(message.place, message.behind, goes_on=message.goes_on)

    def _list(
        self, place: Place | None, behind: Mark = None, *, goes_on: bool = False, limit: int | None = None
    ) -> None:
        self.ask(
            lambda: self.source.listing.page(place, behind, limit=limit),
            lambda page: self._fill(place, page, goes_on=goes_on),
            group=f"list {place.key if place else 'palace'}",
        )

    def _fill(self, place: Place | None, page: Page, *, goes_on: bool = False) -> None:
        switch = self.query_one("#left-switch", ContentSwitcher)
        if place is None and switch.current in {"opening", "empty", "tree"}:
            was_there = switch.current == "tree"
            self.show_left(TREE if page.places else EMPTY)
            if page.places and not was_there and self.focused is None:
                self.places.focus()
        self.places.fill(place, page, goes_on=goes_on)
        if place is None and page.places:
            self._count(page.places)

    def _count(self, wings: Sequence[Place]) -> None:
        self.ask(lambda: self.source.listing.counted(wings), self.places.update_places, group=f"count {wings[0].key}")

    def jump(self, pointer: str, *, shows: bool = False, enters: bool = False) -> None:
        """Open the tree down to a place, and move the cursor there.

        ``shows`` shows it if it is a drawer; ``enters`` gives the focus to the tree.
        """

        def lead(steps: Sequence[Step]) -> None:
            self.show_left("tree")
            self.places.lead(steps)
            if enters:
                self.places.focus()
            if self.places.wings:
                self._count(self.places.wings)
            if shows and steps[-1].to.level is Level.DRAWER:
                self.show_drawer(pointer)
                if not self.has_class("-wide"):
                    self.pane.reader.focus()
            self.browse.keyboard.release()

        self.ask(lambda: self.source.listing.way_to(pointer), lead, group="jump", failed=self._not_begun)

    def _not_begun(self, problem: PalaceError) -> None:
        self.show_problem(problem)
        self.browse.keyboard.release()

    def changed(self) -> None:
        """Show the palace as it is now."""
        self.read_again()
        self._refresh()

    def _refresh(self) -> None:
        """List again what is in view; the rest follows when it comes into view."""
        for place, behind, count in list(self.places.opened()):
            self._list(place, behind, limit=max(count, 100))

    def action_back(self) -> None:
        self.show_left(TREE if self.places.wings else EMPTY)
        self.places.focus()
