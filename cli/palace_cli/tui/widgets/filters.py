"""The filters of the line, as a row: what is set stands in it, by key and by mouse it is changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from palace_cli.render.visible import one_line
from palace_cli.tui.seeking.line import FILTERS

LONGEST = 24
"""Characters of a value that are shown where there is room; the box has all of it."""


class Filter(Static, can_focus=True):
    """One filter: its name, and what is set."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "change", "Change", id="filter.change", tooltip="Change the filter.", show=False),
        Binding("backspace,delete", "clear", "Clear", id="filter.clear", tooltip="Take the filter out.", show=False),
        Binding("left", "go(-1)", "Before", id="filter.before", tooltip="Go to the filter before.", show=False),
        Binding("right", "go(1)", "Next", id="filter.next", tooltip="Go to the next filter.", show=False),
    ]

    class Asked(Message):
        """A filter is to be changed."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    class Cleared(Message):
        """A filter is to be taken out."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, name: str) -> None:
        super().__init__(id=f"filter-{name}", markup=False)
        self.of = name
        self.set: str | None = None

    def on_mount(self) -> None:
        """Show that nothing is set."""
        self.show(None)

    def show(self, value: str | None, longest: int = LONGEST) -> None:
        """Show so much of what is set; None for nothing."""
        self.set = value
        self.set_class(value is not None, "set")
        self.update(Content(_label(self.of, value, longest)))
        if value is not None and self.has_focus:
            self.call_after_refresh(self.scroll_visible, animate=False)

    def on_click(self, event: events.Click) -> None:
        """Change it; at its cross, take it out."""
        event.stop()
        self.focus()
        if self.set is not None and event.x >= self.size.width - 1:
            self.action_clear()
        else:
            self.action_change()

    def action_change(self) -> None:
        """Ask for another value."""
        self.post_message(self.Asked(self.of))

    def action_clear(self) -> None:
        """Take it out of the line."""
        if self.set is not None:
            self.post_message(self.Cleared(self.of))

    def action_go(self, by: int) -> None:
        """Go to one of its neighbours."""
        others = list(self.parent.query(Filter)) if isinstance(self.parent, FilterRow) else [self]
        others[(others.index(self) + by) % len(others)].focus()


class FilterRow(Horizontal):
    """All filters, in one row."""

    def __init__(self) -> None:
        super().__init__(id="filters")
        self._filters: Mapping[str, str] = {}

    def compose(self) -> ComposeResult:
        """One beside the other."""
        for name in FILTERS:
            yield Filter(name)

    def show(self, filters: Mapping[str, str]) -> None:
        """Show what the line says, and of it as much as there is room for."""
        self._filters = filters
        longest = LONGEST
        while longest and self._takes(longest) > self.size.width:
            longest -= 1
        for each in self.query(Filter):
            each.show(filters.get(each.of), longest)

    def on_resize(self) -> None:
        """Show as much as there is room for now."""
        self.show(self._filters)

    def _takes(self, longest: int) -> int:
        return sum(cell_len(_label(name, self._filters.get(name), longest)) + 1 for name in FILTERS)


def _label(name: str, value: str | None, longest: int) -> str:
    if value is None:
        return name
    if not longest:
        return f"{name}×"
    shown = one_line(value)
    return f"{name} {shown[:longest]}{'…' if len(shown) > longest else ''} ×"
