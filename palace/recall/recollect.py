"""From a request to a recollection: propose, compare, fuse, refuse what is beneath the floor, load, rerank."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from palace.cancellation import go_on
from palace.graph.tags import hits_with_tags
from palace.recall.arms.propose import Asked, Proposals, propose
from palace.recall.arms.protocol import ArmRequest, Proposal
from palace.recall.arms.understand import Understood
from palace.recall.broad import hits_wanted, spread, within_budget
from palace.recall.comparison import Comparison, compare_proposed
from palace.recall.floor import calibration_of, without_tail
from palace.recall.fuse import fuse
from palace.recall.hits import Sought, choose, in_order, load_hits
from palace.recall.intent import Intent, read_intent
from palace.recall.pack import LONGEST_TEXT
from palace.recall.request import RecallRequest
from palace.recall.rerank import Reranker, rerank_paid
from palace.recall.signals import Background
from palace.recall.strategy import Strategy
from palace.recall.temporal import tell, times_alone
from palace.records import FloorLevel, Hit, Recollection, TimeAsked, doubts
from palace.store.candidates.words import QueryWords
from palace.store.counts import count_drawers
from palace.store.database import UserSession
from palace.store.graph.naming import list_entity_names

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
    started, timings = time.perf_counter(), _Timings()
    if not request.has_words:
        return Recollection(request.query, (), (*request.warnings, WORDLESS), {"total": 0.0})
    intent = read_intent(request.query, request.now)
    given_back = hits_wanted(request.top_k, intent, strategy.broad)
    wanted = max(given_back, reranker.candidates) if reranker else given_back

    def compare_and_load(session: UserSession) -> tuple[Hit, ...]:
        with timings.timed("compare"):
            comparison = compare_proposed(session, proposals, request, intent, strategy)
            weighing = spread(strategy.weighing(comparison.calibration), intent, strategy.broad)
            fusion = fuse(comparison.drawers, comparison.background, weighing)
        with timings.timed("load"):
            floor = strategy.floor or comparison.calibration.floor
            sought = Sought(comparison, count_drawers(session), proposals.near, floor, request.as_of, request.scope)
            relevant = choose(session, fusion, sought, request, strategy, given_back)[: wanted + strategy.spare]
            found = load_hits(session, fusion, relevant, sought, wanted, request.context)
            # A language model is shown them all: what it counts or compares may be the tail of what is near.
            kept = found if reranker else without_tail(found, floor, level=request.floor)
            return hits_with_tags(session, kept, request.zone, as_said=request.scope.is_confined)

    hits = _tell(asked, request, intent, strategy, wanted, timings)
    proposals = Proposals(Proposal(), {}, Understood(request.sought, QueryWords((), ())))
    if hits is None:
        proposals = propose(asked, ArmRequest(request.sought, intent, request.scope, strategy, wishes=request.wishes))
        hits = asked.database.run(compare_and_load)
    warnings = (*request.warnings, *proposals.warnings)
    if reranker:
        with timings.timed("rerank"):
            reranked = rerank_paid(asked.purse, reranker, request, hits)
        go_on()
        hits, warnings = reranked.hits, (*warnings, *reranked.warnings, *doubts(reranked.calls))
    names = _names(asked, request, proposals)
    times = tuple(TimeAsked(window.start, window.end) for window in intent.windows)
    hits = in_order(_fitting(hits[:given_back], request, strategy), request.order)
    spent = {**proposals.timings_ms, **timings.milliseconds, "total": (time.perf_counter() - started) * 1000}
    corrections = proposals.understood.corrections
    return Recollection(request.query, hits, warnings, spent, corrections, request.order, tuple(names), times)


def _tell(
    asked: Asked, request: RecallRequest, intent: Intent, strategy: Strategy, wanted: int, timings: _Timings
) -> tuple[Hit, ...] | None:
    """Answer by time where a time is all that is asked for; None where it is not.

    So it is where nothing was said then, and nothing is to be kept back; and where nothing says a decision of then.
    """
    times = times_alone(request, intent)
    if not times:
        return None

    def tell_and_load(session: UserSession) -> tuple[Hit, ...] | None:
        with timings.timed("tell"):
            fusion = tell(session, request, intent, times, wanted + strategy.spare)
            if fusion is None:
                return None
            comparison = Comparison([], Background(intent), calibration_of(None), QueryWords((), ()))
            sought = Sought(comparison, 0, None, comparison.calibration.floor, request.as_of, request.scope)
            found = load_hits(session, fusion, fusion.ranked, sought, wanted, request.context)
            return hits_with_tags(session, found, request.zone, as_said=request.scope.is_confined)

    hits = asked.database.run(tell_and_load)
    return None if not hits and request.floor is FloorLevel.NONE else hits


def _names(asked: Asked, request: RecallRequest, proposals: Proposals) -> Sequence[str]:
    named, scope = proposals.tells, request.scope
    return asked.database.run(lambda session: list_entity_names(session, named, scope)) if named else ()


def _fitting(hits: Sequence[Hit], request: RecallRequest, strategy: Strategy) -> Sequence[Hit]:
    return hits if request.top_k is not None else within_budget(hits, LONGEST_TEXT, strategy.broad)


class _Timings:
    """How long steps take."""

    def __init__(self) -> None:
        self.milliseconds: dict[str, float] = {}

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Note how long a block takes."""
        started = time.perf_counter()
        yield
        self.milliseconds[step] = (time.perf_counter() - started) * 1000
