"""ASGI middleware before the application: whom a request names, how large and slow it may be, how many at once.

A request is read completely before it is passed on, so that a slow client occupies no thread; what is sent to a client
that does not read is given up.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass

import anyio
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palace_server.problems import problem

LARGEST_BODY = 8 << 20
"""Bytes of a request's body, at most."""
BODY_SECONDS = 30.0
"""Seconds for a client to send the body."""
SENDING_SECONDS = 30.0
"""Seconds for a client to read a part of an answer."""
MOST_HELD = 256 << 20
"""Bytes of bodies that are being read, of all clients together."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names by which clients may reach the server."""

    hosts: frozenset[str] | None
    """Accepted values of ``Host``, in lower case; None where no web page can reach it, as over a Unix socket."""

    def refuse(self, headers: Headers) -> Response | None:
        """Return the answer to a request for another host, or from a web page of another place; None for others."""
        if self.hosts is not None and [host.lower() in self.hosts for host in headers.getlist("host")] != [True]:
            return problem(421, "this server does not answer to that Host: palace serve --allow-host NAME")
        for origin in headers.getlist("origin"):
            _, _, host = origin.lower().partition("://")
            if self.hosts is None or host not in self.hosts:
                return problem(403, "this server is not for web pages of other places")
        return None


class Guard:
    """Checks every request before the application, and counts those that are carried out.

    A request counts from when it is here as a whole until its answer begins: who sends slowly, or does not read, keeps
    nobody else from being answered.
    """

    def __init__(self, app: ASGIApp, names: Names, *, most: int) -> None:
        self._app, self._names, self._most = app, names, most
        self.under_way, self._held = 0, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, sending = Headers(scope=scope), _patient(send)
        body = self._names.refuse(headers) or await self._read(headers, receive)
        if isinstance(body, bytes) and self.under_way >= self._most:
            body = problem(503, "the server has too much to do: try again")
        if isinstance(body, Response):
            body.headers["Connection"] = "close"
            await body(scope, receive, sending)
        elif body is not None:
            await self._carry_out(scope, _replayed(body, receive), sending)

    async def _carry_out(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.under_way += 1
        has_begun = False

        async def sending(message: Message) -> None:
            nonlocal has_begun
            if not has_begun:
                has_begun = True
                self.under_way -= 1
            await send(message)

        try:
            # What raises has been answered and logged without its words; uvicorn would log them.
            with suppress(Exception):
                await self._app(scope, receive, sending)
        finally:
            self.under_way -= not has_begun

    async def _read(self, headers: Headers, receive: Receive) -> bytes | Response | None:
        """Read a body; return the refusal of one that is too large or too slow, None where the client has gone."""
        told = headers.get("content-length", "0")
        if not told.isdecimal() or len(told) > 18:
            return problem(400, "Content-Length is no number")
        body = bytearray()
        try:
            with anyio.fail_after(BODY_SECONDS):
                return await self._gather(body, int(told), receive)
        except TimeoutError:
            return problem(408, f"the request was not here as a whole within {BODY_SECONDS:g} seconds")
        finally:
            self._held -= len(body)

    async def _gather(self, body: bytearray, announced: int, receive: Receive) -> bytes | Response | None:
        while announced <= LARGEST_BODY and len(body) <= LARGEST_BODY:
            message = await receive()
            if message["type"] != "http.request":
                return None
            part = message.get("body", b"")
            body += part
            self._held += len(part)
            if self._held > MOST_HELD:
                return problem(503, "the server has too much to do: try again")
            if not message.get("more_body", False) and len(body) <= LARGEST_BODY:
                return bytes(body)
        return problem(413, f"a request has at most {LARGEST_BODY >> 20} MiB")


def _replayed(body: bytes, receive: Receive) -> Receive:
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def _patient(send: Send) -> Send:
    """Return a ``send`` that gives a client up that does not read."""

    async def sending(message: Message) -> None:
        with anyio.fail_after(SENDING_SECONDS):
            await send(message)

    return sending


def accepted_hosts(port: int, host: str, others: Collection[str]) -> frozenset[str]:
    """Return the accepted values of ``Host``: names of this machine, the one that is listened on, and others."""
    names = {"127.0.0.1", "localhost", "[::1]", *([] if host in ("0.0.0.0", "::") else [host])}  # noqa: S104
    return frozenset({f"{name.lower()}:{port}" for name in names} | {other.lower() for other in others})
