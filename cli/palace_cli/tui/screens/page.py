"""What the screens beside the first have in common: a way back, and one to the drawers."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from palace_cli.tui.messages import DrawerChosen
from palace_cli.tui.screens.asking import AskingScreen
from palace_cli.tui.screens.browse import BrowseScreen


class PageScreen(AskingScreen[None]):
    """A screen beside the first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="page.back", tooltip="Go back to where you came from."),
        Binding("ctrl+r", "retry", "Retry", id="page.retry", tooltip="Ask again what failed.", show=False),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-high")]  # noqa: RUF012

    def on_mount(self) -> None:
        """Begin, unless the application ended first: then nothing was composed."""
        if not self.browse.is_ending:
            self.begin()

    def begin(self) -> None:
        """Ask for what there is to show."""
        raise NotImplementedError

    def action_back(self) -> None:
        """Go back."""
        self.dismiss()

    def on_drawer_chosen(self, message: DrawerChosen) -> None:
        """Show a drawer on the first screen, where it stands."""
        message.stop()
        first = next(screen for screen in self.app.screen_stack if isinstance(screen, BrowseScreen))
        while self.app.screen is not first:
            self.app.pop_screen()
        first.post_message(DrawerChosen(message.pointer, jumps=True))
