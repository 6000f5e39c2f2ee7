"""The first screen, with the tree on the left and a drawer on the right; and the base of the other screens."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import ContentSwitcher, Footer, Static

from palace.errors import PalaceError
from palace_cli.styles import ASIDE
from palace_cli.tui.keys import key
from palace_cli.tui.places import DrawerChosen, Page
from palace_cli.tui.screens.asking import AskingScreen, Banner
from palace_cli.tui.screens.changing import ChangingScreen
from palace_cli.tui.screens.reading import DRAWER, OVERVIEW
from palace_cli.tui.widgets.drawer import DrawerPane
from palace_cli.tui.widgets.hits import HitsList
from palace_cli.tui.widgets.overview import MOST, Overview, OverviewPane
from palace_cli.tui.widgets.seek import SeekPane
from palace_cli.tui.widgets.tree import PalaceTree

WATCH_SECONDS = 2.0
"""How often a screen checks whether the palace changed."""
PAUSE_SECONDS = 0.08
"""How long the cursor rests on a drawer before it is loaded, so that running down a list loads none."""
EMPTY_PALACE = Content.assemble(
    ("This palace is empty. Begin with\n\n", ""),
    ("palace mine FILE\n\n", "bold $primary"),
    ("FILE is a chat, a diary, mail, notes,\nor a folder of them.\nWhat is filed appears here by itself.", ASIDE),
)
TOO_SMALL = "The terminal is too small: 30×6 at least."


class BrowseScreen(ChangingScreen):
    """The tree, and beside it the overview or a drawer. A search takes the tree's place."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("g", "locate", "Go to", "browse.locate", "Go in the tree to where the drawer stands."),
        key("tab", "other_pane", "Other pane", "browse.pane", "Go to the other pane."),
        key("escape", "back", "Back", "browse.back", "Go back: to the tree, from there to the overview."),
        key("ctrl+r", "retry", "Retry", "browse.retry", "Ask again what failed, and list everything again."),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (30, "-narrow"), (60, "-wide")]  # noqa: RUF012 — declared by textual as no ClassVar
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (6, "-low"), (16, "-middle"), (30, "-high")]  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self._change: tuple[object, ...] | None = None
        self._pause: Timer | None = None
        self._page: PageScreen | None = None
        """The page that led to the drawer."""

    def compose(self) -> ComposeResult:
        yield Banner()
        yield Static(TOO_SMALL, id="too-small", markup=False)
        with Horizontal(id="panes"):
            with Vertical(id="left", classes="panel"), ContentSwitcher(id="left-switch", initial="opening"):
                yield Static("Opening the palace …", id="opening", markup=False)
                yield Static(EMPTY_PALACE, id="empty", markup=False)
                yield PalaceTree()
                yield SeekPane()
            with ContentSwitcher(id="right", initial=OVERVIEW):
                yield OverviewPane()
                yield DrawerPane()
        yield Footer(compact=True, show_command_palette=False)

    def begin(self, at: str | None = None) -> None:
        """List the open palace, and go to a place, where one is named."""
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
        self.show_right(OVERVIEW)
        if at is None:
            self.browse.keyboard.release()
        else:
            self.jump(at, shows=True)

    def database_gone(self, problem: PalaceError, group: str, again: Callable[[], Any]) -> None:
        """Raise the banner, and let the keys through that wait for the palace to open."""
        super().database_gone(problem, group, again)
        self.browse.keyboard.release()

    def look(self) -> None:
        """Load the overview, if it is shown."""
        pane = self.query_one(OverviewPane)
        if not pane.display:
            return
        slots = pane.slots

        def overview() -> Overview:
            palace, now = self.palace, moment_of_looking()
            calendar = palace.tree.calendar(slots=slots)
            return Overview(palace.status(), calendar, palace.recent(limit=MOST, now=now), now)

        self.ask(overview, pane.show, group="overview")

    def changed(self) -> None:
        """Show the palace as it is now."""
        super().changed()
        self.look()

    def on_drawer_chosen(self, message: DrawerChosen) -> None:
        """Show a drawer, at once or when the cursor rests on it; go there in the tree if it was chosen elsewhere."""
        if message.enters:
            self._page = None
            self._show_soon(None)
            self.show_drawer(message.pointer)
            self.pane.reader.focus()
        else:
            self._show_soon(lambda: self.show_drawer(message.pointer))
        if message.jumps:
            self.jump(message.pointer)

    def lead_back_to(self, page: PageScreen | None) -> None:
        """Go back to a page with the next Esc."""
        self._page = page

    def on_place_passed(self) -> None:
        """Show the overview when the cursor rests on a wing or room: no drawer is shown that the cursor is not on."""
        if self.right.current != OVERVIEW:
            self._show_soon(lambda: self.show_right(OVERVIEW))

    def _show_soon(self, show: Callable[[], None] | None) -> None:
        """Show something if the cursor rests where it is, instead of what was to be shown before."""
        self.workers.cancel_group(self, "drawer")
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE_SECONDS, show) if show else None

    def _watch(self) -> None:
        """Check whether the palace changed, while this screen is seen."""
        if self.is_current:
            self.ask(self.source.listing.change, self._when_changed, group="watch")

    def _when_changed(self, change: tuple[object, ...]) -> None:
        if self._change is not None and change != self._change:
            self.changed()
        self._change = change

    def action_retry(self) -> None:
        if self.query_one(Banner).display:
            super().action_retry()
        else:
            self._refresh()

    def action_locate(self) -> None:
        reading = self._shown()
        if reading is not None:
            self.jump(reading.pointer, enters=True)

    def action_back(self) -> None:
        """Go back to the page, the hits or the tree that led here; from the tree to the overview."""
        page, self._page = self._page, None
        if page is not None and not self.has_class("-seeking"):
            self.app.push_screen(page)
        elif self.has_class("-seeking") and self.right.has_focus_within:
            self.query_one(HitsList).focus()
        elif self.has_class("-seeking") or self.right.has_focus_within:
            super().action_back()
        elif not self.back_to_hits():
            if self.right.current == OVERVIEW:
                self.say("this is the first screen: q leaves")
            self.show_right(OVERVIEW)

    def show_right(self, id: str) -> None:
        super().show_right(id)
        self.look()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Where there is room for one pane, show the one that has the focus."""
        self.set_class(self.right in event.widget.ancestors_with_self, "-reading")

    def action_other_pane(self) -> None:
        """Go to the other pane; in a search, to its next part."""
        if self.has_class("-wide") or self.has_class("-seeking"):
            self.app.action_focus_next()
        elif self.has_class("-reading"):
            self.action_back()
        else:
            (self.pane.reader if self.right.current == DRAWER else self.query_one(OverviewPane).rows).focus()


def moment_of_looking() -> datetime:
    """Return now, from which "lately" and "coming up" are counted; tests replace it."""
    return datetime.now(UTC)


class PageScreen(AskingScreen[None]):
    """A screen beside the first, with a way back, and one to the drawers."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape", "back", "Back", "page.back", "Go back to where you came from.", show=True),
        key("ctrl+r", "retry", "Retry", "page.retry", "Ask again what failed."),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-high")]  # noqa: RUF012

    def compose(self) -> ComposeResult:
        yield Banner()
        yield from self.contents()
        yield Footer(compact=True, show_command_palette=False)

    def contents(self) -> ComposeResult:
        """Yield what stands between the banner and the footer."""
        raise NotImplementedError

    def on_mount(self) -> None:
        # The application may have ended first: then nothing was composed.
        if not self.browse.is_ending:
            self.begin()

    def begin(self) -> None:
        """Load what the page shows."""
        raise NotImplementedError

    def look_repeatedly(self, look: Callable[[], object]) -> None:
        """Look now and every two seconds, while the screen is seen and the database answers."""
        look()
        self.set_interval(WATCH_SECONDS, lambda: self.is_current and not self.query_one(Banner).display and look())

    def look_when_changed(self, look: Callable[[], object]) -> None:
        """Look now, and again whenever the palace has changed, also while it is looked at."""
        known: tuple[object, ...] | None = None

        def seen(change: tuple[object, ...]) -> None:
            nonlocal known
            if change != known:
                known = change
                look()

        self.look_repeatedly(lambda: self.ask(self.palace.tree.change, seen, group="watch"))

    def action_back(self) -> None:
        self.dismiss()

    def on_drawer_chosen(self, message: DrawerChosen) -> None:
        """Show a drawer on the first screen, in its place."""
        message.stop()
        first = next(screen for screen in self.app.screen_stack if isinstance(screen, BrowseScreen))
        page = self.again()
        while self.app.screen is not first:
            self.app.pop_screen()
        first.post_message(DrawerChosen(message.pointer, jumps=True))
        first.call_later(first.lead_back_to, page)

    def again(self) -> PageScreen | None:
        """Return this page anew, as it is, to come back to from a drawer; None to stay on the first screen."""
        return None
