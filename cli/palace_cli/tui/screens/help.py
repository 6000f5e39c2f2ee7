"""Help: every key that does something here, from the bindings themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from palace_cli.terminal.styles import ASIDE, HEADING
from palace_cli.tui.keys.bindings import bindings_of

WHERE = {"app": "Everywhere", "browse": "Here", "tree": "Tree", "reader": "Text"}
"""Where the keys count, by the first part of their ids; of others that part itself is told."""


class HelpScreen(ModalScreen[None]):
    """The keys of the screen that it was called from."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape,question_mark,f1,q", "dismiss", "Close", id="help.close", tooltip="Close the help.", show=False
        ),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-high")]  # noqa: RUF012

    def __init__(self, about: Screen[object]) -> None:
        super().__init__()
        self._bindings_told = list(bindings_of(about))

    def compose(self) -> ComposeResult:
        """A line a key."""
        with VerticalScroll(id="help"):
            yield Static(_table(self.app.get_key_display, self._bindings_told), markup=False)


def _table(display: Callable[[Binding], str], bindings: Iterable[Binding]) -> Table:
    """A line a thing to do, with all keys for it, below the name of where they count."""
    keys: dict[tuple[str, str], list[str]] = {}
    for binding in bindings:
        where = (binding.id or "").partition(".")[0]
        keys.setdefault((where, binding.tooltip or binding.description), []).append(display(binding))
    table, last = Table.grid(padding=(0, 2)), ""
    for (where, told), names in keys.items():
        if where != last:
            table.add_row(Text(WHERE.get(where, where.capitalize()), style=ASIDE))
            last = where
        table.add_row(Text(", ".join(names), style=HEADING), Text(told))
    return table
