"""The palace's embeddings: their status, backfilling, and changing the model."""

from __future__ import annotations

import time
from shlex import quote

from palace.ai.embedders.names import is_same_model
from palace.ai.embedders.protocol import Embedder
from palace.budget import budget_of
from palace.cancellation import Cancellation, ended_by
from palace.db.database import UserSession
from palace.db.generations import (
    count_pending,
    drop_filling,
    ensure_generation,
    flip_to,
    list_generations,
    start_filling,
)
from palace.db.settings import follow_setting
from palace.errors import EmbeddingError
from palace.mining.embed import EmbeddingRun, try_model
from palace.mining.index import Runner
from palace.models import BackfillSummary, Generation, GenerationStatus, OnProgress, Phase, Progress, intake
from palace.opened import Verbs, unfinished_switches


class EmbeddingVerbs(Verbs):
    """The palace's embeddings: their status, backfilling, and changing the model."""

    def status(self) -> tuple[GenerationStatus, ...]:
        """List the user's generations, the active one first; empty before the first mining."""
        with self._opened.session() as session:
            return list_generations(session)

    def backfill(self, *, progress: OnProgress | None = None, cancel: Cancellation | None = None) -> BackfillSummary:
        """Run every pending index step of all conversations: passages, embeddings, topics.

        Steps that failed before are tried again. After an interruption or cancellation the same call continues.

        Raises:
            Cancelled: ``cancel`` was cancelled.
        """
        started, opened = time.monotonic(), self._opened
        with ended_by(cancel):
            work = opened.work(progress)
            runner = Runner(work, asked=True)
            runner.run()
            pending = opened.run(lambda session: count_pending(session, work.embedding.generation.id))
            opened.index_if_large(progress)
        return BackfillSummary(
            embedded=work.embedded,
            pending=pending,
            cost_usd=work.cost_usd,
            seconds=time.monotonic() - started,
            warnings=(*runner.warnings, *self.unfinished()),
        )

    def unfinished(self) -> tuple[str, ...]:
        """Return, for each unfinished switch, how to continue it and how to go back."""
        return unfinished_switches(self.status())

    def switch(
        self,
        model: str,
        *,
        dimension: int | None = None,
        progress: OnProgress | None = None,
        cancel: Cancellation | None = None,
    ) -> GenerationStatus:
        """Change the model: fill a new generation beside the active one, then make it the active one.

        Until the last passage is embedded, recall uses the old generation. After an interruption or cancellation the
        same call continues, and a call with the active model goes back.

        Raises:
            BadRequest: the model's name is invalid.
            EmbeddingError: the model does not answer. If it fails at the first test, nothing has changed; if later,
                what is embedded so far is kept.
            Cancelled: ``cancel`` was cancelled; what is embedded so far is kept.
        """
        model = intake.name("model", model) or model
        with ended_by(cancel):
            return self._switch(model, dimension, progress)

    def _switch(self, model: str, dimension: int | None, progress: OnProgress | None) -> GenerationStatus:
        opened = self._opened
        active = opened.find_generation()
        is_width = active is not None and dimension in (None, active.dimension)
        embedder = None
        if active is None or active.model != model or not is_width:
            embedder = opened.embedders.switched_to(model, dimension)
        if active is not None and is_width and (embedder is None or is_same_model(embedder.model, active.model)):
            embedder = None
            opened.database.run(drop_filling)
        else:
            assert embedder is not None
            self._fill(embedder, progress, back=active)
        opened.run(lambda session: follow_setting(session, "embedding_model", model))
        if embedder is not None:
            opened.index_if_large(progress)
        return self.status()[0]

    def _fill(self, embedder: Embedder, progress: OnProgress | None, *, back: Generation | None) -> None:
        opened = self._opened
        try_model(opened.database, embedder)
        name, width = embedder.model, opened.embedders.width(embedder)

        def begin(session: UserSession) -> Generation:
            generation = ensure_generation(session, model=name, dimension=width, normalised=embedder.normalised)
            start_filling(session, generation)
            return generation

        run = EmbeddingRun(opened.database, opened.database.run(begin), embedder, budget_of(opened.settings))
        total = run.database.run(lambda session: count_pending(session, run.generation.id)) if progress else 0

        def tell(done: int) -> None:
            if progress:
                progress(Progress(Phase.EMBED, done, max(done, total), "passages", run.generation.model))

        # Mining goes on meanwhile; its passages are pending too, so the flip may fail a few times.
        while True:
            try:
                run.embed_pending(progress=tell)
            except EmbeddingError as problem:
                way_back = f", or `palace embeddings switch {quote(back.model)}` to go back" if back else ""
                told = f"not everything is embedded: {problem}; run the same command again to go on{way_back}"
                raise EmbeddingError(told) from problem
            if run.database.run(lambda session: flip_to(session, run.generation)):
                return
