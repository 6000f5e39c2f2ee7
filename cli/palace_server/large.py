"""Large bodies, parsed in a thread and in pieces, so that nobody else waits meanwhile."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Coroutine
from typing import Any

from anyio.to_thread import run_sync
from fastapi import Request, Response
from fastapi.routing import APIRoute

from palace_server.problems import Refused

LARGE = 64 << 10
"""Bytes of a body that is parsed in a thread."""
MOST_BRACKETS = 500_000
"""So many lists and objects keep others waiting when they are deleted, which no thread can do in pieces."""
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")
_Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class LargeBodies(APIRoute):
    """A route whose large bodies are parsed in a thread."""

    def get_route_handler(self) -> _Handler:
        """Return what answers a request."""
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            request = _Large(request.scope, request.receive)
            body = await request.body()
            if body.count(b"[") + body.count(b"{") > MOST_BRACKETS:
                raise Refused(413, f"a body has at most {MOST_BRACKETS:,} opening brackets: send it in parts")
            return await handle(request)

        return answer


class _Large(Request):
    async def json(self) -> Any:
        body = await self.body()
        return json.loads(body) if len(body) < LARGE else await run_sync(parse_in_pieces, body)


def parse_in_pieces(body: bytes) -> Any:
    """Parse JSON as ``json.loads`` does; other threads may go on after each item of a list in an object.

    Raises:
        ValueError: it is no JSON.
    """
    try:
        return _object(body.decode())
    except ValueError:
        return json.loads(body)  # whose message is about the whole, and which reads other encodings


def _object(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    at, is_over = _begin(text, 0, "{", "}")
    while not is_over:
        if text[at : at + 1] != '"':
            raise ValueError("no name of a member")
        name, at = _DECODER.raw_decode(text, at)
        at, _ = _begin(text, at, ":", "")
        found[name], at = _list(text, at) if text[at : at + 1] == "[" else _DECODER.raw_decode(text, at)
        at, is_over = _next(text, at, "}")
    if at < len(text):
        raise ValueError("more than an object")
    return found


def _list(text: str, at: int) -> tuple[list[Any], int]:
    items: list[Any] = []
    at, is_over = _begin(text, at, "[", "]")
    while not is_over:
        item, at = _DECODER.raw_decode(text, at)
        items.append(item)
        at, is_over = _next(text, at, "]")
    return items, at


def _begin(text: str, at: int, opening: str, end: str) -> tuple[int, bool]:
    """Return the position behind an opening sign, or behind the end where that follows, and whether it did."""
    at = _after_space(text, at)
    if text[at : at + 1] != opening:
        raise ValueError(f"no {opening}")
    at = _after_space(text, at + 1)
    return (_after_space(text, at + 1), True) if end and text.startswith(end, at) else (at, False)


def _next(text: str, at: int, end: str) -> tuple[int, bool]:
    """Return the position of the next item, or behind the end, and whether the end was reached."""
    at = _after_space(text, at)
    if text.startswith(end, at):
        return _after_space(text, at + 1), True
    return _begin(text, at, ",", "")


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
