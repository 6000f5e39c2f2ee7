"""Capture the queries of a user on this computer, and ask them again to see whether recall has changed.

A file in the home folder has one line for each query. It never leaves the computer, and is no part of exports or
backups. Capturing is on while its switch, an empty file beside it, exists.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from time import perf_counter

from pydantic import TypeAdapter, ValidationError

from palace import __version__
from palace.agent.outbox_files import append, locked, make_folder, read_all
from palace.agent.outbox_files import replace as replace_file
from palace.config.effective import Effective
from palace.config.settings import LARGEST_TOP_K
from palace.db.generations import get_basis
from palace.errors import NotFound, OutboxError
from palace.mining.redaction import find_rules
from palace.models import CapturedQuery, Hit, Recollection, Replay, ReplayedQuery, intake
from palace.nlp.secrets import redact
from palace.opened import OpenPalace, Verbs
from palace.operations.recall import captured_path, recall, request_of
from palace.operations.tree import get_drawer
from palace.recall.request import RecallRequest

MOST = 2000
"""Captured queries that are kept, the latest; the file may have twice as many."""
LARGEST = 32 * 1024 * 1024
"""Bytes of the file, at most."""
MORE = 20
"""Hits beyond those of then that are looked at, because some may be filed since."""
_LINE = TypeAdapter(CapturedQuery)


class EvaluationVerbs(Verbs):
    """Captured queries of this user on this computer."""

    @property
    def is_capturing(self) -> bool:
        """Whether queries are captured on this computer."""
        return _switch(self._path).exists()

    @cached_property
    def _path(self) -> Path:
        return captured_path(self._opened)

    def capture(self, *, on: bool) -> None:
        """Turn capturing on or off; what was captured stays until ``clear``.

        Raises:
            OutboxError: the folder cannot be used.
            OSError: the system refuses.
        """
        make_folder(self._path.parent)
        if on:
            _switch(self._path).touch(mode=0o600)
        else:
            _switch(self._path).unlink(missing_ok=True)

    def captured(self) -> tuple[CapturedQuery, ...]:
        """List the captured queries, the latest first; lines that cannot be read are left out."""
        return tuple(reversed(_read(self._path)))

    def clear(self) -> int:
        """Delete the captured queries; return how many there were."""
        number = len(_read(self._path))
        self._path.unlink(missing_ok=True)
        return number

    def replay(self, *, limit: int = 200) -> Replay:
        """Ask the latest ``limit`` captured queries again, each with its options and time, without a language model.

        Drawers that were filed after the query do not count, nor those that are forgotten.

        Raises:
            BadRequest: ``limit`` is no positive integer.
            EmbeddingError: the settings name another model than the palace has.
        """
        limit = intake.count("limit", limit)
        latest = {_key(each): each for each in self.captured()[::-1]}
        asked = sorted(latest.values(), key=lambda each: each.at, reverse=True)
        queries = tuple(_replayed(self._opened, each) for each in islice(asked, limit))
        return Replay(queries, __version__, _model(self._opened))


def capture(opened: OpenPalace, request: RecallRequest, chosen: Effective, found: Recollection) -> None:
    """Append a query with its options and hits; that this fails changes nothing for the caller."""
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
        _model(opened),
    )
    with suppress(OSError, OutboxError), locked(path.with_suffix(".lock"), seconds=1):
        if len(lines := read_all(path).splitlines(keepends=True)) >= 2 * MOST:
            replace_file(path, b"".join(lines[-MOST:]))
        append(path, _LINE.dump_json(captured) + b"\n", LARGEST)


def _switch(path: Path) -> Path:
    return path.with_suffix(".on")


def _read(path: Path) -> list[CapturedQuery]:
    read = []
    for line in read_all(path).splitlines()[-MOST:]:
        with suppress(ValidationError):
            read.append(_LINE.validate_json(line))
    return read


def _key(captured: CapturedQuery) -> tuple[object, ...]:
    """Return what makes two captured queries the same question."""
    return (captured.query, captured.scope, captured.top_k, captured.floor, captured.order, captured.agent)


def _replayed(opened: OpenPalace, captured: CapturedQuery) -> ReplayedQuery:
    now = {each: _pointer_now(opened, each) for each in captured.pointers}
    moved = replace(captured, pointers=tuple(now[each] or each for each in captured.pointers))
    started = perf_counter()
    hits = _ask(opened, captured, captured.top_k)
    spent = (perf_counter() - started) * 1000
    if any(hit.drawer.filed_at > captured.at for hit in hits):
        # What was filed since may stand in the place of others, which are further behind then.
        hits = _ask(opened, captured, min(len(hits) + MORE, LARGEST_TOP_K))
    known = [str(hit.drawer.pointer) for hit in hits if hit.drawer.filed_at <= captured.at]
    gone = tuple(each for each in captured.pointers if now[each] is None)
    return ReplayedQuery(
        moved, tuple(known[: len(captured.pointers) - len(gone)] if gone else known), gone, round(spent, 3)
    )


def _ask(opened: OpenPalace, captured: CapturedQuery, top_k: int | None) -> tuple[Hit, ...]:
    chosen, basis = opened.effective_and_basis(captured.agent)
    request = request_of(opened, captured.query, captured.scope, top_k=top_k, context=captured.context, now=captured.at)
    by_call = {"floor": captured.floor, "order": captured.order}
    return recall(opened, request, chosen, **by_call, rerank=False, basis=basis).hits


def _pointer_now(opened: OpenPalace, pointer: str) -> str | None:
    """Return the present pointer of a drawer, or None if it is forgotten."""
    try:
        return str(opened.run(lambda session: get_drawer(session, pointer)).pointer)
    except NotFound:
        return None


def _model(opened: OpenPalace) -> str | None:
    basis = opened.run(get_basis)
    return basis.generation.model if basis.generation else None
