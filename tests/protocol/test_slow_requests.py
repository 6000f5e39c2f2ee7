"""Requests that come slowly, or not at all, over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import pytest
import uvicorn

from palace_mcp.http import connection as connecting
from palace_mcp.http.bodies import Bodies
from palace_mcp.http.connection import Connection


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the test's process."""
        yield


HTTP = {"type": "http", "method": "POST", "headers": []}


def _asked(pieces: list[bytes], *, ends: bool, announced: bytes | None = None, seconds: float = 0.2) -> Any:
    """Send a body in pieces; give what the application was handed, and the answer's status."""
    handed: list[bytes] = []
    answered: list[int] = []
    left = list(pieces)

    async def receive() -> Any:
        if left:
            return {"type": "http.request", "body": left.pop(0), "more_body": bool(left) or not ends}
        await anyio.sleep_forever()

    async def send(message: Any) -> None:
        if "status" in message:
            answered.append(message["status"])

    async def app(_: Any, receive: Any, send: Any) -> None:
        handed.append((await receive())["body"])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    headers = [(b"content-length", announced)] if announced else []
    asked = {**HTTP, "headers": headers}
    anyio.run(lambda: Bodies(app, 10, seconds)(asked, receive, send))
    return handed, answered


def test_a_request_is_handed_on_as_a_whole_or_answered_without_beginning_anything() -> None:
    assert _asked([b"ab", b"", b"cd"], ends=True) == ([b"abcd"], [200])
    assert _asked([b""], ends=True) == ([b""], [200])
    assert _asked([b"0123456789"], ends=True, announced=b"10") == ([b"0123456789"], [200])
    for pieces in ([], [b"a"], [b"a", b"b"]):  # one that does not come
        assert _asked(pieces, ends=False) == ([], [408])
    for announced in (None, b"11", b"9" * 40):  # one that is too large
        assert _asked([b"0123456789", b"0"], ends=False, announced=announced) == ([], [413])


def test_half_of_a_next_head_is_waited_for_no_longer_than_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "WAITING_SECONDS", 0.3)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    async def talk() -> bytes:
        config = uvicorn.Config(app, log_config=None, http=Connection, ws="none", lifespan="off", port=0)
        server = _Server(config)
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        reads, writes = await asyncio.open_connection("127.0.0.1", port)
        writes.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        first = await reads.readuntil(b"\r\n\r\n")
        writes.write(b"GET / HTTP/1.1\r\nHo")
        try:
            rest = await asyncio.wait_for(reads.read(), 3)
        except ConnectionResetError:
            rest = b""
        writes.close()
        server.should_exit = True
        await serving
        return first[:12] + rest

    assert asyncio.run(talk()) == b"HTTP/1.1 200"
