"""Requests that come slowly, or not at all, over HTTP."""

from __future__ import annotations

from typing import Any

import anyio

from palace_mcp.http.door import Bodies

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
