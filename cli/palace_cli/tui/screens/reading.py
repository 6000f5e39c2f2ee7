"""Reading drawers on the first screen: the views of one, the next one, copying."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from palace.errors import PalaceError
from palace_cli.render.visible import one_line
from palace_cli.tui.screens.changing import ChangingScreen
from palace_cli.tui.source.drawers import Reading
from palace_cli.tui.widgets.drawer import TOLD, VIEWS, DrawerPane


def binding(key: str, action: str, description: str, tooltip: str, *, name: str = "", show: bool = False) -> Binding:
    """Give a key of the first screen."""
    return Binding(key, action, description, id=f"browse.{name or action}", tooltip=tooltip, show=show)


class ReadingScreen(ChangingScreen):
    """A screen with a drawer on it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding("n", "next(1)", "Next", "Read the next message of the conversation.", name="next"),
        binding("p", "next(-1)", "Previous", "Read the message before.", name="previous"),
        *(
            binding(str(at), f"view('{view}')", view.capitalize(), f"Show the drawer: {TOLD[view]}.", name=view)
            for at, view in enumerate(VIEWS, start=1)
        ),
        binding("plus", "more", "More", "Show more of a long drawer."),
        binding("v", "raw", "Raw", "Show the drawer byte for byte, or as Markdown again.", name="verbatim"),
        binding("y", "copy_pointer", "Copy", "Copy the pointer.", show=True),
        binding("Y", "copy_block", "Copy block", "Copy the drawer as a block for a model."),
    ]

    @property
    def pane(self) -> DrawerPane:
        """The drawer."""
        return self.query_one(DrawerPane)

    @property
    def shown_pointer(self) -> str | None:
        """Which drawer is shown; None for none."""
        return None if self.pane.reading is None else self.pane.reading.pointer

    def show_drawer(self, pointer: str) -> None:
        """Show a drawer in the pane on the right."""
        self.ask(lambda: self.source.drawers.read(pointer), self.pane.show, group="drawer", failed=self._not_there)

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

        self.ask(lambda: self.source.drawers.read(pointer), show, group="read again", failed=gone)

    def _not_there(self, problem: PalaceError) -> None:
        self.pane.clear(one_line(str(problem)))
        self.changed()

    def on_drawer_pane_passages_wanted(self) -> None:
        """Fetch how the drawer is cut."""
        reading = self.pane.reading
        if reading is not None:
            drawer_id = reading.shown.drawer.id
            self.ask(lambda: self.source.drawers.passages(drawer_id), self.pane.show_passages, group="passages")

    def action_next(self, direction: int) -> None:
        """Read the message before or behind."""
        reading = self._shown()
        if reading is None:
            return
        beside = reading.before[-1:] if direction < 0 else reading.after[:1]
        for line in beside:
            self.show_drawer(str(line.pointer))
        if not beside:
            self.notify(f"that is the {'first' if direction < 0 else 'last'} message of its conversation", markup=False)

    def _shown(self) -> Reading | None:
        """Give the drawer that is shown, and say so where none is."""
        if self.pane.reading is None:
            self.notify("no drawer is shown: go to one", markup=False)
        return self.pane.reading

    def action_more(self) -> None:
        """Show more of a long drawer."""
        if self._shown() is not None and not self.pane.show_more():
            self.notify("all of it is shown", markup=False)

    def action_view(self, view: str) -> None:
        """Show another view of the drawer."""
        self.pane.choose(view)

    def action_raw(self) -> None:
        """Show it byte for byte, or as Markdown."""
        self.pane.choose("text" if self.pane.view == "raw" else "raw")

    def action_copy_pointer(self) -> None:
        """Copy the pointer of what is meant."""
        place = self.chosen()
        if place is not None:
            self._copy(str(place.pointer), str(place.pointer))

    def action_copy_block(self) -> None:
        """Copy the drawer as a block."""
        reading = self._shown()
        if reading is not None:
            block = self._block_of(reading)
            self.ask(block, lambda text: self._copy(text, f"a block of {len(text):,} characters"), group="block")

    def _block_of(self, reading: Reading) -> Callable[[], str]:
        return lambda: self.source.drawers.block(reading.shown)

    def _copy(self, text: str, told: str) -> Any:
        self.app.copy_to_clipboard(text)
        self.notify(f"copied {told} (OSC 52: where the terminal allows it)", markup=False)
