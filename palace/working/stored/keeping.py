"""Choosing what is sent of a conversation whose checkpoint a palace keeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from palace.cancellation import unstopped
from palace.errors import PalaceError
from palace.records import OnProgress
from palace.working.kept import Kept, WorkingMemory
from palace.working.shape import Entry, entries_of
from palace.working.stored.checkpoints import Checkpoints, Claim, Talk
from palace.working.stored.hiding import Hiding, HidingSummariser
from palace.working.summary.buffer import SummaryBuffer

GONE = "the summary was not kept: what it sums up was forgotten meanwhile, or somebody else renewed it"


@dataclass(frozen=True, slots=True)
class KeepingUp:
    """Keeps conversations of one user within what a model takes, going on from what is stored; safe to share.

    Nothing that the database or a model does keeps the messages back.
    """

    checkpoints: Checkpoints
    rules: Callable[[], Hiding]
    """Looked up each time something is summed up."""

    def keep(
        self,
        memory: WorkingMemory,
        history: Sequence[Any],
        talk: Talk | None,
        *,
        asks: bool = True,
        progress: OnProgress | None = None,
    ) -> Kept:
        """Choose what is sent of a history, and keep the checkpoint of one that is summed up.

        Raises:
            BadRequest: the history is none.
        """
        if not isinstance(memory, SummaryBuffer):
            return memory.keep(history)
        memory = replace(memory, summariser=HidingSummariser(memory.summariser, self.rules))
        if talk is None:
            return memory.keep(history, asks=asks, progress=progress)
        one = _One(self.checkpoints, memory, history, entries_of(history), talk, progress)
        try:
            checkpoint = self.checkpoints.find(talk, one.entries)
        except PalaceError as problem:
            kept = memory.keep(history, self.checkpoints.known(talk), asks=asks, progress=progress)
            return _warned(kept, f"the summary of this conversation could not be looked up: {problem}")
        kept = memory.keep(history, checkpoint, asks=False)
        return one.renewed(kept) if asks and may_ask(kept, len(history)) else kept


@dataclass(frozen=True, slots=True)
class _One:
    """One history, of which a summary is due."""

    checkpoints: Checkpoints
    memory: SummaryBuffer
    history: Sequence[Any]
    entries: Sequence[Entry]
    talk: Talk
    progress: OnProgress | None

    def renewed(self, kept: Kept) -> Kept:
        """Sum it up, unless somebody does; ``kept`` is what is sent of it else."""
        try:
            claim = self.checkpoints.claim(self.talk, self.entries)
        except PalaceError as problem:
            return _warned(kept, f"older messages were not summed up: {problem}")
        if claim is None:
            return kept  # the next request has what comes of that
        try:
            kept = self.memory.keep(self.history, claim.checkpoint, progress=self.progress)
        except BaseException:
            with unstopped():
                self.checkpoints.release(self.talk, claim.revision)
            raise
        return self._settled(kept, claim)

    def _settled(self, kept: Kept, claim: Claim) -> Kept:
        assert kept.checkpoint is not None
        model = kept.calls[-1].model if kept.calls else None
        try:
            with unstopped():
                is_kept = self.checkpoints.settle(self.talk, claim.revision, kept.checkpoint, self.entries, model)
        except PalaceError as problem:
            return _warned(kept, f"the summary was not kept: {problem}")
        return kept if is_kept else _warned(kept, GONE)


def may_ask(kept: Kept, length: int) -> bool:
    """Tell whether a summary is due, and the last attempt not too recent."""
    return kept.is_due and (kept.checkpoint is None or kept.checkpoint.may_try(length))


def _warned(kept: Kept, warning: str) -> Kept:
    return replace(kept, warnings=(*kept.warnings, warning))
