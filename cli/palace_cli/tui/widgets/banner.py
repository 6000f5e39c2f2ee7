"""The banner: that the database is gone, until it is back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.content import Content
from textual.widgets import Static


class Banner(Static):
    """A line or two above everything; not there while all is well."""

    def __init__(self) -> None:
        super().__init__(id="banner", markup=False)
        self.display = False
        self._waiting: dict[str, Callable[[], Any]] = {}

    def say(self, told: str, group: str, again: Callable[[], Any]) -> None:
        """Say what is wrong, and keep what is to be asked again: of each group the last."""
        # What is to be done stands first: the rest may be longer than there is room for.
        self.update(Content(f"ctrl+r tries again: {told}"))
        self._waiting[group] = again
        self.display = True

    def retry(self) -> None:
        """Ask again what waits."""
        waiting, self._waiting = self._waiting, {}
        for again in waiting.values():
            again()

    def clear(self) -> None:
        """All is well: what waited is asked again, and the banner goes."""
        if self.display:
            self.display = False
            self.retry()

    async def on_click(self) -> None:
        """A click asks again too."""
        await self.run_action("screen.retry")
