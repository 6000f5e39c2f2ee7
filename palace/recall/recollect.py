"""From a request to a recollection: propose, compare, fuse, refuse what is beneath the floor, load, rerank."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from palace.cancellation import go_on
from palace.db.database import UserSession
from palace.db.graph.naming import list_entity_names
from palace.graph.tags import hits_with_tags
from palace.models import FloorLevel, Hit, Recollection, TimeAsked, doubts
from palace.recall.arms.propose import NO_WORDS, Asked, Proposals, propose
from palace.recall.arms.protocol import ArmRequest
from palace.recall.broad import hits_wanted, spread, within_budget
from palace.recall.comparison import Comparison, compare_proposed
from palace.recall.floor import UNKNOWN, without_tail
from palace.recall.fuse import Fused, Fusion, fuse
from palace.recall.hits import choose, in_order, load_hits
from palace.recall.intent import read_intent
from palace.recall.pack import LONGEST_TEXT
from palace.recall.request import RecallRequest
from palace.recall.rerank import Reranker, rerank_paid
from palace.recall.signals import Background
from palace.recall.strategy import Strategy
from palace.recall.temporal import tell, times_alone

WORDLESS = "the query has neither letters nor digits: there is nothing to look for"
_USUAL = Strategy()


def recollect(
    asked: Asked, request: RecallRequest, strategy: Strategy = _USUAL, reranker: Reranker | None = None
) -> Recollection:
    """Answer a request with hits, best first; none when nothing is relevant.

    Raises:
        EmbeddingError: the settings name another model than the palace has.
        Cancelled: the call under way was cancelled.
    """
    if not request.has_words:
        return Recollection(request.query, (), (*request.warnings, WORDLESS), {"total": 0.0})
    return _Recall(asked, request, strategy, reranker).answer()


class _Recall:
    """One recall under way."""

    def __init__(self, asked: Asked, request: RecallRequest, strategy: Strategy, reranker: Reranker | None) -> None:
        self.asked, self.request, self.strategy, self.reranker = asked, request, strategy, reranker
        self.started, self.spent = time.perf_counter(), dict[str, float]()
        self.intent = read_intent(request.query, request.now)
        self.times = times_alone(request, self.intent)
        self.given_back = hits_wanted(request.top_k, self.intent, strategy.broad)
        self.wanted = max(self.given_back, reranker.candidates) if reranker else self.given_back

    def answer(self) -> Recollection:
        request, asked = self.request, self.asked
        hits, proposals = self._tell(), Proposals()
        if hits is None:
            scope, wishes = request.scope, request.wishes
            proposals = propose(asked, ArmRequest(request.sought, self.intent, scope, self.strategy, wishes=wishes))
            hits = asked.database.run(lambda session: self._rank(session, proposals))
        warnings = (*request.warnings, *proposals.warnings)
        if self.reranker:
            with self._timed("rerank"):
                reranked = rerank_paid(asked.purse, self.reranker, request, hits)
            go_on()
            hits, warnings = reranked.hits, (*warnings, *reranked.warnings, *doubts(reranked.calls))
        kept: Sequence[Hit] = hits[: self.given_back]
        if request.top_k is None:
            kept = within_budget(kept, LONGEST_TEXT, self.strategy.broad)
        tells = proposals.tells
        names = asked.database.run(lambda session: list_entity_names(session, tells, request.scope)) if tells else ()
        total = {"total": (time.perf_counter() - self.started) * 1000}
        return Recollection(
            request.query,
            in_order(kept, request.order),
            warnings,
            {**proposals.timings_ms, **self.spent, **total},
            proposals.corrections,
            request.order,
            tuple(names),
            tuple(TimeAsked(window.start, window.end) for window in self.intent.windows),
        )

    def _tell(self) -> tuple[Hit, ...] | None:
        """Answer by time where a time is all that is asked for; None where it is not.

        So it is where nothing was said then, and nothing is to be kept back; and where nothing says a decision of then.
        """
        if not self.times:
            return None
        hits = self.asked.database.run(self._most_telling)
        return None if not hits and self.request.floor is FloorLevel.NONE else hits

    def _most_telling(self, session: UserSession) -> tuple[Hit, ...] | None:
        with self._timed("tell"):
            fusion = tell(session, self.request, self.intent, self.times, self.wanted + self.strategy.spare)
            if fusion is None:
                return None
            nothing = Comparison([], Background(self.intent), UNKNOWN, NO_WORDS)
            return self._tagged(session, self._loaded(session, fusion, fusion.ranked, nothing))

    def _rank(self, session: UserSession, proposals: Proposals) -> tuple[Hit, ...]:
        strategy, intent = self.strategy, self.intent
        with self._timed("compare"):
            comparison = compare_proposed(session, proposals, self.request, intent, strategy)
            weighing = spread(strategy.weighing(comparison.calibration), intent, strategy.broad)
            fusion = fuse(comparison.drawers, comparison.background, weighing)
        with self._timed("load"):
            relevant = choose(session, fusion, comparison, self.request, strategy, self.given_back)
            found = self._loaded(session, fusion, relevant[: self.wanted + strategy.spare], comparison)
            # A language model is shown them all: what it counts or compares may be the tail of what is near.
            kept = found if self.reranker else without_tail(found, comparison.floor, level=self.request.floor)
            return self._tagged(session, kept)

    def _loaded(
        self, session: UserSession, fusion: Fusion, relevant: Sequence[Fused], comparison: Comparison
    ) -> tuple[Hit, ...]:
        return load_hits(session, fusion, relevant, comparison, self.request, self.wanted)

    def _tagged(self, session: UserSession, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        return hits_with_tags(session, hits, self.request.zone, as_said=self.request.scope.is_confined)

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        """Note how long a block takes."""
        started = time.perf_counter()
        yield
        self.spent[step] = (time.perf_counter() - started) * 1000
