"""The screen that one begins on: the tree on the left, a drawer on the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import ContentSwitcher, Footer, Static

from palace.errors import PalaceError
from palace_cli.tui.messages import DrawerChosen, PlaceWanted
from palace_cli.tui.screens.reading import ReadingScreen, binding
from palace_cli.tui.screens.retracing import SEEK
from palace_cli.tui.screens.seeking import SeekingScreen
from palace_cli.tui.source.places import Level, Mark, Page, Place, Step
from palace_cli.tui.widgets.banner import Banner
from palace_cli.tui.widgets.drawer import DrawerPane
from palace_cli.tui.widgets.seek import SeekPane
from palace_cli.tui.widgets.tree import PalaceTree

WATCH_SECONDS = 2.0
"""How often it is asked whether the palace changed."""
PAUSE_SECONDS = 0.08
"""How long the cursor stays on a drawer before that is fetched: who runs down a list fetches none."""
EMPTY = """The palace is empty.

palace mine FILE       reads conversations
palace note "TEXT"     files a line

What is filed appears here by itself."""
TOO_SMALL = "The terminal is too small: 30×6 at least."


class BrowseScreen(ReadingScreen, SeekingScreen):
    """Tree and drawer. What is found instead of walked to takes the tree's place in the left pane."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding("g", "locate", "Go to", "Go in the tree to where the drawer stands."),
        binding("tab", "other_pane", "Other pane", "Go to the other pane.", name="pane"),
        binding("escape", "back", "Back", "Go back to the tree."),
        binding("ctrl+r", "retry", "Retry", "Ask again what failed, and list everything again."),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (30, "-narrow"), (60, "-wide")]  # noqa: RUF012 — declared by textual as no ClassVar
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (6, "-low"), (16, "-middle"), (22, "-high")]  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self._change: tuple[object, ...] | None = None
        self._pause: Timer | None = None

    def compose(self) -> ComposeResult:
        """The left pane is a switcher: a widget added to it with an id is shown by ``show_left(id)``."""
        yield Banner()
        yield Static(TOO_SMALL, id="too-small", markup=False)
        with Horizontal(id="panes"):
            with Vertical(id="left"), ContentSwitcher(id="left-switch", initial="opening"):
                yield Static("Opening the palace …", id="opening", markup=False)
                yield Static(Content(EMPTY), id="empty", markup=False)
                yield PalaceTree()
                yield SeekPane()
            yield DrawerPane()
        yield Footer()

    @property
    def places(self) -> PalaceTree:
        """The tree."""
        return self.query_one(PalaceTree)

    def begin(self, at: str | None = None) -> None:
        """List the palace; it is open by now. Begin at a place, where one is named."""
        self.ask(
            self.source.tree.first, lambda found: self._begun(at, *found), group="list palace", failed=self._not_begun
        )
        self.set_interval(WATCH_SECONDS, self._watch)

    def _begun(self, at: str | None, change: tuple[object, ...], page: Page) -> None:
        self._change = change
        self._fill(None, page)
        if at is None:
            self.browse.keyboard.release()
        else:
            self.jump(at, shows=True)

    def _not_begun(self, problem: PalaceError) -> None:
        self.tell(problem)
        self.browse.keyboard.release()

    def database_gone(self, problem: PalaceError, group: str, again: Callable[[], Any]) -> None:
        """Say so; what is typed meanwhile counts."""
        super().database_gone(problem, group, again)
        self.browse.keyboard.release()

    def show_left(self, id: str) -> None:
        """Show the tree, or what else stands in the left pane."""
        self.query_one("#left-switch", ContentSwitcher).current = id
        self.set_class(id == SEEK, "-seeking")

    def on_place_wanted(self, message: PlaceWanted) -> None:
        """List what stands in a place."""
        self._list(message.place, message.behind, goes_on=message.goes_on)

    def _list(self, place: Place | None, behind: Mark = None, *, goes_on: bool = False) -> None:
        self.ask(
            lambda: self.source.tree.page(place, behind),
            lambda page: self._fill(place, page, goes_on=goes_on),
            group=f"list {place.key if place else 'palace'}",
        )

    def _fill(self, place: Place | None, page: Page, *, goes_on: bool = False) -> None:
        switch = self.query_one("#left-switch", ContentSwitcher)
        if place is None and switch.current in {"opening", "empty", "tree"}:
            was_there = switch.current == "tree"
            self.show_left("tree" if page.places else "empty")
            if page.places and not was_there and self.focused is None:
                self.places.focus()
        self.places.fill(place, page, goes_on=goes_on)
        if place is None and page.places:
            self._count(page.places)

    def _count(self, wings: Sequence[Place]) -> None:
        self.ask(lambda: self.source.tree.counted(wings), self.places.update_places, group=f"count {wings[0].key}")

    def on_drawer_chosen(self, message: DrawerChosen) -> None:
        """Show a drawer, at once or when the cursor stays on it; go to where it stands if it was not chosen there."""
        if self._pause is not None:
            self._pause.stop()
        if message.enters:
            self.show_drawer(message.pointer)
            self.pane.reader.focus()
        else:
            self._pause = self.set_timer(PAUSE_SECONDS, lambda: self.show_drawer(message.pointer))
        if message.jumps:
            self.jump(message.pointer)

    def jump(self, pointer: str, *, shows: bool = False) -> None:
        """Open the tree where something stands, and put the cursor on it; if it is a drawer, it ``shows`` it."""

        def lead(steps: Sequence[Step]) -> None:
            self.show_left("tree")
            self.places.lead(steps)
            if self.places.wings:
                self._count(self.places.wings)
            if shows and steps[-1].to.level is Level.DRAWER:
                self.show_drawer(pointer)
                if not self.has_class("-wide"):
                    self.pane.reader.focus()
            self.browse.keyboard.release()

        self.ask(lambda: self.source.tree.way_to(pointer), lead, group="jump", failed=self._not_begun)

    @property
    def meant(self) -> Place | None:
        """What the person means: the drawer they read, or the place under the cursor."""
        if self.hit is not None:
            return Place(Level.DRAWER, self.hit.drawer.id, self.hit.drawer.pointer, "")
        reading = self.pane.reading
        reads = self.focused is not None and self.pane in self.focused.ancestors_with_self
        if reading is not None and (reads or self.places.place is None):
            drawer = reading.shown.drawer
            return Place(Level.DRAWER, drawer.id, drawer.pointer, "")
        place = self.places.place
        return None if place is None or place.level is Level.MORE else place

    def changed(self) -> None:
        """Show the palace as it is by now."""
        self.read_again()
        self._refresh()

    def _watch(self) -> None:
        """Ask whether the palace changed, unless nobody would see it."""
        if self.is_current:
            self.ask(self.source.tree.change, self._when_changed, group="watch")

    def _when_changed(self, change: tuple[object, ...]) -> None:
        if self._change is not None and change != self._change:
            self.changed()
        self._change = change

    def _refresh(self) -> None:
        """List again what is in view; the rest is when it comes into view."""
        for place, behind, count in list(self.places.opened()):
            self._list_again(place, behind, count)

    def _list_again(self, place: Place | None, behind: Mark, count: int) -> None:
        self.ask(
            lambda: self.source.tree.page(place, behind, limit=max(count, 100)),
            lambda page: self._fill(place, page),
            group=f"list {place.key if place else 'palace'}",
        )

    def action_retry(self) -> None:
        """Ask again what failed; list again."""
        if self.query_one(Banner).display:
            super().action_retry()
        else:
            self._refresh()

    def action_locate(self) -> None:
        """Go to where the drawer stands."""
        reading = self._shown()
        if reading is not None:
            self.jump(reading.pointer)
            self.action_back()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Where there is room for one pane, that with the focus is shown, however one came to it."""
        self.set_class(self.pane in event.widget.ancestors_with_self, "-reading")

    def action_other_pane(self) -> None:
        """Go to the other pane; in a search, to what is next in it."""
        if self.has_class("-wide") or self.here.left == SEEK:
            self.app.action_focus_next()
        elif self.has_class("-reading"):
            self.action_back()
        elif self.pane.reading is not None:
            self.pane.reader.focus()

    def action_back(self) -> None:
        """Go back to the tree."""
        self.show_left("tree" if self.places.wings else "empty")
        self.places.focus()
