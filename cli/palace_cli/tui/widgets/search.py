"""The search box: what is typed is sought as soon as the keys rest."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input

from palace_cli.render.visible import visible

REST_SECONDS = 0.06
"""How long keys rest before what they made is sought."""


class SearchBox(Input):
    """One line of words and filters."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "to_hits", "Hits", id="search.hits", tooltip="Go from the box to the hits.", show=False),
        Binding("escape", "leave", "Back", id="search.leave", tooltip="Leave the search for the tree.", show=False),
    ]

    class Typed(Message):
        """The line is as it is to be sought."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Begun(Message):
        """Somebody types: what is sought is out of date."""

    class ToHits(Message):
        """The hits are wanted."""

    class Left(Message):
        """The search is over."""

    def __init__(self) -> None:
        super().__init__(placeholder="what to remember", compact=True, id="search")
        self._resting: Timer | None = None
        self._sought: str | None = None

    def on_input_changed(self, event: Input.Changed) -> None:
        """Wait until the keys rest."""
        event.stop()
        if visible(event.value) != event.value:
            # What was pasted would act on the terminal from here too.
            self.value = visible(event.value)
            return
        if event.value == self._sought:
            return
        self.post_message(self.Begun())
        self._stop()
        self._resting = self.set_timer(REST_SECONDS, self._seek)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Seek at once, and go to the hits."""
        event.stop()
        if self._resting is not None:
            self._seek()
        self.post_message(self.ToHits())

    def write(self, text: str, *, at_once: bool = True) -> None:
        """Put another line into the box, as the filters do; the cursor goes to its end."""
        if at_once:
            self._stop()
            self._sought = text
            self.post_message(self.Typed(text))
        self.value = text
        self.cursor_position = len(text)

    def action_to_hits(self) -> None:
        """Go to the hits."""
        self.post_message(self.ToHits())

    def action_leave(self) -> None:
        """Go back to where one came from."""
        self.post_message(self.Left())

    def _seek(self) -> None:
        self._stop()
        self._sought = self.value
        self.post_message(self.Typed(self.value))

    def _stop(self) -> None:
        if self._resting is not None:
            self._resting.stop()
            self._resting = None
