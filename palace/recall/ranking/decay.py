"""How well a moment fits the times a query speaks of, and how recent it is. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta

from palace.text.times import TimeWindow

DAY = timedelta(days=1)


LASTING = timedelta(days=14)
"""How long a time must be for a state to be asked of it, not an hour or a day of somebody's."""


def fit(moment: datetime, windows: Sequence[TimeWindow]) -> float:
    """Give how well a moment fits the best of some windows: 1 inside, falling to 0 outside; 0 of no window.

    What happened is told when it happens or afterwards: behind a window it falls as slowly as the window is long,
    before it as the window is soft.
    """
    return max((_fit(moment, window) for window in windows), default=0.0)


def held(moment: datetime, windows: Sequence[TimeWindow], days: float) -> float:
    """Give how likely what was said at a moment still held in one of some windows, of two weeks or more.

    1/e where that was so many days before; 0 of what was said in it or behind it.
    """
    return max(
        (recency(moment, window.start, days) for window in windows if _lasts(window) and moment < window.start),
        default=0.0,
    )


def _lasts(window: TimeWindow) -> bool:
    return window.end - window.start >= LASTING


def _fit(moment: datetime, window: TimeWindow) -> float:
    soft = max(window.softness, DAY)
    if moment < window.start:
        return math.exp(-((window.start - moment) / soft))
    if moment <= window.end:
        return 1.0
    return math.exp(-((moment - window.end) / max(soft, (window.end - window.start) / 2)))


def recency(moment: datetime, now: datetime, days: float) -> float:
    """Give how recent a moment is: 1 now, 1/e after so many days; 1 of what is yet to come."""
    return math.exp(-(max(now - moment, timedelta()) / timedelta(days=days)))
