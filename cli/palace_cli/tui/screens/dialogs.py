"""Small screens over another: a question, a name to type, names to choose from, the help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, TypeVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.suggester import SuggestFromList
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE, HEADING
from palace_cli.tui.keys import bindings_of, key

WHERE = {
    "footer": "On the footer",
    "app": "Everywhere",
    "page": "Pages",
    "browse": "Here",
    "tree": "Tree",
    "reader": "Text",
    "seek": "Find",
}
"""Headings of the help by the first part of a key's id; others have that part as heading."""
R = TypeVar("R")


class Dialog(ModalScreen[R]):
    """A screen over another, which returns an answer."""

    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-high")]  # noqa: RUF012


class ChoiceScreen(Dialog[str | None]):
    """A list to choose from; it returns the chosen name, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape", "dismiss(None)", "Cancel", "choice.cancel", "Choose nothing.")
    ]

    def __init__(self, question: str, names: Sequence[str]) -> None:
        super().__init__()
        self._question, self._names = question, names

    def compose(self) -> ComposeResult:
        with Vertical(id="choice"):
            yield Static(Content(self._question), markup=False)
            yield OptionList(*(Option(Content(one_line(name))) for name in self._names), markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._names[event.option_index])


class ConfirmScreen(Dialog[bool]):
    """A yes-or-no question; No has the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("y", "answer(True)", "Yes", "confirm.yes", "Do it."),
        key("n,escape", "answer(False)", "No", "confirm.no", "Leave it."),
        key("left,right", "app.focus_next", "Other", "confirm.other", "Go to the other."),
    ]

    def __init__(self, question: str, yes: str) -> None:
        super().__init__()
        self._question, self._yes = question, yes

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            with VerticalScroll(classes="question", can_focus=False):
                yield Static(Content(self._question), markup=False)
            with Horizontal(classes="answers"):
                yield Button(Content("No (n)"), id="no")
                yield Button(Content(f"{self._yes} (y)"), id="yes", variant="error")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)


class NameScreen(Dialog[str]):
    """A line of text to type; it returns "" when it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [key("escape", "leave", "Leave", "name.leave", "Leave it as it is.")]

    def __init__(self, question: str, *, value: str = "", names: Sequence[str] = ()) -> None:
        super().__init__()
        self._question, self._value, self._names = question, value, names

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content(self._question), markup=False)
            suggester = SuggestFromList(self._names, case_sensitive=False) if self._names else None
            yield Input(self._value, suggester=suggester, max_length=500)
            completes = "→ completes, " if self._names else ""
            yield Static(Content(f"Enter confirms, {completes}Esc cancels"), classes="faint", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        self.dismiss("")


class HelpScreen(Dialog[None]):
    """The keys of the screen below it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape,question_mark,f1,q", "dismiss", "Close", "help.close", "Close the help."),
    ]

    def __init__(self, about: Screen[object]) -> None:
        super().__init__()
        self._shown = {active.binding.id for active in about.active_bindings.values() if active.binding.show}
        self._listed = sorted(bindings_of(about), key=lambda binding: binding.id not in self._shown)

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help") as help:
            help.border_title = "Keys"
            yield Static(_table(self.app.get_key_display, self._listed, self._shown), markup=False)


def _table(display: Callable[[Binding], str], bindings: Iterable[Binding], shown: set[str | None]) -> Table:
    """Draw a line for each command with all its keys, below headings; those of the footer come first."""
    keys: dict[str, dict[str, list[str]]] = {}
    for binding in bindings:
        here = keys.setdefault("footer" if binding.id in shown else (binding.id or "").partition(".")[0], {})
        here.setdefault(binding.tooltip or binding.description, []).append(display(binding))
    table = Table.grid(padding=(0, 2))
    for where, commands in keys.items():
        if table.row_count:
            table.add_row("")
        table.add_row(Text(WHERE.get(where, where.capitalize()), style=ASIDE))
        for tooltip, names in commands.items():
            table.add_row(Text(", ".join(names), style=HEADING), Text(tooltip))
    return table
