"""The one place that calls the façade. Every method blocks, so screens call it from threads (``screens.asking``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from palace_cli.tui.source.changes import ChangeSource
from palace_cli.tui.source.drawers import DrawerSource
from palace_cli.tui.source.leaving import Leaving
from palace_cli.tui.source.pages.entities import EntitySource
from palace_cli.tui.source.pages.jobs import JobSource
from palace_cli.tui.source.pages.review import ReviewSource
from palace_cli.tui.source.pages.settings import SettingSource
from palace_cli.tui.source.seeking import SeekSource
from palace_cli.tui.source.tree import TreeSource

if TYPE_CHECKING:
    from palace.palace import Palace

Opening = Callable[[], "AbstractContextManager[Palace]"]


class Source:
    """A palace as the screens know it: what it is asked, by what is asked about."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._held = ExitStack()
        self._palace: Palace | None = None
        self.leaving = Leaving()
        """What ends what is under way."""

    def open(self) -> None:
        """Open the palace; the façade is imported now.

        Raises:
            PalaceError: it cannot be opened.
        """
        with self.leaving.under_way(changes=False):
            self._palace = self._held.enter_context(self._opening())
        if self.leaving.is_over:
            self.close()

    @contextmanager
    def asking(self, *, changes: bool) -> Iterator[None]:
        """Have what is asked in the block end when one leaves, and start no server that somebody stopped."""
        from palace.administration import leaving_stopped

        with self.leaving.under_way(changes=changes), leaving_stopped():
            yield

    def start(self) -> None:
        """Reach the server, started where it does not run: a person wants it."""
        from palace.administration import leaving_stopped

        with leaving_stopped(leaves=False):
            self.palace.tree.change()

    def close(self) -> None:
        """Give the palace back."""
        self._held.close()

    @property
    def is_open(self) -> bool:
        """Whether it is open by now."""
        return self._palace is not None

    @property
    def palace(self) -> Palace:
        """The palace; it has to be open."""
        assert self._palace is not None
        return self._palace

    @cached_property
    def tree(self) -> TreeSource:
        """What stands where."""
        return TreeSource(self.palace)

    @cached_property
    def entities(self) -> EntitySource:
        """Who and what messages name."""
        return EntitySource(self.palace)

    @cached_property
    def review(self) -> ReviewSource:
        """What there is to look through."""
        return ReviewSource(self.palace)

    @cached_property
    def jobs(self) -> JobSource:
        """Background work, and what it costs."""
        return JobSource(self.palace)

    @cached_property
    def settings(self) -> SettingSource:
        """What is set for oneself and for agents."""
        return SettingSource(self.palace)

    @cached_property
    def drawers(self) -> DrawerSource:
        """What was said."""
        return DrawerSource(self.palace)

    @cached_property
    def seek(self) -> SeekSource:
        """What is sought."""
        return SeekSource(self.palace)

    @cached_property
    def changes(self) -> ChangeSource:
        """What a person changes."""
        return ChangeSource(self.palace)
