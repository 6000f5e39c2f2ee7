"""Choosing what is given back of what is relevant: the newest in front, all of a kind, what holds once and for all."""

from __future__ import annotations

from palace.recall.facts.changes import in_their_time
from palace.recall.hits.load import Sought
from palace.recall.intent import Intent
from palace.recall.ranking.floor import above_floor, similar_enough
from palace.recall.ranking.fuse import Fused, Fusion
from palace.recall.ranking.present import Of, Present, asked_of, earlier_first, latest_first, of_one_number, rare_in
from palace.recall.request import RecallRequest
from palace.recall.strategy import Strategy
from palace.recall.wanted.broad import told_once, within_reach
from palace.recall.wanted.standing import with_standing
from palace.store.database import UserSession
from palace.store.statements.alike import alike_drawers


def choose(
    session: UserSession, fusion: Fusion, sought: Sought, request: RecallRequest, strategy: Strategy, wanted: int
) -> list[Fused]:
    """Choose, in order, what is relevant; ``wanted`` hits are given back."""
    comparison, floor = sought.comparison, sought.floor
    relevant = above_floor(fusion.ranked, floor, drawers=sought.drawers, level=request.floor)
    relevant = _newest_first(session, relevant, sought, request.query, strategy.present)
    intent = comparison.background.intent
    relevant = in_their_time(relevant, fusion.ranked, comparison.changed, intent, strategy.changes)
    if intent.breadth.is_broad:
        relevant = _all_of_a_kind(session, relevant, sought, request, strategy)
    chosen = with_standing(relevant, fusion.ranked, comparison.held, strategy.standing, floor=floor, wanted=wanted)
    # Without a vector of the query nothing says how similar a drawer is.
    return chosen if sought.near is None else similar_enough(chosen, request.least_similarity)


def _newest_first(
    session: UserSession, ranked: list[Fused], sought: Sought, query: str, present: Present
) -> list[Fused]:
    """Put the newest in front of what says the same kind of thing, unless the query asks for another time."""
    intent, near = sought.comparison.background.intent, sought.near
    looked_at = asked_of(ranked, intent, present)
    if near is None or len(looked_at) < 2:
        return ranked
    if intent.asks_what_is or intent.earlier or intent.amount:
        rare, named = rare_in(sought.drawers, present), intent.amount or intent.answers_name
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
    session: UserSession, ranked: list[Fused], sought: Sought, request: RecallRequest, strategy: Strategy
) -> list[Fused]:
    """Have what is said several times count once in front; keep what is much less relevant out of what is added."""
    looked_at = [fused.drawer.passage.drawer_id for fused in ranked[: strategy.broad.looked_at]]
    alike = alike_drawers(session, looked_at, sought.near, least=strategy.broad.alike) if sought.near else {}
    ranked = told_once(ranked, alike, strategy.broad.hits)
    return ranked if request.top_k is not None else within_reach(ranked, sought.floor, strategy.broad)
