"""The reader: lines that were set in a thread, of which only those in view are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip


def _binding(key: str, action: str, name: str, tooltip: str) -> Binding:
    return Binding(key, action, name.capitalize(), id=f"reader.{name}", tooltip=tooltip, show=False)


class Reader(ScrollView, can_focus=True, inherit_bindings=False):
    """Scrolls through lines, however many."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _binding("up,k", "scroll_up", "up", "Scroll a line up."),
        _binding("down,j", "scroll_down", "down", "Scroll a line down."),
        _binding("pageup", "page_up", "page-up", "Scroll a page up."),
        _binding("pagedown,space", "page_down", "page-down", "Scroll a page down."),
        _binding("home", "scroll_home", "first", "Scroll to the beginning."),
        _binding("end", "scroll_end", "last", "Scroll to the end of what is shown."),
    ]

    def __init__(self) -> None:
        super().__init__(id="reader")
        self._lines: Sequence[Strip] = ()

    @property
    def room(self) -> int:
        """How wide lines may be: the column of the scroll bar is left free, whether it is there or not."""
        return self.scrollable_content_region.width

    def set_lines(self, lines: Sequence[Strip], *, at: int | None = 0) -> None:
        """Show lines: from the first on, or so that one is seen below some before it; None keeps the place."""
        self._lines = lines
        self.virtual_size = Size(self.size.width, len(lines))
        if at is not None:
            self.scroll_to(y=max(at - self.size.height // 3, 0), animate=False, force=True)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line of those in view."""
        at = y + self.scroll_offset.y
        style = self.rich_style
        if at >= len(self._lines):
            return Strip.blank(self.size.width, style)
        return self._lines[at].apply_style(style).adjust_cell_length(self.size.width, style)
