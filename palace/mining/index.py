"""Indexing what was filed, while more is being filed: embeddings in one thread, topics in another.

The threads meet in the database alone. What one leaves undone is pending there, for the next run to do.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from palace.mining.closets import draw_topics
from palace.mining.embed import EmbeddingRun
from palace.records import MineProgress
from palace.store.counts import fold_counts, refresh_statistics
from palace.store.filing.closets import list_topics_pending
from palace.store.vectors.generations import count_pending

BATCH = 48
"""Conversations that are indexed together: enough passages to sort by length, few enough to begin early."""


class Indexer:
    """Embeds and draws topics in the background of a ``with`` block; leaving the block waits for both."""

    def __init__(self, embedding: EmbeddingRun, report: Callable[[MineProgress], None]) -> None:
        self._embedding = embedding
        self._report = report
        self._embedder = ThreadPoolExecutor(max_workers=1, thread_name_prefix="palace-embed")
        self._drawer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="palace-topics")
        self._waiting: list[int] = []
        self._work: list[Future[None]] = []
        self._to_embed = self._to_draw = self._drawn = 0
        self.closets = 0
        """Closets of the conversations whose topics were drawn."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._send()
                while self._work:
                    self._work.pop(0).result()
        finally:
            self._embedding.stop()
            self._embedder.shutdown(cancel_futures=True)
            self._drawer.shutdown(cancel_futures=True)

    def add(self, conversation_id: int) -> None:
        """Take a conversation that waits for embeddings or topics.

        Raises whatever went wrong in the background since.
        """
        self._waiting.append(conversation_id)
        if len(self._waiting) >= BATCH:
            self._send()
        while self._work and self._work[0].done():
            self._work.pop(0).result()

    def _send(self) -> None:
        if self._waiting:
            batch, self._waiting = self._waiting, []
            self._work.append(self._embedder.submit(self._embed, batch))

    def _embed(self, batch: list[int]) -> None:
        run = self._embedding
        run.database.run(fold_counts, flush=False)
        run.database.run(refresh_statistics, flush=False)
        self._to_embed += run.database.run(
            lambda session: count_pending(session, run.generation.id, conversations=batch)
        )
        run.embed_pending(
            conversations=batch, progress=lambda done: self._report(MineProgress("embed", done, self._to_embed))
        )
        # Listed last, so that whoever waits for this batch finds its topics behind it.
        self._work.append(self._drawer.submit(self._draw, batch))

    def _draw(self, batch: list[int]) -> None:
        run = self._embedding
        pending = run.database.run(lambda session: list_topics_pending(session, batch))
        self._to_draw += len(pending)
        for conversation_id in pending:
            self.closets += draw_topics(run.database, conversation_id, run.generation.id)
            self._drawn += 1
            self._report(MineProgress("topics", self._drawn, self._to_draw))
