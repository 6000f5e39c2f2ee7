"""Asking for a name: of a wing to move to, or a new one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Input, Static


class NameScreen(ModalScreen[str]):
    """A line to write on; "" where nothing is to be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="name.leave", tooltip="Leave it as it is.", show=False),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-high")]  # noqa: RUF012

    def __init__(self, question: str, *, value: str = "", names: Sequence[str] = ()) -> None:
        super().__init__()
        self._question, self._value, self._names = question, value, names

    def compose(self) -> ComposeResult:
        """The question, the line, what the keys do."""
        with Vertical(classes="dialog"):
            yield Static(Content(self._question), markup=False)
            suggester = SuggestFromList(self._names, case_sensitive=False) if self._names else None
            yield Input(self._value, suggester=suggester, max_length=500)
            completes = "→ completes, " if self._names else ""
            yield Static(Content(f"Enter takes it, {completes}Esc leaves it"), classes="faint", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take what was written."""
        self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        """Do nothing."""
        self.dismiss("")
