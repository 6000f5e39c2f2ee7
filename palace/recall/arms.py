"""Running the arms: each proposes drawers on its own, side by side, on a connection of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from shlex import quote

from palace.embedding.protocol import Embedder
from palace.errors import EmbeddingError
from palace.recall.fuse import WEIGHTS, Weights
from palace.recall.reading import Reading
from palace.recall.request import RecallRequest
from palace.records import CallRecord, Candidate, Compared, Generation, Scope, doubts
from palace.store.candidates.compare import compare_drawers
from palace.store.candidates.keyword import Worded, search_words
from palace.store.candidates.semantic import Scan, choose_scan, semantic_candidates
from palace.store.candidates.words import QueryWords
from palace.store.counts import count_vectors
from palace.store.database import Database, UserSession
from palace.store.ledger import record_calls
from palace.store.vectors.index import has_index

PASSAGES = 100
"""Passages, and rooms, that the keyword arm proposes."""

VECTORS = 150
"""Vectors that the semantic arm proposes: a drawer may have several."""

VECTORS_IN_TIME = 60
"""Vectors that it proposes within each time the query speaks of."""

LONGEST_WINDOW = timedelta(days=62)
"""A time that is longer than this holds too much to be worth looking through by itself."""

PURPOSE = "memory_embed"

Model = tuple[Generation, Embedder]
Near = tuple[Generation, Sequence[float]]


@dataclass(slots=True)
class Proposals:
    """What the arms propose, and what went wrong on the way."""

    worded: Worded = field(default_factory=Worded)
    words: QueryWords = field(default_factory=lambda: QueryWords((), ()))
    near: Near | None = None
    """The query's own vector; None where it has none."""
    nearest: Sequence[Candidate] = ()
    warnings: list[str] = field(default_factory=list)
    timings_ms: dict[str, float] = field(default_factory=dict)

    @property
    def drawer_ids(self) -> list[int]:
        """Every drawer proposed, once."""
        return list(dict.fromkeys(each.key.drawer_id for each in (*self.nearest, *self.worded.passages)))

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Note how long a step takes."""
        started = time.perf_counter()
        yield
        self.timings_ms[step] = (time.perf_counter() - started) * 1000


@dataclass(frozen=True, slots=True)
class Arms:
    """The arms over one user's palace."""

    database: Database
    user_id: int
    find_model: Callable[[], Model | None]
    """Gives the active generation and its embedder; None before anything was mined."""
    weights: Weights = WEIGHTS

    def propose(self, request: RecallRequest, reading: Reading) -> Proposals:
        """Ask every arm. Without the model the keywords answer alone, with a warning.

        Raises:
            EmbeddingError: the settings name another model than the palace has.
        """
        proposals = Proposals()
        with ThreadPoolExecutor(max_workers=1) as pool:
            semantic = pool.submit(self._semantic, request, reading, proposals)
            with proposals.timed("keyword"), self.database.transaction(self.user_id) as session:
                found = search_words(session, request.query, scope=request.scope, limit=PASSAGES)
                proposals.words, proposals.worded = found
            if proposals.worded.is_cut:
                proposals.warnings.append("the keywords took too long and propose nothing")
            semantic.result()
        return proposals

    def _semantic(self, request: RecallRequest, reading: Reading, proposals: Proposals) -> None:
        model = self.find_model()
        if model is None:
            return
        generation, embedder = model
        with proposals.timed("embed"):
            try:
                embedded = embedder.embed_queries([request.query])
            except EmbeddingError as problem:
                proposals.warnings.append(f"keywords only, the query could not be embedded: {problem}")
                self._record(problem.calls, proposals)
                return
        self._record(embedded.calls, proposals)
        vector = embedded.vectors[0].tolist()
        with proposals.timed("semantic"), self.database.transaction(self.user_id) as session:
            proposals.nearest = _nearest(session, generation, vector, request.scope, reading)
        proposals.near = generation, vector

    def _record(self, calls: Sequence[CallRecord], proposals: Proposals) -> None:
        proposals.warnings.extend(doubts(calls))
        if calls:
            self.database.run(self.user_id, lambda session: record_calls(session, PURPOSE, calls))


def compare(session: UserSession, proposals: Proposals, request: RecallRequest, reading: Reading) -> list[Compared]:
    """Compare every drawer that an arm proposes in every way, so that no arm's silence counts against it.

    What took the place of one is compared as well, unless the caller said where to look.
    """
    windows = [(window.start, window.end) for window in reading.windows]
    compared: list[Compared] = []
    wanted = set(proposals.drawer_ids)
    while wanted:
        compared += compare_drawers(
            session, sorted(wanted), proposals.words, proposals.near, windows=windows, scope=request.scope
        )
        if not request.scope.is_open:
            break
        seen = {drawer.passage.drawer_id for drawer in compared} | wanted
        wanted = {drawer.replaced_by for drawer in compared if drawer.replaced_by is not None} - seen
    return compared


def _nearest(
    session: UserSession, generation: Generation, vector: Sequence[float], scope: Scope, reading: Reading
) -> list[Candidate]:
    if len(vector) != generation.dimension:
        raise EmbeddingError(
            f"the model gives {len(vector)} numbers, this palace's embeddings have {generation.dimension}:"
            f" run `palace embeddings switch {quote(generation.model)}`"
        )
    scan = choose_scan(
        vectors=count_vectors(session),
        dimension=generation.dimension,
        scope=scope,
        has_index=lambda: has_index(session, generation.id),
    )
    found = semantic_candidates(session, generation, vector, scope=scope, scan=scan, limit=VECTORS)
    if scan is not Scan.HNSW:
        for within in _scopes_in_time(scope, reading):
            exact = Scan.EXACT
            found += semantic_candidates(session, generation, vector, scope=within, scan=exact, limit=VECTORS_IN_TIME)
    return found


def _scopes_in_time(scope: Scope, reading: Reading) -> list[Scope]:
    if scope.since or scope.until:
        return []
    return [
        replace(scope, since=window.start - window.softness, until=window.end + window.softness)
        for window in reading.windows
        if window.end - window.start <= LONGEST_WINDOW
    ]
