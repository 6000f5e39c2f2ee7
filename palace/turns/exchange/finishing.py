"""Finishing a turn: file what was said, or have it wait; what waits already goes first, so that order is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from palace.turns.exchange.exchange import Exchange
from palace.turns.exchange.filing import Filer
from palace.turns.exchange.outbox import Emptied, Outbox
from palace.turns.loop.guard import Guard, log_failure
from palace.turns.loop.turn import Finished

SHARE = 0.8
"""Of the time for finishing, what may go into filing; the rest is for the outbox."""
LEAST_WRITING = 0.2
"""Seconds that an exchange has to be written, whatever filing took: milliseconds are enough."""
MOST_WRITING = 1_000
"""Exchanges that may be on their way into the outbox behind their deadline: none is lost for those before it."""


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
    writing: Guard = field(default_factory=lambda: Guard(most=MOST_WRITING))

    def finish(self, exchange: Exchange, seconds: float, *, is_away: bool = False) -> Finished:
        """File an exchange within so many seconds, or put it into the outbox; at once where the database is away."""
        started = time.perf_counter()
        if is_away:
            return self._wait(exchange, "the database did not answer", seconds)
        if not self.outbox.is_empty:
            return self._behind_others(exchange, seconds, started)
        return self._file(exchange, seconds, started)

    def _file(self, exchange: Exchange, seconds: float, started: float) -> Finished:
        came = _Came()

        def work() -> None:
            came.new = self.filer.file(exchange)

        # What takes long is worth ending: it waits in the outbox meanwhile, where it is found to be filed.
        outcome = self.guard.run(work, seconds * SHARE, stops=False)
        if outcome.is_done:
            return Finished(is_filed=True, drawers_new=came.new)
        log_failure("turn_finished", outcome, step="file", started=started)
        return self._wait(exchange, outcome.note, seconds - (time.perf_counter() - started))

    def empty(self, seconds: float | None = None) -> Emptied:
        """File what waits; in the caller's thread, for as long as it takes unless told otherwise."""
        return self.outbox.empty(self.filer.file, seconds=seconds)

    def _behind_others(self, exchange: Exchange, seconds: float, started: float) -> Finished:
        """Put an exchange behind those that wait, then file as many of them as there is time for."""
        waiting, emptied = self._wait(exchange, "", seconds), [Emptied()]
        left = seconds - (time.perf_counter() - started)
        if left <= 0:
            return waiting
        if not waiting.is_waiting:  # rather out of order than lost
            return self._file(exchange, left, time.perf_counter())

        def work() -> None:
            emptied[0] = self.empty(left * SHARE)
            if emptied[0].problem:
                raise emptied[0].problem

        outcome = self.guard.run(work, left, stops=False)
        if not outcome.is_done:
            log_failure("turn_finished", outcome, step="outbox", started=started)
            return Finished(is_waiting=True, notes=(outcome.note,))
        refused = emptied[0].refused
        notes = (f"{refused} exchanges can never be filed: they are kept in {self.outbox.refused_path}",)
        is_left = not self.outbox.is_empty
        return Finished(is_filed=not is_left, is_waiting=is_left, notes=notes if refused else ())

    def _wait(self, exchange: Exchange, note: str, seconds: float) -> Finished:
        """Put an exchange into the outbox; what takes longer goes on, and is there when it ends."""
        started = time.perf_counter()

        def work() -> None:
            self.outbox.add(exchange.with_texts(self.hide))

        outcome = self.writing.run(work, max(seconds, LEAST_WRITING), stops=False)
        why = (note,) if note else ()
        if outcome.is_done:
            return Finished(is_waiting=True, notes=tuple(f"{each}: what was said waits in the outbox" for each in why))
        log_failure("turn_finished", outcome, step="outbox", started=started)
        if outcome.code == "timeout":
            return Finished(
                notes=(*why, "what was said is looked through for secrets: it waits in the outbox behind that")
            )
        return Finished(notes=(*why, outcome.note))
