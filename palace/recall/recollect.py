"""From a request to a recollection: propose, compare, fuse, refuse what is beneath the floor, load, rerank."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from palace.cancellation import go_on
from palace.recall.arms.propose import Asked, Proposals, propose
from palace.recall.arms.protocol import ArmRequest, Near, Proposal
from palace.recall.arms.understand import Understood
from palace.recall.by_time.answer import tell
from palace.recall.by_time.asking import times_alone
from palace.recall.by_time.words import timed
from palace.recall.intent import Intent, read_intent
from palace.recall.ranking.calibration import calibration_of
from palace.recall.ranking.confidence import features_of, likelihood
from palace.recall.ranking.floor import above_floor
from palace.recall.ranking.fuse import Fused, Fusion, fuse
from palace.recall.ranking.present import Present, asked_of, earlier_first, latest_first, rare_in
from palace.recall.ranking.signals import Background
from palace.recall.request import RecallRequest
from palace.recall.rerank import PURPOSE, Reranker, rerank
from palace.recall.sentence import best_sentence
from palace.recall.strategy import Strategy
from palace.records import Calibration, Compared, FloorLevel, Hit, PassageKey, Recollection, Span, doubts
from palace.store.candidates.alike import alike_drawers
from palace.store.candidates.compare import compare_drawers
from palace.store.candidates.words import QueryWords
from palace.store.counts import count_drawers
from palace.store.database import UserSession
from palace.store.drawers import Recalled, get_recalled, list_neighbours

WORDLESS = "the query has neither letters nor digits: there is nothing to look for"

_USUAL = Strategy()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every drawer that an arm proposes, compared with the query in every way; what all of ranking is made from."""

    drawers: list[Compared]
    background: Background
    calibration: Calibration
    """Of the model that the query was embedded with."""
    words: QueryWords
    """What the query says."""


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

    def tell_and_load(session: UserSession) -> tuple[Hit, ...]:
        with timings.timed("tell"):
            fusion = tell(session, request, intent, times, wanted + strategy.spare)
            comparison = Comparison([], Background(intent), calibration_of(None), QueryWords((), ()))
            return _load(session, fusion, fusion.ranked, _Sought(comparison, 0, None, 0.0), wanted, request.context)

    def compare_and_load(session: UserSession) -> tuple[Hit, ...]:
        with timings.timed("compare"):
            comparison = _compare(session, proposals, request, intent, strategy)
            weighing = strategy.weighing(comparison.calibration)
            fusion = fuse(comparison.drawers, comparison.background, weighing)
        with timings.timed("load"):
            floor = strategy.floor or comparison.calibration.floor
            drawers = count_drawers(session)
            relevant = above_floor(fusion.ranked, floor, drawers=drawers, level=request.floor)
            sought = _Sought(comparison, drawers, proposals.near, floor.coverage)
            relevant = _newest_first(session, relevant, sought, strategy.present)[: wanted + strategy.spare]
            return _load(session, fusion, relevant, sought, wanted, request.context)

    times, proposals = (
        times_alone(request, intent),
        Proposals(Proposal(), {}, Understood(request.sought, QueryWords((), ()))),
    )
    hits = asked.database.run(tell_and_load) if times else ()
    if not hits and (not times or request.floor is FloorLevel.NONE):
        proposals = propose(asked, ArmRequest(request.sought, intent, request.scope, strategy))
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
    return Recollection(request.query, hits[: request.top_k], warnings, spent, proposals.understood.corrections)


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
    words = timed(session, proposals.understood.words, request, intent, share=strategy.times.elsewhere)
    windows = [(window.start, window.end) for window in intent.windows]
    found: dict[int, Compared] = {}
    wanted = proposals.drawer_ids
    while wanted:
        more = compare_drawers(session, sorted(wanted), words, proposals.near, windows=windows, scope=request.scope)
        found |= {drawer.passage.drawer_id: drawer for drawer in more}
        if not request.scope.is_open:
            break
        wanted = {drawer.replaced_by for drawer in more if drawer.replaced_by is not None} - found.keys() - wanted
    # The server gives them in no order, and two wordings of one message share their turn.
    drawers = sorted(found.values(), key=lambda drawer: drawer.passage)
    background = Background(intent, proposals.rooms, proposals.scores, strategy.times)
    calibration = calibration_of(proposals.near[0].model if proposals.near else None)
    return Comparison(drawers, background, calibration, words)


@dataclass(frozen=True, slots=True)
class _Sought:
    """What the query is, to choose what of a drawer to show."""

    comparison: Comparison
    drawers: int
    """How many the palace has."""
    near: Near | None
    coverage: float
    """Share of coverage that counts beside similarity."""

    def likelihood_of(self, fused: Fused, *, is_first: bool) -> float | None:
        """Give how likely a drawer answers; None where that was not measured for the model."""
        measured = self.comparison.calibration.confidence
        if measured is None or self.near is None:
            return None
        known = features_of(fused, self.comparison.drawers, drawers=self.drawers, is_first=is_first)
        return likelihood(known, measured)


def _newest_first(session: UserSession, ranked: list[Fused], sought: _Sought, present: Present) -> list[Fused]:
    """Put the newest in front of what says the same kind of thing, unless the query asks for another time."""
    intent, near = sought.comparison.background.intent, sought.near
    looked_at = asked_of(ranked, intent, present)
    if near is None or len(looked_at) < 2:
        return ranked
    if intent.asks_what_is or intent.earlier:
        rare, named = rare_in(sought.drawers, present), intent.answers_name
        alike = alike_drawers(session, looked_at, near, least=present.alike_of_one, rare=rare, named=named)
    else:
        alike = alike_drawers(session, looked_at, near, least=present.alike)
    if not alike:
        return ranked
    if intent.earlier:
        return earlier_first(ranked, alike, present, intent.earlier)
    return latest_first(ranked, alike, present, of_one=intent.asks_what_is)


def _load(
    session: UserSession, fusion: Fusion, relevant: Sequence[Fused], sought: _Sought, wanted: int, context: int
) -> tuple[Hit, ...]:
    if not relevant:
        return ()
    questions = (fused.question for fused in relevant if fused.question is not None)
    keys = dict.fromkeys(drawer.passage for drawer in (*(fused.drawer for fused in relevant), *questions))
    found = get_recalled(session, list(keys), sought.comparison.words, sought.near)
    groups = _alike([fused for fused in relevant if fused.drawer.passage in found], found)[:wanted]
    beside = list_neighbours(session, [found[first.drawer.passage].drawer for first, *_ in groups], context)
    hits: list[Hit] = []
    for first, *others in groups:
        recalled = found[first.drawer.passage]
        question = found.get(first.question.passage) if first.question else None
        newer = found.get(first.newer.passage) if first.newer else None
        hit = Hit(
            drawer=recalled.drawer,
            score=first.score,
            passage=recalled.passage,
            arms=fusion.reasons_of(first),
            before=beside[recalled.drawer.id].before,
            after=beside[recalled.drawer.id].after,
            # A former reading of the same message is no repetition of it.
            again=tuple(found[other.drawer.passage].drawer for other in others if not other.drawer.is_replaced),
            confidence=sought.likelihood_of(first, is_first=not hits),
            question=question.drawer if question else None,
            newer=newer.drawer.pointer if newer else None,
            sentence=_sentence(recalled, sought),
            words=tuple(recalled.words.values()),
        )
        hits.append(hit)
    return tuple(hits)


def _sentence(recalled: Recalled, sought: _Sought) -> Span | None:
    content, passage = recalled.drawer.content, recalled.passage
    weights = sought.comparison.words.lexemes
    return best_sentence(content, passage, recalled.near, recalled.words, weights, share=sought.coverage)


def _alike(relevant: Sequence[Fused], found: Mapping[PassageKey, Recalled]) -> list[list[Fused]]:
    """Group those that say the same but for case and space, each where its best stands; what is current comes first."""
    groups: dict[str, list[Fused]] = {}
    for fused in relevant:
        content = found[fused.drawer.passage].drawer.content
        groups.setdefault(" ".join(content.casefold().split()), []).append(fused)
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
