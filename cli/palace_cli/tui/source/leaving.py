"""Leaving: what is under way ends, so that nobody waits for a program that they have left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from weakref import WeakSet

from palace.cancellation import Cancellation, ended_by
from palace.errors import Cancelled

CHANGE_SECONDS = 0.8
"""How long what changes the palace may still take; what only reads ends at once."""


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
