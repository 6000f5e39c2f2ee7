"""What every part of a freeze is made from: the data, the embeddings that are kept, a palace of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.harness import home_settings
from bench.retrieval.embeddings import KeptEmbeddings
from palace import Embedder, Palace, Palaces, Settings, Strategy
from palace.ai.embedders.registry import embedder_for

Line = dict[str, Any]
"""One item of a part: an ``id`` and what came of it; ``of`` names the group it is scored in, ``scores`` its figures."""

ALWAYS_EXACT = {"exact_up_to": 100_000_000, "quantised_up_to": 100_000_000}
STRATEGY = Strategy.of({"scan": ALWAYS_EXACT, "keyword": {"budget_ms": 60_000}})
"""Recall as it comes, without what is not the same twice.

An HNSW index is built by lot, a scan of quantised vectors cuts among equals, a budget feels the load.
"""


@dataclass(frozen=True, slots=True)
class Ground:
    """A folder with a server and palaces of its own."""

    folder: Path
    settings: Settings
    embedder: Embedder

    def palaces(self) -> Palaces:
        """Open its palaces, to be closed by the caller."""
        return Palaces.open(self.settings, embedder=self.embedder, strategy=STRATEGY)

    def palace(self, user: str) -> Palace:
        """Open the palace of one user, to be closed by the caller."""
        return Palace.open(self.settings, user=user, embedder=self.embedder, strategy=STRATEGY)


@dataclass(frozen=True, slots=True)
class Context:
    """What is frozen, and how much of it."""

    data: Path
    """The folder with ``longmemeval`` and ``locomo``."""
    cache: Path
    """Where embeddings are kept from one run to the next."""
    corpus: Path
    """The folder of the files that are mined."""
    is_quick: bool = False
    """Whether a fixed sample is enough."""
    embedder: Embedder | None = None
    """In the place of the bundled model."""

    @contextmanager
    def ground(self, part: str) -> Iterator[Ground]:
        """Start a server in a folder that is gone afterwards; days are those of UTC."""
        with home_settings(timezone="UTC", worker_starts=False) as settings:
            # A folder for each part: two processes do not write one file.
            model = embedder_for(settings.embedding_model, settings)
            embedder = self.embedder or KeptEmbeddings(model, self.cache / part)
            try:
                yield Ground(settings.home_folder.parent, settings, embedder)
            finally:
                if isinstance(embedder, KeptEmbeddings):
                    embedder.save()
