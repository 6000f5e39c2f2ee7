"""The palace behind the screens: opened and asked from threads, and left without waiting for what is under way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cached_property
from threading import Timer
from typing import TYPE_CHECKING
from weakref import WeakSet

from palace.cancellation import Cancellation, ended_by
from palace.errors import Cancelled
from palace_cli.tui.listing import Listing

if TYPE_CHECKING:
    from palace.api.palace import Palace

Opening = Callable[[], "AbstractContextManager[Palace]"]
CHANGE_SECONDS = 0.8
"""How long what changes the palace may still take when a person leaves; what only reads ends at once."""


class Leaving:
    """Knows what is under way, and ends it when a person leaves."""

    def __init__(self) -> None:
        self._reads, self._changes = Cancellation(), Cancellation()
        self._others: WeakSet[Cancellation] = WeakSet()
        self.is_over = False
        """Whether they left."""
        self.is_undone = False
        """Whether a change was under way then, and was not made."""

    @contextmanager
    def under_way(self, *, changes: bool) -> Iterator[None]:
        """Let what is done in the block end when they leave."""
        try:
            with ended_by(self._changes if changes else self._reads):
                yield
        except Cancelled:
            self.is_undone = self.is_undone or changes
            raise

    def cancellation(self) -> Cancellation:
        """Make one for something that may also end sooner."""
        made = Cancellation()
        self._others.add(made)
        if self.is_over:
            made.cancel()
        return made

    def leave(self) -> None:
        """End what is under way. What is cancelled is rolled back: nothing is half done."""
        if self.is_over:
            return
        self.is_over = True
        for each in (self._reads, *self._others):
            each.cancel()
        later = Timer(CHANGE_SECONDS, self._changes.cancel)
        later.daemon = True
        later.start()


class Source:
    """The palace, once it is open. What asks it blocks, so screens do so in threads (``screens.asking``)."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._held = ExitStack()
        self._palace: Palace | None = None
        self.leaving = Leaving()
        self.doubtful: int | None = None
        """How many names were doubtful when they were reviewed last; None as long as nobody looked."""

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
        from palace.db.embedded.server import leaving_stopped

        with self.leaving.under_way(changes=changes), leaving_stopped():
            yield

    def start(self) -> None:
        """Reach the server, started where it does not run: a person wants it."""
        from palace.db.embedded.server import leaving_stopped

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
    def listing(self) -> Listing:
        """What stands where."""
        return Listing(self.palace)
