"""The palace behind the screens: it is opened and asked from threads, and closed without waiting for them."""

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
from palace_cli.tui.reviewing import Done

if TYPE_CHECKING:
    from palace.api.palace import Palace

Opening = Callable[[], "AbstractContextManager[Palace]"]
CHANGE_SECONDS = 0.8
"""How long a change may still take when a person quits; reads end at once."""


class Leaving:
    """Cancels what is under way when a person quits."""

    def __init__(self) -> None:
        self._reads, self._changes = Cancellation(), Cancellation()
        self._others: WeakSet[Cancellation] = WeakSet()
        self.is_over = False
        """Whether they have quit."""
        self.is_undone = False
        """Whether a change was cancelled by it."""

    @contextmanager
    def under_way(self, *, changes: bool) -> Iterator[None]:
        """Cancel the block when the person quits."""
        try:
            with ended_by(self._changes if changes else self._reads):
                yield
        except Cancelled:
            self.is_undone = self.is_undone or changes
            raise

    def cancellation(self) -> Cancellation:
        """Make a cancellation for a call that may also be cancelled sooner."""
        made = Cancellation()
        self._others.add(made)
        if self.is_over:
            made.cancel()
        return made

    def leave(self) -> None:
        """Cancel what is under way; its transaction is rolled back, so nothing is half done."""
        if self.is_over:
            return
        self.is_over = True
        for each in (self._reads, *self._others):
            each.cancel()
        later = Timer(CHANGE_SECONDS, self._changes.cancel)
        later.daemon = True
        later.start()


class Source:
    """The palace, once it is open. Calls block, so screens make them in threads (``screens.asking``)."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._stack = ExitStack()
        self._palace: Palace | None = None
        self.leaving = Leaving()
        self.past: list[Done] = []
        """What was changed since it was opened, the last change last."""
        self.changing: set[object] = set()
        """The changes that are under way."""
        self.doubtful: int | None = None
        """How many doubtful names the review listed last; None before it did."""

    def open(self) -> None:
        """Open the palace.

        Raises:
            PalaceError: it cannot be opened.
        """
        with self.leaving.under_way(changes=False):
            self._palace = self._stack.enter_context(self._opening())
        if self.leaving.is_over:
            self.close()

    @contextmanager
    def asking(self, *, changes: bool) -> Iterator[None]:
        """Cancel the block when the person quits; it starts no server that somebody has stopped."""
        from palace.db.embedded.server import leaving_stopped

        with self.leaving.under_way(changes=changes), leaving_stopped():
            yield

    def start(self) -> None:
        """Reach the server, and start it if it was stopped: the person has asked for it."""
        from palace.db.embedded.server import leaving_stopped

        with leaving_stopped(leaves=False):
            self.palace.tree.change()

    def close(self) -> None:
        """Close the palace."""
        self._stack.close()

    @property
    def is_open(self) -> bool:
        """Whether it is open."""
        return self._palace is not None

    @property
    def palace(self) -> Palace:
        """The open palace."""
        assert self._palace is not None
        return self._palace

    @cached_property
    def listing(self) -> Listing:
        """Lists the places of the palace."""
        return Listing(self.palace)
