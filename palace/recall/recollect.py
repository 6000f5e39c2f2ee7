"""From a request to a recollection: propose, compare, fuse, refuse what is beneath the floor, load, rerank."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from palace.cancellation import go_on
from palace.recall.arms.propose import Asked, Proposals, propose
from palace.recall.arms.protocol import ArmRequest, Near
from palace.recall.intent import Intent, read_intent
from palace.recall.ranking.calibration import calibration_of
from palace.recall.ranking.floor import above_floor
from palace.recall.ranking.fuse import Fused, Fusion, fuse
from palace.recall.ranking.present import asked_of, latest_first
from palace.recall.ranking.signals import Background
from palace.recall.request import RecallRequest
from palace.recall.rerank import PURPOSE, Reranker, rerank
from palace.recall.strategy import Strategy
from palace.records import Calibration, Compared, Drawer, Hit, PassageKey, Recollection, Span, doubts
from palace.store.candidates.alike import alike_drawers
from palace.store.candidates.compare import compare_drawers
from palace.store.candidates.words import weigh_words
from palace.store.database import UserSession
from palace.store.drawers import get_recalled, list_neighbours

WORDLESS = "the query has neither letters nor digits: there is nothing to look for"

_USUAL = Strategy()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every drawer that an arm proposes, compared with the query in every way; what all of ranking is made from."""

    drawers: list[Compared]
    background: Background
    calibration: Calibration
    """Of the model that the query was embedded with."""


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
    wanted = max(request.top_k, reranker.candidates) if reranker else request.top_k
    intent = read_intent(request.query, request.now)
    proposals = propose(asked, ArmRequest(request.sought, intent, request.scope, strategy))

    def compare_and_load(session: UserSession) -> tuple[Hit, ...]:
        with timings.timed("compare"):
            comparison = _compare(session, proposals, request, intent, strategy)
            weighing = strategy.weighing(comparison.calibration)
            fusion = fuse(comparison.drawers, comparison.background, weighing)
        with timings.timed("load"):
            floor = strategy.floor or comparison.calibration.floor
            relevant = _newest_first(session, above_floor(fusion.ranked, floor), proposals.near, intent, strategy)
            relevant = relevant[: wanted + strategy.spare]
            return _load(session, fusion, relevant, wanted, request.context)

    hits = asked.database.run(compare_and_load)
    warnings = (*request.warnings, *proposals.warnings)
    if reranker:
        with timings.timed("rerank"):
            reranked = rerank(reranker, request, hits)
            asked.record(PURPOSE, reranked.calls)
        go_on()
        hits, warnings = reranked.hits, (*warnings, *reranked.warnings, *doubts(reranked.calls))
    total = (time.perf_counter() - started) * 1000
    spent = {**proposals.timings_ms, **timings.milliseconds, "total": total}
    return Recollection(request.query, hits[: request.top_k], warnings, spent)


def compare(asked: Asked, request: RecallRequest, strategy: Strategy = _USUAL) -> Comparison:
    """Propose and compare, and go no further: for who measures how ranking should be.

    Raises:
        EmbeddingError: the settings name another model than the palace has.
    """
    intent = read_intent(request.query, request.now)
    proposals = propose(asked, ArmRequest(request.sought, intent, request.scope, strategy))
    return asked.database.run(lambda session: _compare(session, proposals, request, intent, strategy))


def _compare(
    session: UserSession, proposals: Proposals, request: RecallRequest, intent: Intent, strategy: Strategy
) -> Comparison:
    """Compare every drawer that an arm proposes in every way, so that no arm's silence counts against it.

    What took the place of one is compared as well, unless the caller said where to look.
    """
    words = proposals.words if proposals.words is not None else weigh_words(session, request.sought)
    windows = [(window.start, window.end) for window in intent.windows]
    drawers: list[Compared] = []
    wanted = proposals.drawer_ids
    while wanted:
        drawers += compare_drawers(session, sorted(wanted), words, proposals.near, windows=windows, scope=request.scope)
        if not request.scope.is_open:
            break
        seen = {drawer.passage.drawer_id for drawer in drawers} | wanted
        wanted = {drawer.replaced_by for drawer in drawers if drawer.replaced_by is not None} - seen
    # The server gives them in no order, and two wordings of one message share their turn.
    drawers.sort(key=lambda drawer: drawer.passage)
    background = Background(intent, proposals.rooms, proposals.scores, strategy.times)
    return Comparison(drawers, background, calibration_of(proposals.near[0].model if proposals.near else None))


def _newest_first(
    session: UserSession, ranked: list[Fused], near: Near | None, intent: Intent, strategy: Strategy
) -> list[Fused]:
    """Put the newest in front of what says the same kind of thing, unless the query asks for another time."""
    looked_at = asked_of(ranked, intent, strategy.present)
    if near is None or len(looked_at) < 2:
        return ranked
    alike = alike_drawers(session, looked_at, near, least=strategy.present.alike)
    return latest_first(ranked, alike, strategy.present) if alike else ranked


def _load(
    session: UserSession, fusion: Fusion, relevant: Sequence[Fused], wanted: int, context: int
) -> tuple[Hit, ...]:
    if not relevant:
        return ()
    questions = [fused.question for fused in relevant if fused.question is not None]
    found = get_recalled(session, [drawer.passage for drawer in (*(each.drawer for each in relevant), *questions)])
    groups = _alike([fused for fused in relevant if fused.drawer.passage in found], found)[:wanted]
    beside = list_neighbours(session, [found[first.drawer.passage][0] for first, *_ in groups], context)
    hits = []
    for first, *others in groups:
        drawer, span = found[first.drawer.passage]
        # A former reading of the same message is no repetition of it.
        again = tuple(found[other.drawer.passage][0] for other in others if not other.drawer.is_replaced)
        question = found.get(first.question.passage) if first.question else None
        newer = found.get(first.newer.passage) if first.newer else None
        hits.append(
            Hit(
                drawer,
                first.score,
                span,
                fusion.reasons_of(first),
                *beside[drawer.id],
                again,
                question=question and question[0],
                newer=newer and newer[0].pointer,
            )
        )
    return tuple(hits)


def _alike(relevant: Sequence[Fused], found: Mapping[PassageKey, tuple[Drawer, Span]]) -> list[list[Fused]]:
    """Group those that say the same but for case and space, each where its best stands; what is current comes first."""
    groups: dict[str, list[Fused]] = {}
    for fused in relevant:
        drawer, _ = found[fused.drawer.passage]
        groups.setdefault(" ".join(drawer.content.casefold().split()), []).append(fused)
    return [sorted(group, key=lambda fused: fused.drawer.is_replaced) for group in groups.values()]


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
