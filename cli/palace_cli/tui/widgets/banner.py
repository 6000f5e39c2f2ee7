"""The banner: that the database is gone, until it is back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.content import Content
from textual.widgets import Static


class Banner(Static):
    """One line above everything; not there while all is well."""

    def __init__(self) -> None:
        super().__init__(id="banner", markup=False)
        self.display = False
        self._waiting: list[Callable[[], Any]] = []

    def say(self, told: str, again: Callable[[], Any]) -> None:
        """Say what is wrong, and keep what is to be asked again."""
        self.update(Content(f"{told}  [ctrl+r tries again]"))
        self._waiting.append(again)
        self.display = True

    def retry(self) -> None:
        """Ask again what waits."""
        waiting, self._waiting = self._waiting, []
        for again in waiting:
            again()

    def clear(self) -> None:
        """All is well."""
        if self.display:
            self.display = False
            self.retry()

    def on_click(self) -> None:
        """A click asks again too."""
        self.retry()
