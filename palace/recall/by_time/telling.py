"""The most telling drawers of some stretches of time, spread over them. Pure.

What tells is what the person says, in rare words, as a statement: not what is asked, and no small talk. Where it is
asked what was decided, it is whatever says a decision, whoever said it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from palace.recall.ranking.decay import fit
from palace.records import Role
from palace.store.statements.telling import SaidThen
from palace.text.asked.questions import only_asks
from palace.text.edges import is_greeting
from palace.text.statements import says_decision
from palace.text.times import TimeWindow

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


@dataclass(frozen=True, slots=True)
class Telling:
    """A drawer with how much it tells."""

    drawer: SaidThen
    worth: float
    """In [0, 1], comparable within one choice only."""


TierOf = Callable[[SaidThen], int]
"""Says who comes first: 0, then 1, 2, 3."""


def most_telling(
    drawers: Sequence[SaidThen], count: int, zone: tzinfo | None, *, windows: Sequence[TimeWindow], tier_of: TierOf
) -> list[Telling]:
    """Choose drawers that tell most, best first, tier by tier. Days and hours are those of the zone."""
    highest = max(map(_rarity, drawers), default=0.0) or 1.0
    tiers: dict[int, list[Telling]] = {}
    for drawer in drawers:
        worth = _rarity(drawer) / highest * _nearness(drawer, windows) * (0.5 if drawer.is_replaced else 1.0)
        tiers.setdefault(tier_of(drawer), []).append(Telling(drawer, worth))
    chosen: list[Telling] = []
    spread = _Spread(zone)
    for tier in sorted(tiers):
        low, high = _BANDS[tier]
        some = (Telling(each.drawer, low + (high - low) * each.worth) for each in spread.over(tiers[tier], count))
        chosen += list(some)[: count - len(chosen)]
    return chosen


_BANDS = ((0.6, 1.0), (0.35, 0.6), (0.15, 0.35), (0.0, 0.15))
LAST_TIER = len(_BANDS) - 1


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


class _Spread:
    """Lets rooms, days and hours take turns."""

    def __init__(self, zone: tzinfo | None) -> None:
        self.zone = zone
        self.seen: Counter[object] = Counter()

    def over(self, found: Iterable[Telling], count: int) -> list[Telling]:
        """Order what was found, best first; behind ``SPREAD_AMONG`` by worth alone."""
        waiting = sorted(found, key=lambda each: (-each.worth, each.drawer.key.drawer_id))
        front: list[Telling] = []
        while waiting and len(front) < min(count, SPREAD_AMONG):
            left = [each.worth * self._turn(each.drawer) for each in waiting]
            best = max(left)
            chosen = waiting.pop(left.index(best))
            self.seen.update(self._places(chosen.drawer))
            front.append(Telling(chosen.drawer, best))
        lowest = front[-1].worth if front else 0.0
        return [*front, *(Telling(each.drawer, min(each.worth, lowest)) for each in waiting)]

    def _turn(self, drawer: SaidThen) -> float:
        room, day, hour = (self.seen[place] for place in self._places(drawer))
        return float(_SAME_ROOM**room * _SAME_DAY**day * _SAME_HOUR**hour)

    def _places(self, drawer: SaidThen) -> tuple[object, object, object]:
        moment = drawer.moment.astimezone(self.zone)
        return (drawer.room_id, moment.date(), (moment.date(), moment.hour))
