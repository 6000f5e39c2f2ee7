"""Answers a request: propose, compare, fuse, apply the floor, load, rerank."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from palace.cancellation import go_on
from palace.db.database import UserSession
from palace.db.graph.naming import ask_entity_names
from palace.models import FloorLevel, Hit, Recollection, TimeAsked
from palace.recall.comparison import Comparison, compare_proposed
from palace.recall.floor import CUTS, UNKNOWN, hits_wanted, within_budget, without_tail
from palace.recall.fuse import Fused, Fusion, fuse
from palace.recall.hits import chance_of, choose, in_order, load_hits
from palace.recall.propose import NO_WORDS, Asked, Proposals, propose
from palace.recall.request import RecallRequest
from palace.recall.signals import Background
from palace.recall.strategy import USUAL, Strategy
from palace.recall.temporal import tell

if TYPE_CHECKING:
    from palace.recall.rerank import Reranker

WORDLESS = "the query has neither letters nor digits: there is nothing to look for"


def recollect(
    asked: Asked, request: RecallRequest, strategy: Strategy = USUAL, reranker: Reranker | None = None
) -> Recollection:
    """Answer a request with hits, best first; none if an answer is unlikely.

    Raises:
        EmbeddingError: the settings name another model than the palace has.
        Cancelled: the current call was cancelled.
    """
    if not request.has_words:
        return Recollection(request.query, (), (*request.warnings, WORDLESS), {"total": 0.0})
    return _Recall(asked, request, strategy, reranker).answer()


class _Ranked(NamedTuple):
    """The hits of a query, with what led to them."""

    hits: tuple[Hit, ...]
    proposals: Proposals = Proposals()
    names: Sequence[str] = ()
    """Names of known entities in the query."""
    chance: float | None = None


def _is_measured(query: str) -> bool:
    """Check whether a query may be in English, for which alone the chance of an answer was measured."""
    from palace.nlp.languages import tell_language

    return tell_language(query) in (None, "en")


class _Recall:
    """One recall in progress."""

    def __init__(self, asked: Asked, request: RecallRequest, strategy: Strategy, reranker: Reranker | None) -> None:
        self.asked, self.request, self.strategy, self.reranker = asked, request, strategy, reranker
        self.started, self.spent = time.perf_counter(), dict[str, float]()
        self.given_back = hits_wanted(request.top_k, request.intent, strategy.broad)
        self.wanted = max(self.given_back, reranker.candidates) if reranker else self.given_back

    def answer(self) -> Recollection:
        request = self.request
        by_time = self._by_time()
        ranked = propose(self.asked, request, self.strategy, self._rank) if by_time is None else _Ranked(by_time)
        hits, proposals, chance = ranked.hits, ranked.proposals, ranked.chance
        nearest = None
        if hits and chance is not None and chance < CUTS.get(request.floor, 0.0) and _is_measured(request.query):
            nearest, hits = hits[0], tuple(hit for hit in hits if hit.is_standing)
        hits, warnings = self._reranked(hits) if self.reranker else (hits, ())
        kept: Sequence[Hit] = hits[: self.given_back]
        if request.top_k is None:
            kept = within_budget(kept, self.strategy.broad)
        total = {"total": (time.perf_counter() - self.started) * 1000}
        return Recollection(
            request.query,
            in_order(kept, request.order),
            (*request.warnings, *proposals.warnings, *warnings),
            {**proposals.timings_ms, **self.spent, **total},
            proposals.corrections,
            request.order,
            tuple(ranked.names),
            tuple(TimeAsked(window.start, window.end) for window in request.intent.windows),
            chance=chance,
            nearest=nearest,
        )

    def _by_time(self) -> tuple[Hit, ...] | None:
        """Answer a query that asks only for a time, or return None to have it ranked by its words.

        None also if nothing was said at that time and the floor is ``NONE``, or if the query asks for decisions and
        none is found.
        """
        times = self.request.read.times_alone
        if not times:
            return None

        def most_telling(session: UserSession) -> tuple[Hit, ...] | None:
            with self._timed("tell"):
                fusion = tell(session, self.request, times, self.wanted + self.strategy.spare)
                nothing = Comparison([], Background(self.request.intent), UNKNOWN, NO_WORDS)
                return None if fusion is None else self._loaded(session, fusion, fusion.ranked, nothing)

        hits = self.asked.database.run(most_telling)
        return None if not hits and self.request.floor is FloorLevel.NONE else hits

    def _rank(self, session: UserSession, proposals: Proposals) -> _Ranked:
        with self._timed("compare"):
            comparison = compare_proposed(session, proposals, self.request, self.strategy)
            weighing = self.strategy.weighing(comparison.calibration)
            fusion = fuse(comparison.drawers, comparison.background, weighing)
        with self._timed("load"):
            names = ask_entity_names(session, proposals.tells, self.request.scope) if proposals.tells else None
            relevant = choose(session, fusion, comparison, self.request, self.strategy, self.given_back)
            found = self._loaded(session, fusion, relevant[: self.wanted + self.strategy.spare], comparison)
            # A language model sees all hits, because counting or comparing may need the less relevant ones.
            hits = found if self.reranker else without_tail(found, comparison.floor, self.request.floor)
        return _Ranked(hits, proposals, names.get() if names else [], chance_of(found, comparison))

    def _loaded(
        self, session: UserSession, fusion: Fusion, relevant: Sequence[Fused], comparison: Comparison
    ) -> tuple[Hit, ...]:
        return load_hits(session, fusion, relevant, comparison, self.request, self.wanted)

    def _reranked(self, hits: tuple[Hit, ...]) -> tuple[tuple[Hit, ...], tuple[str, ...]]:
        assert self.reranker is not None
        with self._timed("rerank"):
            reranked = self.reranker.rerank(self.asked.purse, self.request, hits)
        go_on()
        return reranked

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        """Record the duration of a block."""
        started = time.perf_counter()
        yield
        self.spent[step] = (time.perf_counter() - started) * 1000
