"""Weighs the times of a query, and answers queries that ask only for a time with the most informative drawers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from typing import NamedTuple

from palace.db.candidates.words import QueryWords, TimeWords, mark_times
from palace.db.database import UserSession
from palace.db.standing import USUAL, SaidThen, Sample, Stretches, telling_drawers
from palace.models import Compared, Role
from palace.nlp.edges import is_greeting
from palace.nlp.questions.questions import only_asks
from palace.nlp.statements import says_decision
from palace.nlp.time import TimeWindow
from palace.recall.fuse import Fused, Fusion
from palace.recall.intent import asks_decisions, without
from palace.recall.request import RecallRequest
from palace.recall.signals import fit


def timed(session: UserSession, words: QueryWords, request: RecallRequest, *, share: float) -> QueryWords:
    """Lower the weight of the query's time words, to ``share``, in drawers where they mean another time.

    Only relative times count: someone who writes of the 19th of March means that date.
    """
    spans = [window.span for window in request.intent.windows if window.is_relative]
    if not spans:
        return words
    around = TimeWords(around=[window.widest for window in request.intent.windows], share=share)
    told = " . ".join(request.query[span.start : span.end] for span in spans)
    return mark_times(session, words, around, told=told, rest=without(request.query, spans))


FEWEST_WORDS, FEWEST_CHARACTERS = 3, 16
"""A text with fewer of both is taken for an acknowledgement."""

SPREAD_AMONG = 50
"""Number of places in which rooms, days and hours alternate."""

_LENGTH = 6
"""Added to a drawer's number of words, so that a few rare words do not count more than many."""

_OUTSIDE = 0.5
"""Factor for statements slightly outside the time, or made elsewhere about it."""

_SAME_ROOM, _SAME_DAY, _SAME_HOUR = 0.6, 0.8, 0.8
"""Factor for each drawer of the same room, day or hour ranked before."""


_BANDS = ((0.6, 1.0), (0.35, 0.6), (0.15, 0.35), (0.0, 0.15))
"""Lowest and highest score of drawers in each tier."""
LAST_TIER = len(_BANDS) - 1


class Telling(NamedTuple):
    """A drawer with its informativeness."""

    drawer: SaidThen
    worth: float
    """In [0, 1], comparable only within one selection."""


def most_telling(
    drawers: Sequence[SaidThen],
    count: int,
    zone: tzinfo | None,
    *,
    windows: Sequence[TimeWindow],
    tier_of: Callable[[SaidThen], int],
) -> list[Telling]:
    """Return the most informative drawers, best first, tier by tier; days and hours are in ``zone``.

    ``tier_of`` returns a drawer's tier: 0 comes first, then 1, 2, 3.
    """
    highest = max(map(_rarity, drawers), default=0.0) or 1.0
    tiers: dict[int, list[Telling]] = {}
    for drawer in drawers:
        worth = _rarity(drawer) / highest * _nearness(drawer, windows) * (0.5 if drawer.is_replaced else 1.0)
        tiers.setdefault(tier_of(drawer), []).append(Telling(drawer, worth))
    chosen: list[Telling] = []
    seen: Counter[object] = Counter()
    for tier in sorted(tiers):
        low, high = _BANDS[tier]
        some = (
            Telling(each.drawer, low + (high - low) * each.worth) for each in _spread(tiers[tier], count, zone, seen)
        )
        chosen += list(some)[: count - len(chosen)]
    return chosen


def tier_of(drawer: SaidThen, *, asks_back: bool) -> int:
    """Return a drawer's tier: the user's statements, others' statements, questions, small talk.

    With ``asks_back``, an assistant's statements rank with the user's.
    """
    text = drawer.beginning
    is_short = len(text.split()) < FEWEST_WORDS and len(text) < FEWEST_CHARACTERS
    if is_short or not drawer.words or is_greeting(text):
        return 3
    if only_asks(text):
        return 2
    return 0 if drawer.role is Role.USER or (asks_back and drawer.role is Role.ASSISTANT) else 1


def tier_with_decisions(drawer: SaidThen, *, asks_back: bool) -> int:
    """Return a drawer's tier with decisions first, whoever stated them, then as ``tier_of``."""
    return 0 if says_decision(drawer.beginning) else min(1 + tier_of(drawer, asks_back=asks_back), LAST_TIER)


def _rarity(drawer: SaidThen) -> float:
    return drawer.rarity / (drawer.words + _LENGTH)


def _nearness(drawer: SaidThen, windows: Sequence[TimeWindow]) -> float:
    near = fit(drawer.moment, windows)
    return near if near == 1.0 else max(_OUTSIDE * near, _OUTSIDE if drawer.speaks_of_it else 0.0)


def _spread(found: Sequence[Telling], count: int, zone: tzinfo | None, seen: Counter[object]) -> list[Telling]:
    """Order drawers, best first, with rooms, days and hours alternating in the first ``SPREAD_AMONG`` places."""

    def places(drawer: SaidThen) -> tuple[object, object, object]:
        moment = drawer.moment.astimezone(zone)
        return drawer.room_id, moment.date(), (moment.date(), moment.hour)

    def left(each: Telling) -> float:
        room, day, hour = (seen[place] for place in places(each.drawer))
        return each.worth * float(_SAME_ROOM**room * _SAME_DAY**day * _SAME_HOUR**hour)

    waiting = sorted(found, key=lambda each: (-each.worth, each.drawer.key.drawer_id))
    front: list[Telling] = []
    while waiting and len(front) < min(count, SPREAD_AMONG):
        worths = [left(each) for each in waiting]
        best = max(worths)
        chosen = waiting.pop(worths.index(best))
        seen.update(places(chosen.drawer))
        front.append(Telling(chosen.drawer, best))
    lowest = front[-1].worth if front else 0.0
    return [*front, *(Telling(each.drawer, min(each.worth, lowest)) for each in waiting)]


BEFORE, AHEAD, AFTERWARDS = timedelta(days=30), timedelta(days=400), timedelta(days=60)
"""How long before a past time, before a future time, and after a time statements about it are searched."""

MARGIN = timedelta(hours=12)

_FIRST, _LAST = datetime(1, 1, 3, tzinfo=UTC), datetime(9999, 12, 29, tzinfo=UTC)


def tell(session: UserSession, request: RecallRequest, windows: Sequence[TimeWindow], wanted: int) -> Fusion | None:
    """Return up to ``wanted`` drawers about some times, ranked; an empty ranking if nothing was said then.

    Return None if the query asks for decisions and none is recognised, so that ranking by words is tried.
    """
    is_of_decisions = asks_decisions(request.query)
    sample = OF_DECISIONS if is_of_decisions else USUAL
    found = telling_drawers(session, stretches(windows, request.now), scope=request.scope, sample=sample)
    if not request.intent.asks_former:
        ids = {each.key.drawer_id for each in found}
        found = [each for each in found if each.replaced_by not in ids]
    tier = partial(tier_with_decisions if is_of_decisions else tier_of, asks_back=request.intent.asks_back)
    if found and is_of_decisions and all(map(tier, found)):
        return None
    chosen = most_telling(found, wanted, request.now.tzinfo, windows=windows, tier_of=tier)
    said = [fit(each.drawer.moment, windows) for each in chosen]
    spoken = [float(each.drawer.speaks_of_it) for each in chosen]
    ranked = [Fused(_compared(each.drawer), each.worth) for each in chosen]
    places = {each.id: at for at, each in enumerate(ranked)}
    return Fusion(ranked, {"time": said, "spoken_of": spoken}, _NOTEWORTHY, places)


_NOTEWORTHY = 0.005
OF_DECISIONS = Sample(slices=48, each=40, sampled=1_000)
"""Decisions are rare, so more drawers are sampled."""


def stretches(windows: Sequence[TimeWindow], now: datetime) -> Stretches:
    """Return the times to search; an imprecise one is widened as far as it may be meant.

    Times that drawers mention are stored with that width, so margins of the searched times are cut off for them.
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
    """Return a ``Compared`` for a drawer that was not compared with a query."""
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
