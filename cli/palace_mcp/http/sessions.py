"""What sessions there are: when there is no room for another, the one that has been idle for longest makes place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "mcp-session-id"
VERSION = "mcp-protocol-version"
RESUMED = b"last-event-id"
"""What a client that lost its stream asks to have repeated; nothing is kept for that, so it gets a new stream."""
KEPT_OF_A_REQUEST = (b"host", VERSION.encode())


@dataclass(slots=True)
class Sessions:
    """Stands in front of an application that keeps sessions, and knows which of them are used."""

    app: ASGIApp
    most: int
    """Sessions at once, those that are about to begin among them."""
    _held: dict[str, None] = field(default_factory=dict)
    """The one that was used last is last."""
    _asking: Counter[str] = field(default_factory=Counter)
    """Requests of a session that are worked on."""
    _listening: Counter[str] = field(default_factory=Counter)
    """Streams of a session that are open, on which nothing is ever said to it here."""
    _beginning: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope = {**scope, "headers": [each for each in scope.get("headers", ()) if each[0] != RESUMED]}
        headers = Headers(scope=scope)
        session = headers.get(HEADER)
        if session is not None:
            await self._go_on(session, scope, receive, send)
        elif scope["type"] == "http" and headers.get(VERSION) in (None, *HANDSHAKE_PROTOCOL_VERSIONS):
            await self._begin(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _go_on(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        with self._used(session, self._listening if scope["method"] == "GET" else self._asking):
            await self.app(scope, receive, watched)
        if status == 404 or (scope["method"] == "DELETE" and status < 400):
            self._held.pop(session, None)

    async def _begin(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = None

        async def watched(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start" and message["status"] < 400:
                begun = Headers(raw=message["headers"]).get(HEADER)
                if begun is not None:
                    # From here on it is one of those that there are.
                    self._held[begun] = None
            await send(message)

        self._beginning += 1
        try:
            while len(self._held) + self._beginning > self.most and (idle := self._idle()) is not None:
                await self._end(idle, scope)
            await self.app(scope, receive, watched)
        finally:
            self._beginning -= 1

    def _idle(self) -> str | None:
        """Choose what has nothing under way, before what has but a stream open; of several what was used first."""
        free = [session for session in self._held if not self._asking[session]]
        return min(free, key=lambda session: bool(self._listening[session]), default=None)

    async def _end(self, session: str, asked: Scope) -> None:
        """End a session as its client would; its next request is told that it is over."""
        self._held.pop(session, None)
        kept = [(name, value) for name, value in asked["headers"] if name in KEPT_OF_A_REQUEST]
        headers = [*kept, (HEADER.encode(), session.encode()), (b"content-length", b"0")]
        await self.app({**asked, "method": "DELETE", "headers": headers}, _nothing_said, _nobody_listens)

    @contextmanager
    def _used(self, session: str, counted: Counter[str]) -> Iterator[None]:
        if session not in self._held:
            yield
            return
        counted[session] += 1
        self._held[session] = self._held.pop(session)
        try:
            yield
        finally:
            counted[session] -= 1
            if not counted[session]:
                del counted[session]
            if session in self._held:
                self._held[session] = self._held.pop(session)


async def _nothing_said() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _nobody_listens(_: Message) -> None:
    return
