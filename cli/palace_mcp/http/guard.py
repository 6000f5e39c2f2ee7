"""Check HTTP requests: they must name this machine, come from no foreign web page, show the token, and arrive in time.

A request is read completely before it is passed on, so that a slow client blocks nobody else.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass

import anyio
from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

BODY_SECONDS = 30.0
"""Seconds for a client to send the body."""


NAMES = ("127.0.0.1", "localhost", "[::1]")
METHODS = ("GET", "POST", "DELETE")
RESUMED = b"last-event-id"
"""Header by which a client asks to have a lost stream repeated; streams are not stored, so it is dropped."""


@dataclass(frozen=True, slots=True)
class RequestGuard:
    """ASGI middleware that checks every request before the application."""

    app: ASGIApp
    port: int
    largest: int
    """Bytes of a request's body, at most."""
    token: str | None
    """The token that requests must show; None admits every program on this machine."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = [each for each in scope["headers"] if each[0] != RESUMED]
        await (self._refuse(scope) or self._let_in)({**scope, "headers": headers}, receive, send)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        whole: list[Receive] = []

        async def take(_: Scope, again: Receive, __: Send) -> None:
            whole.append(again)

        try:
            with anyio.fail_after(BODY_SECONDS):
                await RequestBodyLimitMiddleware(take, self.largest)(scope, receive, send)
        except TimeoutError:
            told = f"the request did not arrive completely within {BODY_SECONDS:g} seconds"
            await _refusal(408, told)(scope, receive, send)
        for again in whole:
            await self.app(scope, again, send)

    def _refuse(self, scope: Scope) -> PlainTextResponse | None:
        """Return the error response for a refused request, or None; the Host check also stops DNS rebinding."""
        headers, hosts = Headers(scope=scope), hosts_at(self.port)
        if [host.lower() in hosts for host in headers.getlist("host")] != [True]:
            return _refusal(421, f"this server answers to {hosts[0]} only: Host names another")
        if any(origin.lower().removeprefix("http://") not in hosts for origin in headers.getlist("origin")):
            return _refusal(403, "this server accepts no requests from web pages of other sites: Origin names one")
        if self.token is not None and not self._is_shown(headers.getlist("authorization")):
            told = "the token is missing or wrong: send Authorization: Bearer TOKEN (palace mcp --show-token)"
            return _refusal(401, told, {"WWW-Authenticate": "Bearer"})
        if scope["method"] not in METHODS:
            return _refusal(405, "there is no such method here", {"Allow": ", ".join(METHODS)})
        return None

    def _is_shown(self, shown: list[str]) -> bool:
        scheme, _, token = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
        is_same = hmac.compare_digest(token.strip().encode("latin-1"), (self.token or "").encode())
        return is_same and scheme.lower() == "bearer"


def hosts_at(port: int) -> list[str]:
    """Return the accepted Host values of a server on a port of this machine."""
    return [f"{name}:{port}" for name in NAMES]


def _refusal(status: int, told: str, headers: dict[str, str] | None = None) -> PlainTextResponse:
    # Close the connection, so that a refused client holds none.
    return PlainTextResponse(f"{told}\n", status, headers={"Connection": "close", **(headers or {})})
