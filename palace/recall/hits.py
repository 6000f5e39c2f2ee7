"""From drawers in their order to hits: choosing what is given back, loading it, and the order it is given back in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from palace.db.database import UserSession
from palace.db.drawers import Recalled, get_recalled, list_neighbours
from palace.db.standing import alike_drawers
from palace.models import Drawer, Hit, HitOrder, PassageKey, Scope, Span
from palace.recall.broad import Broad, told_once, within_reach
from palace.recall.changes import in_their_time
from palace.recall.comparison import Comparison
from palace.recall.floor import above_floor, features_of, likelihood, similar_enough
from palace.recall.fuse import Fused, Fusion
from palace.recall.intent import Intent
from palace.recall.present import Of, Present, asked_of, earlier_first, latest_first, of_one_number, rare_in
from palace.recall.request import RecallRequest
from palace.recall.sentence import best_sentence
from palace.recall.standing import with_standing
from palace.recall.strategy import Strategy


def load_hits(
    session: UserSession,
    fusion: Fusion,
    relevant: Sequence[Fused],
    comparison: Comparison,
    request: RecallRequest,
    wanted: int,
) -> tuple[Hit, ...]:
    """Load so many hits, best first; what says the same as one but for case and space goes with it."""
    if not relevant:
        return ()
    questions = (fused.question for fused in relevant if fused.question is not None)
    keys = dict.fromkeys(drawer.passage for drawer in (*(fused.drawer for fused in relevant), *questions))
    found = get_recalled(session, list(keys), comparison.words, comparison.near, request.as_of, request.scope)
    groups = _alike([fused for fused in relevant if fused.drawer.passage in found], found)[:wanted]
    firsts = [found[first.drawer.passage].drawer for first, *_ in groups]
    beside = list_neighbours(session, firsts, request.context, request.now)
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
            before=_shown(beside[recalled.drawer.id].before, request.scope),
            after=_shown(beside[recalled.drawer.id].after, request.scope),
            # A former reading of the same message is no repetition of it.
            again=tuple(found[other.drawer.passage].drawer for other in others if not other.drawer.is_replaced),
            confidence=_likelihood(first, comparison, is_first=not hits),
            coverage=_coverage(first),
            question=question.drawer if question else None,
            newer=newer.drawer.pointer if newer else None,
            sentence=_sentence(recalled, comparison),
            words=tuple(recalled.words.values()),
            parts=fusion.worth.parts_of(first),
            named=named.kinds if (named := comparison.around.get(recalled.drawer.id)) else (),
        )
        hits.append(hit)
    return tuple(hits)


def _coverage(fused: Fused) -> float:
    """Say what share of the query's words it says; what was asked counts for what answers it."""
    asked = fused.question.coverage if fused.question else 0.0
    return min(max(fused.drawer.coverage, asked), 1.0)


def _likelihood(fused: Fused, comparison: Comparison, *, is_first: bool) -> float | None:
    """Give how likely a drawer answers; None where that was not measured for the model."""
    measured = comparison.calibration.confidence
    if measured is None or comparison.near is None:
        return None
    known = features_of(fused, comparison.drawers, drawers=comparison.palace_drawers, is_first=is_first)
    return likelihood(known, measured)


def _shown(beside: tuple[Drawer, ...], scope: Scope) -> tuple[Drawer, ...]:
    """Show nothing of what stands elsewhere where only a part of the palace is looked at."""
    return tuple(drawer.alone() for drawer in beside) if scope.is_confined else beside


def _sentence(recalled: Recalled, comparison: Comparison) -> Span | None:
    content, weights = recalled.drawer.content, comparison.words.lexemes
    share = comparison.floor.coverage
    return best_sentence(content, recalled.passage, recalled.near, recalled.words, weights, share=share)


def _alike(relevant: Sequence[Fused], found: Mapping[PassageKey, Recalled]) -> list[list[Fused]]:
    """Group those that say the same but for case and space, each where its best stands; what is current comes first."""
    groups: dict[str, list[Fused]] = {}
    for fused in relevant:
        content = found[fused.drawer.passage].drawer.content
        groups.setdefault(" ".join(content.casefold().split()), []).append(fused)
    return [sorted(group, key=lambda fused: fused.drawer.is_replaced) for group in groups.values()]


def choose(
    session: UserSession,
    fusion: Fusion,
    comparison: Comparison,
    request: RecallRequest,
    strategy: Strategy,
    wanted: int,
) -> list[Fused]:
    """Choose, in order, what is relevant; ``wanted`` hits are given back."""
    intent, floor = comparison.background.intent, comparison.floor
    relevant = above_floor(fusion.ranked, floor, drawers=comparison.palace_drawers, level=request.floor)
    relevant = _newest_first(session, relevant, comparison, request.query, strategy.present)
    relevant = in_their_time(relevant, fusion.ranked, comparison.changed, intent, strategy.changes)
    if intent.breadth.is_broad:
        relevant = _all_of_a_kind(session, relevant, comparison, request, strategy.broad)
    chosen = with_standing(relevant, fusion.ranked, comparison.held, strategy.standing, floor=floor, wanted=wanted)
    # Without a vector of the query nothing says how similar a drawer is.
    return chosen if comparison.near is None else similar_enough(chosen, request.least_similarity)


def _newest_first(
    session: UserSession, ranked: list[Fused], comparison: Comparison, query: str, present: Present
) -> list[Fused]:
    """Put the newest in front of what says the same kind of thing, unless the query asks for another time."""
    intent, near = comparison.background.intent, comparison.near
    looked_at = asked_of(ranked, intent, present)
    if near is None or len(looked_at) < 2:
        return ranked
    if intent.asks_what_is or intent.earlier or intent.amount:
        rare, named = rare_in(comparison.palace_drawers, present), intent.amount or intent.answers_name
        least = present.alike_of_amount if intent.amount else present.alike_of_one
        alike = alike_drawers(session, looked_at, near, least=least, rare=rare, named=named)
    else:
        alike = alike_drawers(session, looked_at, near, least=present.alike)
    if any(map(str.isdecimal, query)):
        alike = of_one_number(ranked, alike)
    if not alike:
        return ranked
    if intent.earlier:
        return earlier_first(ranked, alike, present, intent.earlier)
    return latest_first(ranked, alike, present, _news_of(intent))


def _news_of(intent: Intent) -> Of:
    if intent.amount:
        return Of.AMOUNT
    if not intent.asks_what_is:
        return Of.KIND
    return Of.ONE if intent.answers_name is None else Of.NAMED


def _all_of_a_kind(
    session: UserSession, ranked: list[Fused], comparison: Comparison, request: RecallRequest, broad: Broad
) -> list[Fused]:
    """Have what is said several times count once in front; keep what is much less relevant out of what is added."""
    looked_at = [fused.drawer.passage.drawer_id for fused in ranked[: broad.looked_at]]
    near = comparison.near
    ranked = told_once(ranked, alike_drawers(session, looked_at, near, least=broad.alike) if near else {}, broad.hits)
    return ranked if request.top_k is not None else within_reach(ranked, comparison.floor, broad)


def in_order(hits: Sequence[Hit], order: HitOrder) -> tuple[Hit, ...]:
    """Put hits in order; in that of time those of one moment as they stand in their room, undated ones last."""
    if order is HitOrder.RELEVANCE:
        return tuple(hits)
    return tuple(sorted(hits, key=_when))


def _when(hit: Hit) -> tuple[bool, float, int, int, int]:
    drawer = hit.drawer
    said_at = drawer.said_at
    return (said_at is None, said_at.timestamp() if said_at else 0.0, *drawer.pointer)
