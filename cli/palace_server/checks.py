"""Check the keys of requests, so that a flood of wrong keys does not keep right ones waiting."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable

from anyio import CapacityLimiter
from anyio.to_thread import current_default_thread_limiter, run_sync
from fastapi.security.utils import get_authorization_scheme_param
from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from palace import KeyGrant
from palace_server.caller import Service
from palace_server.problems import BUSY, Refused

UNKNOWN_THREADS = 3
"""Keys checked at once that were not valid lately: new ones, and wrong ones."""
MOST_WAITING = 80
"""Requests that wait for a thread to check their key; more are answered with 503."""
MOST_KNOWN = 10_000
COOKIE = "palace_session"
"""The cookie with the secret of a browser's session."""


class KeyChecks:
    """Checks the key of each request in a thread; keys that were not valid lately have few threads of their own."""

    def __init__(self, service: Service, check: Callable[[str | None], KeyGrant]) -> None:
        self._service, self._check = service, check
        self._known: OrderedDict[bytes, None] = OrderedDict()
        self._unknown_limiter = CapacityLimiter(UNKNOWN_THREADS)

    async def grant_of(self, headers: Headers) -> KeyGrant:
        """Return what the key of a request allows.

        Raises:
            Refused: there is none, it is wrong, expired or revoked, it asks too often, or too many others wait.
        """
        scheme, secret = get_authorization_scheme_param(headers.get("authorization"))
        if scheme.lower() != "bearer" or not secret:
            return self._check(None)
        return await self._checked(secret, self._check)

    async def grant_of_session(self, headers: Headers) -> KeyGrant | None:
        """Return what the session of a browser allows; None without a valid one.

        Raises:
            Refused: its key asks too often, or too many others wait.
        """
        secret = secret_of(headers)
        if not secret:
            return None
        try:
            return await self._checked(secret, self._service.grant_of_session)
        except Refused as refusal:
            if refusal.status == 401:
                return None
            raise

    async def _checked(self, secret: str, check: Callable[[str], KeyGrant]) -> KeyGrant:
        digest = hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
        limiter = current_default_thread_limiter() if digest in self._known else self._unknown_limiter
        if limiter.statistics().tasks_waiting >= MOST_WAITING:
            raise Refused(503, BUSY)
        try:
            grant = await run_sync(check, secret, limiter=limiter)
        except Refused:
            self._known.pop(digest, None)
            raise
        self._known[digest] = None
        self._known.move_to_end(digest)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        if not self._service.rates.allow(grant.id):
            raise Refused(429, "this key asks too often: palace serve --rate N allows more")
        return grant


def secret_of(headers: Headers) -> str:
    """Return the secret of the session that a browser shows; "" without one."""
    return cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
