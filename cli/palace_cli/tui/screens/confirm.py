"""Asking whether something is to be done."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static


class ConfirmScreen(ModalScreen[bool]):
    """A question; what is not said to be done is not."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", id="confirm.yes", tooltip="Do it.", show=False),
        Binding("n,escape", "answer(False)", "No", id="confirm.no", tooltip="Leave it.", show=False),
        Binding("left,right", "app.focus_next", "Other", id="confirm.other", tooltip="Go to the other.", show=False),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-high")]  # noqa: RUF012

    def __init__(self, question: str, yes: str) -> None:
        super().__init__()
        self._question, self._yes = question, yes

    def compose(self) -> ComposeResult:
        """The question above its answers; No has the focus."""
        with Vertical(classes="dialog"):
            with VerticalScroll(classes="question", can_focus=False):
                yield Static(Content(self._question), markup=False)
            with Horizontal(classes="answers"):
                yield Button(Content("No (n)"), id="no")
                yield Button(Content(f"{self._yes} (y)"), id="yes", variant="error")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Take a click, or Enter."""
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        """Take a key."""
        self.dismiss(answer)
