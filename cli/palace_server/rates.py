"""How often a key may ask: a bucket of requests for each, filled again with time."""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock

MOST_KEYS = 10_000
"""Keys whose buckets are remembered; the longest unused are forgotten, which fills them."""


class Rates:
    """Allows each key ``rate`` requests a second, and twice as many at once."""

    def __init__(self, rate: float) -> None:
        self._rate, self._most = rate, max(1.0, 2 * rate)
        self._lock = Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, key: str) -> bool:
        """Take one request out of a key's bucket; False if it is empty."""
        now = time.monotonic()
        with self._lock:
            left, since = self._left.pop(key, (self._most, now))
            left = min(self._most, left + (now - since) * self._rate)
            is_allowed = left >= 1
            self._left[key] = (left - is_allowed, now)
            if len(self._left) > MOST_KEYS:
                self._left.popitem(last=False)
        return is_allowed
