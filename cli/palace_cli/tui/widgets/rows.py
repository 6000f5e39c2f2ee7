"""A list of rows that keeps its cursor when it is filled again."""

from __future__ import annotations

import re
from collections.abc import Iterable

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from palace_cli.render.visible import visible
from palace_cli.tui.places import DrawerChosen

Row = tuple[str | None, Content]
"""Its id and its text; a heading has no id and cannot be chosen."""


class Rows(OptionList):
    """Rows of one line or several."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._rows: list[Row] = []

    def fill(self, rows: Iterable[Row]) -> None:
        """Replace the rows; the cursor stays on its row, or near where that was."""
        rows = list(rows)
        if rows == self._rows:
            return
        self._rows = rows
        before, key = self.highlighted, self.chosen
        self.set_options([Option(content, id=row, disabled=row is None) for row, content in rows])
        if self.go_to(key):
            return
        keys = [option.id for option in self.options]
        if places := [place for place, each in enumerate(keys) if each is not None]:
            self.highlighted = min(places, key=lambda place: (abs(place - (before or 0)), place))

    def go_to(self, id: str | None) -> bool:
        """Move the cursor to the row of an id; return False if there is none."""
        keys = [option.id for option in self.options]
        if id is None or id not in keys:
            return False
        self.highlighted = keys.index(id)
        return True

    @property
    def chosen(self) -> str | None:
        option = self.highlighted_option
        return option.id if option else None


class PointerRows(Rows):
    """Rows whose ids end with the pointer of a drawer, behind the number of the row. Choosing one goes to it."""

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id is not None:
            self.post_message(DrawerChosen(event.option.id.partition(" ")[2], jumps=True))


def line(text: str, style: str = "") -> Content:
    """Return text as one line without control characters; whitespace keeps its columns."""
    safe = visible(re.sub(r"\s", " ", text))
    return Content.styled(safe, style) if style else Content(safe)


def lines(*parts: Content) -> Content:
    """Join lines."""
    return Content("\n").join(parts)
