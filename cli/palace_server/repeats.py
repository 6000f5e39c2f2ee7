"""Requests that are carried out once, however often they are sent: ``Idempotency-Key``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

from fastapi import Header, Request
from fastapi.responses import JSONResponse

from palace import StoredAnswer
from palace_server.caller import Caller

IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=255,
        description="Names the request: sent again within a day, it gets the same answer and does nothing.",
    ),
]
REPEATED = "Idempotent-Replay"
"""The header of an answer that was given before."""


def once(
    caller: Caller,
    request: Request,
    key: str | None,
    content: bytes,
    work: Callable[[], tuple[int, Mapping[str, object]]],
) -> JSONResponse:
    """Answer with the status and body that ``work`` returns, or with those of the same request before.

    ``content`` is what two equal requests have in common besides their paths. A request that fails can be repeated.

    Raises:
        BadRequest: the key was sent with another request, or the same one is still carried out.
    """
    if key is None:
        return _answer(*work())
    name = f"{caller.grant.id} {request.method} {key}"
    if before := caller.palace.answers.begin(name, request.url.path.encode() + b"\0" + content):
        return _answer(before.status, before.body, {REPEATED: "true"})
    try:
        with caller.service.running.kept(caller.palace, name):
            status, body = work()
    except BaseException:
        caller.palace.answers.end(name, None)
        raise
    # Reasons quote what was sent, which no stored answer does.
    stored = {key: value for key, value in body.items() if key != "failures"}
    caller.palace.answers.end(name, StoredAnswer(status, stored))
    return _answer(status, body)


def _answer(status: int, body: Mapping[str, object], headers: dict[str, str] | None = None) -> JSONResponse:
    place = body.get("location")
    return JSONResponse(body, status, {**({"Location": str(place)} if place else {}), **(headers or {})})
