"""Help: every key that does something here, from the bindings themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from palace_cli.tui.keys import bindings_of


class HelpScreen(ModalScreen[None]):
    """The keys of the screen that it was called from."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape,question_mark,f1,q", "dismiss", "Close", id="help.close", tooltip="Close the help.", show=False
        ),
    ]

    def __init__(self, about: Screen[object]) -> None:
        super().__init__()
        self._bindings_told = list(bindings_of(about))

    def compose(self) -> ComposeResult:
        """A line a key."""
        with VerticalScroll(id="help"):
            yield Static(_table(self.app.get_key_display, self._bindings_told), markup=False)


def _table(display: object, bindings: Iterable[Binding]) -> Table:
    table = Table.grid(padding=(0, 2))
    for binding in bindings:
        key = binding.key_display or display(binding)  # type: ignore[operator]
        table.add_row(Text(key, style="bold"), Text(binding.tooltip or binding.description))
    return table
