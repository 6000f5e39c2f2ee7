"""Choosing one of several names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from palace_cli.render.visible import one_line


class ChoiceScreen(ModalScreen[str | None]):
    """Gives the name that was chosen, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Cancel", id="choice.cancel", tooltip="Choose nothing.", show=False),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-high")]  # noqa: RUF012

    def __init__(self, question: str, names: Sequence[str]) -> None:
        super().__init__()
        self._question = question
        self._names = names

    def compose(self) -> ComposeResult:
        """The question, and the names below it."""
        with Vertical(id="choice"):
            yield Static(Content(self._question), markup=False)
            yield OptionList(*(Option(Content(one_line(name))) for name in self._names), markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Give the one that was chosen."""
        self.dismiss(self._names[event.option_index])
