"""Screens beside the first, each behind a key and in the palette. Who builds one enters it here.

The class is imported when it is opened, so that the first paint does not wait for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from textual.binding import Binding
from textual.screen import Screen


@dataclass(frozen=True, slots=True)
class PageOf:
    """A screen that one goes to from anywhere."""

    name: str
    """What it is called in the palette and the help."""
    key: str
    where: str
    """Module and class, ``palace_cli.tui.screens.jobs:JobsScreen``."""
    tooltip: str

    @property
    def binding(self) -> Binding:
        """The key that opens it."""
        action = f"app.open_page('{self.name}')"
        return Binding(
            self.key, action, self.name.capitalize(), id=f"page.{self.name}", tooltip=self.tooltip, show=False
        )

    def make(self) -> Screen[Any]:
        """Make the screen."""
        module, _, name = self.where.partition(":")
        made: Screen[Any] = getattr(import_module(module), name)()
        return made


PAGES: tuple[PageOf, ...] = ()
