"""ASGI middleware before the application: names, keys, how large and slow requests may be, how many at once.

The key is checked before the body is read. A request is read completely before it is passed on, so that a slow
client occupies no thread; a client that does not read its answer is disconnected.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial

import anyio
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palace_server.bodies import Body, Held
from palace_server.entrances import Entrance
from palace_server.problems import BUSY, Refused, response_to

BODY_SECONDS = 30.0
"""Seconds for a client to send the body."""
SENDING_SECONDS = 30.0
"""Seconds for a client to read a part of an answer."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names by which clients may reach the server."""

    hosts: frozenset[str] | None
    """Accepted values of ``Host``, in lower case; None where no web page can reach it, as over a Unix socket."""

    def check(self, headers: Headers, *, is_for_files: bool = False) -> None:
        """Check the names in a request.

        Raises:
            Refused: it is for another host, or comes from a web page of another site.
        """
        if self.hosts is not None and [host.lower() in self.hosts for host in headers.getlist("host")] != [True]:
            raise Refused(421, "this server does not answer to that Host: palace serve --allow-host NAME")
        for origin in headers.getlist("origin"):
            if origin == "null" and is_for_files:
                continue
            _, _, host = origin.lower().partition("://")
            if self.hosts is None or host not in self.hosts:
                raise Refused(403, "this server accepts no requests from web pages of other sites")


class Guard:
    """Checks every request before the application, and counts those that are carried out.

    A request counts from the end of its body until its answer begins, so that clients who send or read slowly do not
    block others. Its body counts from its first byte.
    """

    def __init__(self, app: ASGIApp, names: Names, entrances: Sequence[Entrance], *, most: int) -> None:
        self._app, self._names, self._entrances, self._most = app, names, entrances, most
        self._held = Held()
        self.under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sending = _patient(send)
        try:
            body = await self._admit(scope, receive)
        except Exception as failure:  # noqa: BLE001 - whatever it is, it is answered and logged without its words
            response = response_to(scope, failure)
            response.headers["Connection"] = "close"
            await response(scope, receive, sending)
            return
        if body is not None:
            try:
                await self._carry_out(scope, receive, sending, body)
            finally:
                body.release()

    async def _admit(self, scope: Scope, receive: Receive) -> Body | None:
        """Check a request and read its body; return None where the client has gone."""
        headers, path = Headers(scope=scope), scope["path"]
        entrance = next((each for each in self._entrances if each.leads_to(path)), self._entrances[-1])
        state = scope.setdefault("state", {})
        if entrance.members_of is not None:
            state["members_of"] = partial(entrance.members_of, path, headers)
        self._names.check(headers, is_for_files=entrance.is_for_files)
        announced = _announced(headers)
        grant = await entrance.grant_of(headers)
        state["grant"] = grant
        body = Body(self._held, grant.id if grant else "", is_kept=entrance.keeps_bodies)
        with ExitStack() as otherwise:
            otherwise.callback(body.release)
            is_whole = await _read(body, receive, announced, entrance.largest_body(path))
            if self.under_way >= self._most:
                raise Refused(503, BUSY)
            if is_whole:
                otherwise.pop_all()
        return body if is_whole else None

    async def _carry_out(self, scope: Scope, receive: Receive, send: Send, body: Body) -> None:
        self.under_way += 1
        has_begun = False

        def begin() -> None:
            nonlocal has_begun
            if not has_begun:
                has_begun = True
                self.under_way -= 1
                if not body.is_kept:
                    body.release()

        async def sending(message: Message) -> None:
            begin()
            await send(message)

        try:
            # The error has been answered, and logged without its message, which uvicorn would log.
            with suppress(Exception):
                await self._app(scope, _replayed(bytes(body.content), receive), sending)
        finally:
            begin()


def _announced(headers: Headers) -> int:
    """Return the size of a body that a request announces; 0 without one."""
    written = headers.get("content-length")
    if written is None:
        return 0
    if "transfer-encoding" in headers:
        raise Refused(400, "a request has Content-Length or Transfer-Encoding, not both")
    if not written.isdecimal() or len(written) > 18:
        raise Refused(400, "Content-Length is no number")
    return int(written)


async def _read(body: Body, receive: Receive, announced: int, largest: int) -> bool:
    """Read a body; False where the client has gone."""
    too_large = Refused(413, f"a request has at most {largest >> 20} MiB here" if largest else "no body belongs here")
    if announced > largest:
        raise too_large
    try:
        with anyio.fail_after(BODY_SECONDS):
            while (message := await receive())["type"] == "http.request":
                body.add(message.get("body", b""))
                if len(body.content) > largest:
                    raise too_large
                if not message.get("more_body", False):
                    return True
    except TimeoutError:
        raise Refused(408, f"the request did not arrive completely within {BODY_SECONDS:g} seconds") from None
    return False


def _replayed(body: bytes, receive: Receive) -> Receive:
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def _patient(send: Send) -> Send:
    """Return a ``send`` that fails when the client does not read in time."""

    async def sending(message: Message) -> None:
        with anyio.fail_after(SENDING_SECONDS):
            await send(message)

    return sending


def accepted_hosts(port: int, host: str, others: Collection[str]) -> frozenset[str]:
    """Return the accepted values of ``Host``: names of this machine, the one that is listened on, and others."""
    names = {"127.0.0.1", "localhost", "[::1]", *([] if host in ("0.0.0.0", "::") else [host])}  # noqa: S104
    return frozenset({f"{name.lower()}:{port}" for name in names} | {other.lower() for other in others})
