"""The code by which a server opens its own page in a browser."""

from __future__ import annotations

import hmac
import secrets
import time
from threading import Lock

CODE_SECONDS = 60.0


class OneTimeCode:
    """A code that works once, within a minute."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._code, self._until = "", 0.0

    def make(self) -> str:
        """Return a new code, which replaces the one before."""
        with self._lock:
            self._code, self._until = secrets.token_urlsafe(32), time.monotonic() + CODE_SECONDS
            return self._code

    def take(self, presented: str) -> bool:
        """Check a code; a correct one does not work again."""
        with self._lock:
            is_right = hmac.compare_digest(self._code.encode(), presented.encode("utf-8", "replace"))
            if not self._code or not is_right or time.monotonic() > self._until:
                return False
            self._code = ""
            return True
