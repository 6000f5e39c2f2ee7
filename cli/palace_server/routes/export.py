"""``/v1/export``: the whole palace as lines of JSON."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from threading import BoundedSemaphore
from typing import IO, Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from starlette.background import BackgroundTask

from palace_server.caller import Administrator
from palace_server.models import Name
from palace_server.problems import Refused, responses

router = APIRouter(prefix="/v1/export", tags=["export"])
PIECE = 1 << 16
_RUNNING = BoundedSemaphore(2)
"""Exports at once: each holds a thread and a connection while it is written."""


@router.get(
    "",
    operation_id="export_palace",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Lines of JSON, as docs/export.md describes them",
            "content": {"application/x-ndjson": {}},
        },
        **responses(404),
    },
)
def export_palace(
    caller: Administrator,
    wing: Annotated[Name | None, Query(description="Only this wing, by name or number.")] = None,
) -> StreamingResponse:
    """Export the palace, or a wing of it, as it is at one moment.

    It is written to a file first, so that a slow client holds no transaction open.
    """
    place = None if wing is None else str(caller.palace.tree.wing(wing).pointer)
    if not _RUNNING.acquire(blocking=False):
        raise Refused(503, "two exports run already: try again")
    file = tempfile.TemporaryFile()  # noqa: SIM115 — closed behind the answer
    try:
        caller.palace.transfer.export(file, wing=place)
    except BaseException:
        file.close()
        raise
    finally:
        _RUNNING.release()
    caller.did("export", place or "")
    size = file.tell()
    file.seek(0)
    headers = {"Content-Length": str(size), "Content-Disposition": 'attachment; filename="palace.jsonl"'}
    return StreamingResponse(
        _pieces(file), media_type="application/x-ndjson", headers=headers, background=BackgroundTask(file.close)
    )


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(PIECE):
            yield piece
