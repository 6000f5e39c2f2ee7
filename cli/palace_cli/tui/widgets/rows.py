"""Rows to choose from, which keep the cursor where it is when they are listed anew."""

from __future__ import annotations

import re
from collections.abc import Iterable

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from palace_cli.render.visible import visible

Row = tuple[str | None, Content]
"""What it is known by, and what it shows; None of a heading, which cannot be chosen."""


class Rows(OptionList):
    """Rows of one line or several."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._rows: list[Row] = []

    def fill(self, rows: Iterable[Row]) -> None:
        """List rows in the place of those that are there; the cursor stays on its row, or near where that was."""
        rows = list(rows)
        if rows == self._rows:
            return
        self._rows = rows
        before, key = self.highlighted, self.chosen
        self.set_options([Option(content, id=row, disabled=row is None) for row, content in rows])
        keys = [option.id for option in self.options]
        if key is not None and key in keys:
            self.highlighted = keys.index(key)
        elif places := [place for place, each in enumerate(keys) if each is not None]:
            self.highlighted = min(places, key=lambda place: (abs(place - (before or 0)), place))

    @property
    def chosen(self) -> str | None:
        option = self.highlighted_option
        return option.id if option else None


def line(text: str, style: str = "") -> Content:
    """Make one line of text, harmless whatever it holds; columns stay where they are."""
    safe = visible(re.sub(r"\s", " ", text))
    return Content.styled(safe, style) if style else Content(safe)


def lines(*parts: Content) -> Content:
    """Put lines below each other."""
    return Content("\n").join(parts)
