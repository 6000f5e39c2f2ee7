"""Requests that come slowly, or not at all, over HTTP."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import anyio
import pytest
import uvicorn

from palace_mcp.http import connection, guard
from palace_mcp.http.connection import Connection
from palace_mcp.http.guard import RequestGuard
from palace_mcp.http.listening import listen
from palace_mcp.http.serving import HOST, MOST_CONNECTIONS

HEADERS = [(b"host", b"127.0.0.1:80")]
HEAD = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:80\r\n"


async def _answering(scope: Any, receive: Any, send: Any) -> None:
    body = (await receive())["body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def _asked(pieces: list[bytes], *, ends: bool, announced: bytes | None = None) -> Any:
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

    async def app(scope: Any, receive: Any, send: Any) -> None:
        handed.append((await receive())["body"])
        await anyio.sleep(0.3)  # what is done for it has its own time
        await send({"type": "http.response.start", "status": 200, "headers": []})

    headers = [*HEADERS, (b"content-length", announced)] if announced else HEADERS
    asked = {"type": "http", "method": "POST", "headers": headers}
    anyio.run(lambda: RequestGuard(app, 80, 10, None)(asked, receive, send))
    return handed, answered


def test_a_request_is_handed_on_as_a_whole_or_answered_without_beginning_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.2)
    assert _asked([b"ab", b"", b"cd"], ends=True) == ([b"abcd"], [200])
    assert _asked([b""], ends=True) == ([b""], [200])
    assert _asked([b"0123456789"], ends=True, announced=b"10") == ([b"0123456789"], [200])
    for pieces in ([], [b"a"], [b"a", b"b"]):  # one that does not come
        assert _asked(pieces, ends=False) == ([], [408])
    for announced in (None, b"11", b"9" * 40):  # one that is too large
        assert _asked([b"0123456789", b"0"], ends=False, announced=announced) == ([], [413])


def test_whoever_asks_nothing_holds_no_place_that_another_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "COMING_SECONDS", 0.3)
    monkeypatch.setattr(connection, "WAITING_SECONDS", 1.5)
    many = MOST_CONNECTIONS + 88

    async def ask(port: int) -> tuple[bytes, int]:
        begun = [await asyncio.open_connection("127.0.0.1", port) for _ in range(many)]
        await asyncio.sleep(0.5)
        reads, writes = await asyncio.open_connection("127.0.0.1", port)
        writes.write(f"{HEAD}Content-Length: 2\r\n\r\nhi".encode())
        answer = await reads.read(12)
        left = [each for each, _ in begun if not each.at_eof() and each.exception() is None]
        async with asyncio.timeout(20):  # and those that are left go as well
            for each, _ in begun:
                with suppress(ConnectionResetError):
                    assert await each.read() == b""
        for _, ours in begun:
            ours.close()
        return answer, len(left)

    async def main() -> tuple[bytes, int]:
        config = uvicorn.Config(
            RequestGuard(_answering, 80, 10, None), http=Connection, log_config=None, limit_concurrency=MOST_CONNECTIONS
        )
        serving = uvicorn.Server(config)
        with listen(HOST, 0) as taken:
            under_way = asyncio.ensure_future(serving._serve(sockets=[taken]))
            try:
                return await ask(taken.getsockname()[1])
            finally:
                serving.should_exit = True
                await under_way

    answer, left = asyncio.run(main())
    assert answer == b"HTTP/1.1 200"
    assert left <= connection.MOST_WAITING
