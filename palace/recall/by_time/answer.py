"""Answering what asks for a time alone: the most telling that was said then, or that speaks of it.

Or what was decided then: who asks for that seldom says a word of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from palace.recall.by_time.telling import most_telling, tier_of, tier_with_decisions
from palace.recall.by_time.vocabulary import asks_decisions
from palace.recall.intent import Intent
from palace.recall.ranking.decay import fit
from palace.recall.ranking.fuse import Fused, Fusion
from palace.recall.request import RecallRequest
from palace.records import Compared, Role
from palace.store.database import UserSession
from palace.store.statements.telling import USUAL, SaidThen, Sample, Stretches, telling_drawers
from palace.text.times import TimeWindow

BEFORE, AHEAD, AFTERWARDS = timedelta(days=30), timedelta(days=400), timedelta(days=60)
"""How long before a time that is over, before one that is to come, and after it, what speaks of it is looked for."""

MARGIN = timedelta(hours=12)

_FIRST, _LAST = datetime(1, 1, 3, tzinfo=UTC), datetime(9999, 12, 29, tzinfo=UTC)


def tell(
    session: UserSession, request: RecallRequest, intent: Intent, windows: Sequence[TimeWindow], wanted: int
) -> Fusion | None:
    """Choose as many drawers as are wanted of some times, best first; none where nothing was said then.

    None where it is asked what was decided then, and nothing that was said says it so: the words may.
    """
    is_of_decisions = asks_decisions(request.query)
    sample = OF_DECISIONS if is_of_decisions else USUAL
    found = telling_drawers(session, stretches(windows, request.now), scope=request.scope, sample=sample)
    tier = partial(tier_with_decisions if is_of_decisions else tier_of, asks_back=intent.asks_back)
    if found and is_of_decisions and all(map(tier, found)):
        return None
    chosen = most_telling(found, wanted, request.now.tzinfo, windows=windows, tier_of=tier)
    said = {each.drawer.key.drawer_id: fit(each.drawer.moment, windows) for each in chosen}
    spoken = {each.drawer.key.drawer_id: float(each.drawer.speaks_of_it) for each in chosen}
    ranked = [Fused(_compared(each.drawer), each.worth) for each in chosen]
    return Fusion(ranked, {"time": said, "spoken_of": spoken}, noteworthy=_NOTEWORTHY)


_NOTEWORTHY = 0.005
OF_DECISIONS = Sample(slices=48, each=40, sampled=1_000)
"""Decisions are few among what was said, so that more of it is looked at."""


def stretches(windows: Sequence[TimeWindow], now: datetime) -> Stretches:
    """Say which times are looked through; what is less exact than it is long, as wide as it may be meant.

    What drawers speak of is kept as wide as it may be meant; so of what is asked for, its margins do not count.
    """
    said = [_whole(window) for window in windows]
    first, last = min(start for start, _ in said), max(end for _, end in said)
    before = AHEAD if last > now else BEFORE
    told = (_moved(first, -before), _moved(last, max(AFTERWARDS, last - first)))
    return Stretches(said, [_inside(window) for window in windows], told)


def _whole(window: TimeWindow) -> tuple[datetime, datetime]:
    is_exact = window.end - window.start >= 2 * window.softness
    return (window.start, window.end) if is_exact else window.widest


def _inside(window: TimeWindow) -> tuple[datetime, datetime]:
    margin = min((window.end - window.start) / 4, MARGIN)
    return (window.start + margin, window.end - margin)


def _moved(moment: datetime, by: timedelta) -> datetime:
    try:
        return min(max(moment + by, _FIRST), _LAST)
    except OverflowError:
        return _FIRST if by < timedelta() else _LAST


def _compared(drawer: SaidThen) -> Compared:
    """Say what is known of a drawer that was compared with nothing."""
    return Compared(
        passage=drawer.key,
        room_id=drawer.room_id,
        turn=drawer.turn,
        is_person=drawer.role is Role.USER,
        said_at=drawer.moment,
        speaks_of_it=drawer.speaks_of_it,
        similarity=None,
        keyword=0.0,
        phrase=0.0,
        coverage=0.0,
        is_replaced=drawer.is_replaced,
        is_dated=drawer.is_dated,
    )
