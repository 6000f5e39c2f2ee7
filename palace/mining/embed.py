"""Embeds pending passages in windows: read, embed, write; no transaction is open while the model runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from shlex import quote

import numpy as np

from palace.ai.embedders.protocol import Embedder, Vectors
from palace.budget import Purse
from palace.cancellation import go_on, unstopped
from palace.db.database import UserDatabase
from palace.db.vectors import list_pending, write_embeddings
from palace.errors import EmbeddingError
from palace.models import CallRecord, DailyBudget, Generation, PassageKey, doubts

WINDOW = 256
"""Passages embedded at a time: seconds of work, so an interruption takes effect soon."""
WORD = "dimension"
"""Test input for a model."""
BEGINNING = PassageKey(-1, -1)


@dataclass(slots=True)
class EmbeddingRun:
    """One pass over pending passages, and its results."""

    database: UserDatabase
    generation: Generation
    embedder: Embedder
    budget: Callable[[], DailyBudget] | None = None
    """Returns the daily limits of calls; None for no limits."""
    embedded: int = 0
    calls: list[CallRecord] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    """Oddities in the model's answers."""
    _stopped: bool = False

    def embed_pending(
        self, *, conversations: Sequence[int] | None = None, progress: Callable[[int], None] | None = None
    ) -> None:
        """Embed every pending passage, of ``conversations`` or of all.

        Raises:
            EmbeddingError: the model failed, or refused some texts and the others were embedded. Texts without a
                vector stay pending, and are found by keywords meanwhile.
        """
        after = BEGINNING
        refusal: EmbeddingError | None = None
        pending = partial(list_pending, generation_id=self.generation.id, conversations=conversations, limit=WINDOW)
        while not self._stopped and (window := self.database.run(partial(pending, after=after))):
            after = window[-1][0]
            refusal = self._embed(window) or refusal
            if progress:
                progress(self.embedded)
        if refusal:
            raise refusal

    def stop(self) -> None:
        """Stop after the current window; the remaining passages stay pending."""
        self._stopped = True

    def _embed(self, window: Sequence[tuple[PassageKey, str]]) -> EmbeddingError | None:
        """Embed a window without the texts that the model refuses; return the error about those, or None."""
        refusal: EmbeddingError | None = None
        while True:
            try:
                vectors = self.vectors_of([text for _, text in window])
                break
            except EmbeddingError as problem:
                kept = [each for index, each in enumerate(window) if index not in problem.refused]
                if not 0 < len(kept) < len(window):
                    raise
                window, refusal = kept, refusal or problem
        keys = [key for key, _ in window]
        with unstopped():
            self.embedded += self.database.run(
                lambda session: write_embeddings(session, self.generation.id, keys, vectors), flush=False
            )
        return refusal

    def vectors_of(self, texts: Sequence[str]) -> Vectors:
        """Embed one window of texts, each distinct one once: ``(n, dimension) float32`` in their order.

        The calls are written to the ledger, successful or not.

        Raises:
            BudgetSpent: the day's budget does not cover the call.
            EmbeddingError: the model did not answer, refused some of the texts, or gave vectors of another length than
                the generation's.
            Cancelled: the call under way was cancelled while the model was asked.
        """
        go_on()
        distinct = {text: index for index, text in enumerate(dict.fromkeys(texts))}
        try:
            done = self.purse.embed(self.embedder, list(distinct))
        except EmbeddingError as problem:
            self._note(problem.calls)
            problem.refused = frozenset(place for place, text in enumerate(texts) if distinct[text] in problem.refused)
            go_on()
            raise
        self._note(done.calls)
        if done.vectors.shape[1:] != (self.generation.dimension,):
            raise EmbeddingError(
                f"{self.embedder.model} gave vectors of {done.vectors.shape[-1]} numbers, this palace has"
                f" {self.generation.dimension}: run `palace embeddings switch {quote(self.embedder.model)}`"
            )
        return done.vectors[np.array([distinct[text] for text in texts], dtype=np.intp)]

    def _note(self, calls: Sequence[CallRecord]) -> None:
        self.calls += calls
        self.warnings += (doubt for doubt in doubts(calls) if doubt not in self.warnings)

    @property
    def purse(self) -> Purse:
        """The ledger access that pays for calls."""
        return Purse(self.database, self.budget)


def try_model(database: UserDatabase, embedder: Embedder) -> None:
    """Embed a word to verify that a model can be used; the call is in the ledger.

    Raises:
        EmbeddingError: it did not answer, or gave vectors of another length than it says.
    """
    done = Purse(database).embed(embedder, [WORD])
    if done.vectors.shape != (1, embedder.dimension):
        raise EmbeddingError(
            f"{embedder.model} gave vectors of {done.vectors.shape[-1]} numbers instead of {embedder.dimension}"
        )
