"""Which HTTP requests are let in, and for how long: such as name this machine, come from no web page, show the token.

One is read as a whole before anything is begun for it: whoever announces one and sends none waits alone.
"""

from __future__ import annotations

import asyncio
import hmac
from dataclasses import dataclass

import anyio
from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_WAITING = 128
"""Connections on which nothing is asked: of more, the oldest go when another comes, but none that has just come."""
COMING_SECONDS = 2.0
"""How long one has just come: many clients may come at once, faster than what they ask is read."""
WAITING_SECONDS = 10.0
"""How long a program may take for the head of a request."""
BODY_SECONDS = 30.0
"""How long the body may take, from a program of this machine."""


class Connection(H11Protocol):
    """As uvicorn serves it; whoever asks nothing holds no place for long, and none that another needs."""

    since = 0.0
    _until: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._begin_waiting()
        waiting = [each for each in self.connections if isinstance(each, Connection) and each.is_waiting]
        for each in sorted(waiting, key=lambda each: each.since)[:-MOST_WAITING]:
            if each.since < self.since - COMING_SECONDS:
                each._end_waiting()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request, unless that came already."""
        self._begin_waiting()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._forget_waiting()
        super().connection_lost(exc)

    @property
    def is_waiting(self) -> bool:
        """Whether nothing is asked."""
        is_idle = self.cycle is None or self.cycle.response_complete
        return is_idle and not self.transport.is_closing()

    def _begin_waiting(self) -> None:
        self._forget_waiting()
        self.since = self.loop.time()
        self._until = self.loop.call_later(WAITING_SECONDS, self._end_waiting)

    def _forget_waiting(self) -> None:
        if self._until is not None:
            self._until.cancel()

    def _end_waiting(self) -> None:
        if self.is_waiting:
            self.transport.abort()


NAMES = ("127.0.0.1", "localhost", "[::1]")
METHODS = ("GET", "POST", "DELETE")
RESUMED = b"last-event-id"
"""What a client that lost its stream asks to have repeated; nothing is kept for that, so it gets a new stream."""


@dataclass(frozen=True, slots=True)
class Door:
    """Stands in front of an application, whatever path of it is asked for."""

    app: ASGIApp
    port: int
    largest: int
    """Bytes of a request's body."""
    token: str | None
    """What a request has to show; without one, whoever is on this machine is let in."""

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
            told = f"the request was not here as a whole within {BODY_SECONDS:g} seconds"
            await _refusal(408, told)(scope, receive, send)
        for again in whole:
            await self.app(scope, again, send)

    def _refuse(self, scope: Scope) -> PlainTextResponse | None:
        """Return the answer to a request that is not let in. A web page that had its name lead here names another."""
        headers, hosts = Headers(scope=scope), hosts_at(self.port)
        if [host.lower() in hosts for host in headers.getlist("host")] != [True]:
            return _refusal(421, f"this server answers to {hosts[0]} only: Host names another")
        if any(origin.lower().removeprefix("http://") not in hosts for origin in headers.getlist("origin")):
            return _refusal(403, "this server is not for web pages of other places: Origin names one")
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
    """List what requests may call a server on a port of this machine."""
    return [f"{name}:{port}" for name in NAMES]


def _refusal(status: int, told: str, headers: dict[str, str] | None = None) -> PlainTextResponse:
    # Whoever is not let in keeps no connection either.
    return PlainTextResponse(f"{told}\n", status, headers={"Connection": "close", **(headers or {})})
