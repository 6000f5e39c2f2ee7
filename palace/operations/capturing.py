"""Capture queries: a file in the home folder, with one line for each query of a user on this computer.

It never leaves the computer, and is no part of exports or backups. Capturing is on while its switch, an empty file
beside it, exists.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from palace import __version__
from palace.agent.outbox_files import append, locked, read_all
from palace.agent.outbox_files import replace as replace_file
from palace.config.effective import Effective
from palace.db.generations import get_basis
from palace.errors import PalaceError
from palace.models import CapturedQuery, Recollection
from palace.opened import OpenPalace
from palace.operations.recall import recall
from palace.recall.request import RecallRequest

MOST = 2000
"""Captured queries that are kept, the latest; the file may have twice as many."""
LARGEST = 32 * 1024 * 1024
"""Bytes of the file, at most."""


def recall_captured(
    opened: OpenPalace, request: RecallRequest, chosen: Effective, *, rerank: bool | None = None, **by_call: Any
) -> Recollection:
    """Recall for a person or a program, and capture the query where that is on (``palace.evaluation``).

    Not captured are queries with a strategy of their own and those that a language model reranks. That capturing fails
    changes nothing. Raises as ``recall``.
    """
    found = recall(opened, request, chosen, rerank=rerank, **by_call)
    is_reranked = chosen.use_rerank if rerank is None else rerank
    is_plain = by_call.get("strategy") is None and not is_reranked
    with suppress(OSError, PalaceError):
        if is_plain and switch_of(captured_path(opened)).exists():
            _capture(opened, replace(request, floor=found.floor or request.floor, order=found.order), chosen, found)
    return found


def captured_path(opened: OpenPalace) -> Path:
    """Return the file of the user's captured queries; capturing is on while a file ``.on`` is beside it."""
    place = f"{opened.database.shared.address}\n{opened.settings.database_schema}\n{opened.user}"
    name = sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return opened.settings.home_folder / "captured" / f"{name}.jsonl"


def _capture(opened: OpenPalace, request: RecallRequest, chosen: Effective, found: Recollection) -> None:
    """Append a query with its options and hits."""
    from palace.mining.redaction import find_rules
    from palace.nlp.secrets import redact

    path = captured_path(opened)
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


def forget_captured(opened: OpenPalace) -> None:
    """Delete the user's captured queries, and capture no more."""
    path = captured_path(opened)
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
