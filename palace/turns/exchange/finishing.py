"""Finishing a turn: file what was said, or have it wait; what waits already goes first, so that order is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from palace.errors import OutboxError, PalaceError
from palace.turns.exchange.exchange import Exchange
from palace.turns.exchange.filing import Filer
from palace.turns.exchange.outbox import Emptied, Outbox
from palace.turns.loop.guard import Guard, Outcome, log_failure
from palace.turns.loop.turn import Finished

SHARE = 0.8
"""Of the time for finishing, what may go into what waits already."""


@dataclass(slots=True)
class _Came:
    """What came of filing, left by a thread that may be left behind."""

    new: int = 0
    waits: bool = False
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Finishing:
    """Files the exchanges of one palace, or keeps them until it can; safe to share."""

    filer: Filer
    outbox: Outbox
    hide: Callable[[str], str] = str
    """Takes the secrets out of a text that is to wait."""
    guard: Guard = field(default_factory=Guard)

    def finish(self, exchange: Exchange, seconds: float) -> Finished:
        """File an exchange within so many seconds, or put it into the outbox."""
        came, started = _Came(), time.perf_counter()
        if not self.outbox.is_empty:
            return self._behind_others(exchange, seconds, started)

        def work() -> None:
            came.new = self.filer.file(exchange)

        # What takes long is worth ending: it waits in the outbox meanwhile, where it is found to be filed.
        outcome = self.guard.run(work, seconds, stops=False)
        if outcome.is_done:
            return Finished(is_filed=True, drawers_new=came.new)
        log_failure("turn_finished", outcome, step="file", started=started)
        return self._wait(exchange, outcome.note)

    def empty(self, seconds: float | None = None) -> Emptied:
        """File what waits; in the caller's thread, for as long as it takes unless told otherwise."""
        return self.outbox.empty(self.filer.file, seconds=seconds)

    def _behind_others(self, exchange: Exchange, seconds: float, started: float) -> Finished:
        """Put an exchange behind those that wait, then file as many of them as there is time for."""
        waiting, emptied = self._wait(exchange, ""), [Emptied()]
        if not waiting.is_waiting:
            return waiting

        def work() -> None:
            emptied[0] = self.empty(seconds * SHARE)
            if emptied[0].problem:
                raise emptied[0].problem

        outcome = self.guard.run(work, seconds, stops=False)
        if not outcome.is_done:
            log_failure("turn_finished", outcome, step="outbox", started=started)
            return Finished(is_waiting=True, notes=(outcome.note,))
        refused = emptied[0].refused
        notes = (f"{refused} exchanges can never be filed: they are kept in {self.outbox.refused_path}",)
        is_left = not self.outbox.is_empty
        return Finished(is_filed=not is_left, is_waiting=is_left, notes=notes if refused else ())

    def _wait(self, exchange: Exchange, note: str) -> Finished:
        notes = (f"{note}: what was said waits in the outbox",) if note else ()
        try:
            self.outbox.add(exchange.with_texts(self.hide))
        except PalaceError as problem:
            log_failure("turn_finished", Outcome(OutboxError.code), step="outbox", started=time.perf_counter())
            return Finished(notes=(*((note,) if note else ()), str(problem)))
        return Finished(is_waiting=True, notes=notes)
