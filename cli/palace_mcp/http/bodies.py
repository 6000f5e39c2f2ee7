"""A request is read as a whole before anything is begun for it: whoever announces one and sends none waits alone."""

from __future__ import annotations

from dataclasses import dataclass

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palace_mcp.http.door import refusal

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
    """Give a body that was read, and then what comes."""
    kept: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return kept.pop() if kept else await receive()

    return replayed
