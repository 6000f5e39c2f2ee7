"""Capture queries: a file in the home folder, with one line for each query of a user on this computer.

It never leaves the computer, and is no part of exports or backups. Capturing is on while its switch, an empty file
beside it, exists.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from palace import __version__
from palace.agent.outbox_files import append, locked, read_all
from palace.agent.outbox_files import replace as replace_file
from palace.config.effective import Effective
from palace.db.generations import get_basis
from palace.models import CapturedQuery, Recollection
from palace.opened import OpenPalace
from palace.recall.request import RecallRequest

MOST = 2000
"""Captured queries that are kept, the latest; the file may have twice as many."""
LARGEST = 32 * 1024 * 1024
"""Bytes of the file, at most."""


def capture(opened: OpenPalace, path: Path, request: RecallRequest, chosen: Effective, found: Recollection) -> None:
    """Append a query with its options and hits to the file of captured queries.

    Raises:
        OSError: the system refuses; ``PalaceError``: the file or a pattern of redaction cannot be used.
    """
    from palace.mining.redaction import find_rules
    from palace.nlp.secrets import redact

    rules = opened.run(lambda session: find_rules(session, opened.settings))
    captured = CapturedQuery(
        redact(request.query, rules).text,
        request.now,
        request.scope,
        request.top_k,
        request.context,
        request.floor.value,
        request.order.value,
        chosen.agent,
        tuple(str(hit.drawer.pointer) for hit in found.hits),
        round(found.timings_ms["total"], 3),
        __version__,
        active_model(opened),
    )
    line = _line().dump_json(captured) + b"\n"
    with locked(path.with_suffix(".lock"), seconds=1):
        lines = read_all(path).splitlines(keepends=True)
        if len(lines) >= 2 * MOST or sum(map(len, lines)) + len(line) >= LARGEST:
            replace_file(path, b"".join(lines[-min(MOST, len(lines) // 2) :]))
        append(path, line, LARGEST)


def forget_captured(path: Path) -> None:
    """Delete captured queries, and capture no more."""
    for each in (switch_of(path), path, path.with_suffix(".lock")):
        with suppress(OSError):
            each.unlink()


def switch_of(path: Path) -> Path:
    """Return the file that exists while queries are captured."""
    return path.with_suffix(".on")


def read_captured(path: Path) -> list[CapturedQuery]:
    """Return the latest captured queries, in the order of capture; lines that cannot be read are left out."""
    read = []
    for line in read_all(path).splitlines()[-MOST:]:
        with suppress(ValidationError):
            read.append(_line().validate_json(line))
    return read


def active_model(opened: OpenPalace) -> str | None:
    """Return the palace's embedding model; None without one."""
    basis = opened.run(get_basis)
    return basis.generation.model if basis.generation else None


@cache
def _line() -> TypeAdapter[CapturedQuery]:
    return TypeAdapter(CapturedQuery)
