"""The times that a query speaks of; and what answers it where a time is all it asks for: what tells most of then."""

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
    """Mark the words of a query's times; what is left of their weight where another time is meant is the ``share``.

    Of those alone that are told from the moment of speaking: who speaks of the 19th of March means a day of that name.
    """
    spans = [window.span for window in request.intent.windows if window.is_relative]
    if not spans:
        return words
    around = TimeWords(around=[window.widest for window in request.intent.windows], share=share)
    told = " . ".join(request.query[span.start : span.end] for span in spans)
    return mark_times(session, words, around, told=told, rest=without(request.query, spans))


FEWEST_WORDS, FEWEST_CHARACTERS = 3, 16
"""What has less of both is taken for an acknowledgement."""

SPREAD_AMONG = 50
"""Places in which rooms, days and hours take turns; nobody looks at more of them one by one."""

_LENGTH = 6
"""Words that are counted beside a drawer's own, so that few rare ones do not tell more than many."""

_OUTSIDE = 0.5
"""What is left of what was said a little before or after the time, or speaks of it from elsewhere."""

_SAME_ROOM, _SAME_DAY, _SAME_HOUR = 0.6, 0.8, 0.8
"""What is left for each drawer of the same that stands in front."""


_BANDS = ((0.6, 1.0), (0.35, 0.6), (0.15, 0.35), (0.0, 0.15))
"""What drawers of each tier are worth at least and at most."""
LAST_TIER = len(_BANDS) - 1


class Telling(NamedTuple):
    """A drawer with how much it tells."""

    drawer: SaidThen
    worth: float
    """In [0, 1], comparable within one choice only."""


def most_telling(
    drawers: Sequence[SaidThen],
    count: int,
    zone: tzinfo | None,
    *,
    windows: Sequence[TimeWindow],
    tier_of: Callable[[SaidThen], int],
) -> list[Telling]:
    """Choose drawers that tell most, best first, tier by tier. Days and hours are those of the zone.

    ``tier_of`` says who comes first: 0, then 1, 2, 3.
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
    """Put the person's statements first, then others', what only asks, small talk.

    An assistant's are as good as the person's where the query ``asks_back``.
    """
    text = drawer.beginning
    is_short = len(text.split()) < FEWEST_WORDS and len(text) < FEWEST_CHARACTERS
    if is_short or not drawer.words or is_greeting(text):
        return 3
    if only_asks(text):
        return 2
    return 0 if drawer.role is Role.USER or (asks_back and drawer.role is Role.ASSISTANT) else 1


def tier_with_decisions(drawer: SaidThen, *, asks_back: bool) -> int:
    """Put first what says a decision, whoever said it; then the others as ever."""
    return 0 if says_decision(drawer.beginning) else min(1 + tier_of(drawer, asks_back=asks_back), LAST_TIER)


def _rarity(drawer: SaidThen) -> float:
    return drawer.rarity / (drawer.words + _LENGTH)


def _nearness(drawer: SaidThen, windows: Sequence[TimeWindow]) -> float:
    near = fit(drawer.moment, windows)
    return near if near == 1.0 else max(_OUTSIDE * near, _OUTSIDE if drawer.speaks_of_it else 0.0)


def _spread(found: Sequence[Telling], count: int, zone: tzinfo | None, seen: Counter[object]) -> list[Telling]:
    """Order what was found, best first, rooms, days and hours taking turns; behind ``SPREAD_AMONG`` by worth alone."""

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
"""How long before a time that is over, before one that is to come, and after it, what speaks of it is looked for."""

MARGIN = timedelta(hours=12)

_FIRST, _LAST = datetime(1, 1, 3, tzinfo=UTC), datetime(9999, 12, 29, tzinfo=UTC)


def tell(session: UserSession, request: RecallRequest, windows: Sequence[TimeWindow], wanted: int) -> Fusion | None:
    """Choose as many drawers as are wanted of some times, best first; none where nothing was said then.

    None where it is asked what was decided then, and nothing that was said says it so: the words may.
    """
    is_of_decisions = asks_decisions(request.query)
    sample = OF_DECISIONS if is_of_decisions else USUAL
    found = telling_drawers(session, stretches(windows, request.now), scope=request.scope, sample=sample)
    tier = partial(tier_with_decisions if is_of_decisions else tier_of, asks_back=request.intent.asks_back)
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
