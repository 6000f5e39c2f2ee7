"""The screen that one begins on: the tree on the left, a drawer on the right; and what the screens beside it share."""

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
from palace.models import Hit, Recollection, ShownDrawer, Span
from palace_cli.render.visible import one_line
from palace_cli.tui.keys import key
from palace_cli.tui.messages import DrawerChosen, PlaceWanted
from palace_cli.tui.places import Level, Mark, Page, Place, Reading, Step
from palace_cli.tui.screens.asking import AskingScreen, Banner
from palace_cli.tui.screens.changing import ChangingScreen
from palace_cli.tui.screens.seeking import SEEK, SeekingScreen
from palace_cli.tui.widgets.drawer import TOLD, VIEWS, DrawerPane
from palace_cli.tui.widgets.seek import SeekPane
from palace_cli.tui.widgets.tree import PalaceTree

AROUND = 8
"""Messages of the conversation that are listed before a drawer, and behind it."""
LONGEST_QUOTED = 1_000
"""Characters of a drawer that stand for it in a block; the block shows an excerpt of them."""
WATCH_SECONDS = 2.0
"""How often it is asked whether the palace changed."""
PAUSE_SECONDS = 0.08
"""How long the cursor stays on a drawer before that is fetched: who runs down a list fetches none."""
EMPTY = """The palace is empty.

palace mine FILE       reads conversations
palace note "TEXT"     files a line

What is filed appears here by itself."""
TOO_SMALL = "The terminal is too small: 30×6 at least."


class ReadingScreen(ChangingScreen):
    """A screen with a drawer on it: the views of one, the next one, copying."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("n", "next(1)", "Next", "browse.next", "Read the next message of the conversation."),
        key("p", "next(-1)", "Previous", "browse.previous", "Read the message before."),
        *(
            key(str(at), f"view('{view}')", view.capitalize(), f"browse.{view}", f"Show the drawer: {TOLD[view]}.")
            for at, view in enumerate(VIEWS, start=1)
        ),
        key("plus", "more", "More", "browse.more", "Show more of a long drawer."),
        key("v", "raw", "Raw", "browse.verbatim", "Show the drawer byte for byte, or as Markdown again."),
        key("y", "copy_pointer", "Copy", "browse.copy_pointer", "Copy the pointer.", show=True),
        key("Y", "copy_block", "Copy block", "browse.copy_block", "Copy the drawer as a block for a model."),
    ]

    @property
    def pane(self) -> DrawerPane:
        return self.query_one(DrawerPane)

    @property
    def shown_pointer(self) -> str | None:
        """Which drawer is shown; None for none."""
        return None if self.pane.reading is None else self.pane.reading.pointer

    def show_drawer(self, pointer: str) -> None:
        """Show a drawer in the pane on the right."""

        def not_there(problem: PalaceError) -> None:
            self.pane.clear(one_line(str(problem)))
            self.changed()

        self.ask(lambda: self._read(pointer), self.pane.show, group="drawer", failed=not_there)

    def read_again(self) -> None:
        """Read the drawer again that is shown: the palace changed, and it may have been moved, or be gone.

        Nothing happens to one that is as it was, and none to another that is read meanwhile.
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

    def on_drawer_pane_passages_wanted(self) -> None:
        reading = self.pane.reading
        if reading is not None:
            drawer_id = reading.shown.drawer.id
            self.ask(lambda: self.palace.tree.passages(drawer_id), self.pane.show_passages, group="passages")

    def action_next(self, direction: int) -> None:
        reading = self._shown()
        if reading is None:
            return
        beside = reading.before[-1:] if direction < 0 else reading.after[:1]
        for line in beside:
            self.show_drawer(str(line.pointer))
        if not beside:
            self.say(f"that is the {'first' if direction < 0 else 'last'} message of its conversation")

    def _shown(self) -> Reading | None:
        """Return the drawer that is shown, and say so where none is."""
        if self.pane.reading is None:
            self.say("no drawer is shown: go to one")
        return self.pane.reading

    def action_more(self) -> None:
        if self._shown() is not None and not self.pane.show_more():
            self.say("all of it is shown")

    def action_view(self, view: str) -> None:
        self.pane.choose(view)

    def action_raw(self) -> None:
        self.pane.choose("text" if self.pane.view == "raw" else "raw")

    def action_copy_pointer(self) -> None:
        place = self.chosen()
        if place is not None:
            self._copy(str(place.pointer), str(place.pointer))

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

    def _copy(self, text: str, told: str) -> None:
        self.app.copy_to_clipboard(text)
        self.say(f"copied {told} (OSC 52: where the terminal allows it)")


class BrowseScreen(ReadingScreen, SeekingScreen):
    """Tree and drawer. What is found instead of walked to takes the tree's place in the left pane."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("g", "locate", "Go to", "browse.locate", "Go in the tree to where the drawer stands."),
        key("tab", "other_pane", "Other pane", "browse.pane", "Go to the other pane."),
        key("escape", "back", "Back", "browse.back", "Go back to the tree."),
        key("ctrl+r", "retry", "Retry", "browse.retry", "Ask again what failed, and list everything again."),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (30, "-narrow"), (60, "-wide")]  # noqa: RUF012 — declared by textual as no ClassVar
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (6, "-low"), (16, "-middle"), (22, "-high")]  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self._change: tuple[object, ...] | None = None
        self._pause: Timer | None = None

    def compose(self) -> ComposeResult:
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
        return self.query_one(PalaceTree)

    def begin(self, at: str | None = None) -> None:
        """List the palace; it is open by now. Begin at a place, where one is named."""
        self.ask(
            self.source.listing.first,
            lambda found: self._begun(at, *found),
            group="list palace",
            failed=self._not_begun,
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
            self.show_left("tree" if page.places else "empty")
            if page.places and not was_there and self.focused is None:
                self.places.focus()
        self.places.fill(place, page, goes_on=goes_on)
        if place is None and page.places:
            self._count(page.places)

    def _count(self, wings: Sequence[Place]) -> None:
        self.ask(lambda: self.source.listing.counted(wings), self.places.update_places, group=f"count {wings[0].key}")

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

        self.ask(lambda: self.source.listing.way_to(pointer), lead, group="jump", failed=self._not_begun)

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
            self.ask(self.source.listing.change, self._when_changed, group="watch")

    def _when_changed(self, change: tuple[object, ...]) -> None:
        if self._change is not None and change != self._change:
            self.changed()
        self._change = change

    def _refresh(self) -> None:
        """List again what is in view; the rest is when it comes into view."""
        for place, behind, count in list(self.places.opened()):
            self._list(place, behind, limit=max(count, 100))

    def action_retry(self) -> None:
        if self.query_one(Banner).display:
            super().action_retry()
        else:
            self._refresh()

    def action_locate(self) -> None:
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
        self.show_left("tree" if self.places.wings else "empty")
        self.places.focus()


class PageScreen(AskingScreen[None]):
    """A screen beside the first, with a way back, and one to the drawers."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape", "back", "Back", "page.back", "Go back to where you came from.", show=True),
        key("ctrl+r", "retry", "Retry", "page.retry", "Ask again what failed."),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-high")]  # noqa: RUF012

    def on_mount(self) -> None:
        # The application may have ended first: then nothing was composed.
        if not self.browse.is_ending:
            self.begin()

    def begin(self) -> None:
        """Ask for what there is to show."""
        raise NotImplementedError

    def action_back(self) -> None:
        self.dismiss()

    def on_drawer_chosen(self, message: DrawerChosen) -> None:
        """Show a drawer on the first screen, where it stands."""
        message.stop()
        first = next(screen for screen in self.app.screen_stack if isinstance(screen, BrowseScreen))
        while self.app.screen is not first:
            self.app.pop_screen()
        first.post_message(DrawerChosen(message.pointer, jumps=True))
