"""The hits: each with its pointer, who said it and when, and what of it speaks for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from palace.records import Hit
from palace_cli.render.drawer import said, whereabouts
from palace_cli.render.excerpt import excerpt
from palace_cli.terminal.styles import ASIDE, HEADING

NARROWEST = 16
"""Columns that an excerpt is cut for at least."""


class HitsList(OptionList):
    """What was found, best first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", "Down", id="hits.down", tooltip="Go to the next hit.", show=False),
        Binding("k", "cursor_up", "Up", id="hits.up", tooltip="Go to the hit before.", show=False),
        Binding("escape", "leave", "Box", id="hits.leave", tooltip="Go back to the search box.", show=False),
    ]

    class Seen(Message):
        """The cursor came to a hit."""

        def __init__(self, hit: Hit) -> None:
            super().__init__()
            self.hit = hit

    class Chosen(Message):
        """A hit's place in its conversation is wanted."""

        def __init__(self, hit: Hit) -> None:
            super().__init__()
            self.hit = hit

    class Left(Message):
        """The box is wanted."""

    def __init__(self) -> None:
        super().__init__(id="hits", markup=False)
        self.hits: Sequence[Hit] = ()
        self._drawn_for = 0

    def show(self, hits: Sequence[Hit]) -> None:
        """Show other hits; the cursor stays on the drawer that it was on, where that is among them."""
        before = self.hit
        self.hits = hits
        self._draw()
        self.go_to(str(before.drawer.pointer) if before else None)

    @property
    def hit(self) -> Hit | None:
        """The hit that the cursor is on."""
        at = self.highlighted
        return self.hits[at] if at is not None and at < len(self.hits) else None

    def go_to(self, pointer: str | None) -> None:
        """Put the cursor on the hit of a drawer; on the first where it is not among them."""
        places = [place for place, hit in enumerate(self.hits) if str(hit.drawer.pointer) == pointer]
        self.highlighted = (places or [0])[0] if self.hits else None

    def on_resize(self) -> None:
        """Cut excerpts for another width."""
        if self.hits and self.outer_size.width != self._drawn_for:
            at = self.highlighted
            self._draw()
            self.highlighted = at

    def on_focus(self) -> None:
        """Say which hit the cursor is on, to whom goes through them from now on."""
        if self.hit is not None:
            self.post_message(self.Seen(self.hit))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Say which hit the cursor is on."""
        event.stop()
        if self.hit is not None:
            self.post_message(self.Seen(self.hit))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Say which hit was chosen."""
        event.stop()
        if event.option_index < len(self.hits):
            self.post_message(self.Chosen(self.hits[event.option_index]))

    def action_cursor_up(self) -> None:
        """Go up; from the first hit to the box."""
        if self.highlighted in {0, None}:
            self.post_message(self.Left())
        else:
            super().action_cursor_up()

    def action_leave(self) -> None:
        """Go to the box."""
        self.post_message(self.Left())

    def _draw(self) -> None:
        self._drawn_for = self.outer_size.width
        # A scroll bar comes and goes; what is drawn stays.
        width = max(self.outer_size.width - 3, NARROWEST)
        self.clear_options()
        self.add_options([Option(_drawn(hit, width)) for hit in self.hits])


def _drawn(hit: Hit, width: int) -> Content:
    """Draw a hit; all that is remembered has gone through what makes it harmless."""
    drawer = hit.drawer
    return Content("\n").join(
        (
            Content.styled(str(drawer.pointer), HEADING),
            Content(whereabouts(drawer)).truncate(width, ellipsis=True),
            Content.styled(said(drawer), ASIDE).truncate(width, ellipsis=True),
            Content.from_rich_text(excerpt(hit, width=width)),
        )
    )
