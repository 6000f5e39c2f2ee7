"""Bodies of requests in memory: counted by key, so that one key cannot take all the memory."""

from __future__ import annotations

from collections import Counter

from palace_server.problems import BUSY, Refused

MOST_HELD = 256 << 20
"""Bytes of bodies in memory, of all keys together."""
MOST_OF_KEY = MOST_HELD // 4
Held = Counter[str]
"""Bytes in memory by key."""


class Body:
    """The body of one request, counted until it is released."""

    def __init__(self, held: Held, key: str, *, is_kept: bool = False) -> None:
        self.content, self.is_kept = bytearray(), is_kept
        self._held, self._key, self._size = held, key, 0

    def add(self, part: bytes) -> None:
        """Append a part.

        Raises:
            Refused: the key has too much in memory, or all have, and it has more than an even share.
        """
        self.content += part
        self._size += len(part)
        self._held[self._key] += len(part)
        of_key = self._held[self._key]
        if of_key > MOST_OF_KEY:
            raise Refused(429, "this key sends too much at once: try again")
        if self._held.total() > MOST_HELD and of_key > MOST_HELD // len(self._held):
            raise Refused(503, BUSY)

    def release(self) -> None:
        """Stop counting it; doing so again has no effect."""
        self._held[self._key] -= self._size
        self._size = 0
        if not self._held[self._key]:
            del self._held[self._key]
