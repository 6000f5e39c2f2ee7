"""Who is let in, and for how long: programs that name this machine, come from no web page, show the token, and ask.

A request is read as a whole before anything is begun for it: whoever announces one and sends none waits alone.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import anyio
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_WAITING = 128
"""Connections on which nothing is asked: of more, the oldest go when another comes, but none that has just come."""
COMING_SECONDS = 2.0
"""How long one has just come: many clients may come at once, faster than what they ask is read."""
WAITING_SECONDS = 10.0
"""How long a program may take for the head of a request."""


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


@dataclass(frozen=True, slots=True)
class Door:
    """Stands in front of an application, whatever path of it is asked for."""

    app: ASGIApp
    hosts: frozenset[str]
    """What a request may call this machine; a web page that had a name lead here asks for another."""
    token: str | None
    """What a request has to show; without one, whoever is on this machine is let in."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            refused = self._refused(scope["method"], _headers(scope["headers"]))
            await (refused or self.app)(scope, receive, send)

    def _refused(self, method: str, headers: Mapping[bytes, Sequence[bytes]]) -> PlainTextResponse | None:
        hosts, origins = headers.get(b"host", ()), headers.get(b"origin", ())
        if len(hosts) != 1 or _text(hosts[0]).lower() not in self.hosts:
            return refusal(421, f"this server answers to {min(self.hosts)} only: Host names another")
        if any(_text(origin).lower().removeprefix("http://") not in self.hosts for origin in origins):
            return refusal(403, "this server is not for web pages of other places: Origin names one")
        if self.token is not None and not self._is_shown(headers.get(b"authorization", ())):
            told = "the token is missing or wrong: send Authorization: Bearer TOKEN (palace mcp --show-token)"
            return refusal(401, told, {"WWW-Authenticate": "Bearer"})
        if method not in METHODS:
            # The protocol's own library would begin a session for it first.
            return refusal(405, f"there is {', '.join(METHODS)} here", {"Allow": ", ".join(METHODS)})
        return None

    def _is_shown(self, shown: Sequence[bytes]) -> bool:
        wanted = (self.token or "").encode()
        scheme, _, token = shown[0].partition(b" ") if len(shown) == 1 else (b"", b"", b"")
        return hmac.compare_digest(token.strip(), wanted) and scheme.lower() == b"bearer"


def hosts_at(port: int) -> frozenset[str]:
    """List what requests may call a server on a port of this machine."""
    return frozenset(f"{name}:{port}" for name in NAMES)


def _headers(listed: Sequence[tuple[bytes, bytes]]) -> Mapping[bytes, Sequence[bytes]]:
    found: dict[bytes, list[bytes]] = {}
    for name, value in listed:
        found.setdefault(name.lower(), []).append(value)
    return found


def _text(value: bytes) -> str:
    return value.decode("latin-1")


def refusal(status: int, told: str, headers: Mapping[str, str] | None = None) -> PlainTextResponse:
    """Answer a request that is not passed on."""
    # Whoever is not let in keeps no connection either.
    return PlainTextResponse(f"{told}\n", status, headers={"Connection": "close", **(headers or {})})


BODY_SECONDS = 30.0
"""How long the whole of it may take to come, from a program of this machine."""


class _TooLarge(Exception):
    pass


class _Gone(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Bodies:
    """Stands in front of an application, and hands it requests that are here as a whole."""

    app: ASGIApp
    largest: int
    """Bytes."""
    seconds: float = BODY_SECONDS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on once all of it is here, or answer it in one line."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            with anyio.fail_after(self.seconds):
                body = await self._whole(scope, receive)
        except _Gone:
            return
        except _TooLarge:
            await refusal(413, f"a request has at most {self.largest:,} bytes")(scope, receive, send)
        except TimeoutError:
            told = f"the request was not here as a whole within {self.seconds:g} seconds"
            await refusal(408, told)(scope, receive, send)
        else:
            await self.app(scope, _replayed(body, receive), send)

    async def _whole(self, scope: Scope, receive: Receive) -> bytes:
        """Read a body.

        Raises:
            _TooLarge: it is, or says so.
            _Gone: whoever sends it is.
        """
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced[:19]) > self.largest:
            raise _TooLarge
        body, goes_on = bytearray(), True
        while goes_on:
            message = await receive()
            if message["type"] != "http.request":
                raise _Gone
            body += message.get("body", b"")
            goes_on = message.get("more_body", False)
            if len(body) > self.largest:
                raise _TooLarge
        return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    kept: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return kept.pop() if kept else await receive()

    return replayed
