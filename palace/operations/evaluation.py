"""Ask a user's captured queries again, to see whether recall has changed."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from time import perf_counter

from palace import __version__
from palace.agent.outbox_files import make_folder
from palace.config.settings import LARGEST_TOP_K
from palace.db.database import UserSession
from palace.db.memories import get_memories
from palace.errors import NotFound
from palace.models import CapturedQuery, Hit, Replay, ReplayedQuery, intake
from palace.opened import OpenPalace, Verbs
from palace.operations.capturing import active_model, read_captured, switch_of
from palace.operations.recall import captured_path, recall, request_of
from palace.operations.tree import get_drawer

MORE = 20
"""Hits beyond those of then that are looked at, because some may be filed since."""


class EvaluationVerbs(Verbs):
    """Captured queries of this user on this computer."""

    @property
    def is_capturing(self) -> bool:
        """Whether queries are captured on this computer."""
        return switch_of(self._path).exists()

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
            switch_of(self._path).touch(mode=0o600)
        else:
            switch_of(self._path).unlink(missing_ok=True)

    def captured(self) -> tuple[CapturedQuery, ...]:
        """List the captured queries, the latest first; lines that cannot be read are left out."""
        return tuple(reversed(read_captured(self._path)))

    def clear(self) -> int:
        """Delete the captured queries; return how many there were."""
        number = len(read_captured(self._path))
        self._path.unlink(missing_ok=True)
        return number

    def replay(self, *, limit: int = 200) -> Replay:
        """Ask the latest ``limit`` captured queries again, each with its options and time, without a language model.

        Drawers that were filed after the query do not count, nor those that are forgotten, nor memories that were
        superseded or rejected, or have expired.

        Raises:
            BadRequest: ``limit`` is no positive integer.
            EmbeddingError: the settings name another model than the palace has.
        """
        limit = intake.count("limit", limit)
        latest = {_key(each): each for each in self.captured()[::-1]}
        asked = sorted(latest.values(), key=lambda each: each.at, reverse=True)
        for each in asked[:1]:
            _ask(self._opened, each, each.top_k)  # loads the model, which is not to count as recall's time
        queries = tuple(_replayed(self._opened, each) for each in islice(asked, limit))
        return Replay(queries, __version__, active_model(self._opened))


def _key(captured: CapturedQuery) -> tuple[object, ...]:
    """Return what makes two captured queries the same question."""
    return (captured.query, captured.scope, captured.top_k, captured.floor, captured.order, captured.agent)


def _replayed(opened: OpenPalace, captured: CapturedQuery) -> ReplayedQuery:
    before = tuple(filter(None, (_pointer_now(opened, each) for each in captured.pointers)))
    started = perf_counter()
    hits = _ask(opened, captured, captured.top_k)
    spent = round((perf_counter() - started) * 1000, 3)
    if any(hit.drawer.filed_at > captured.at for hit in hits):
        # What was filed since may stand in the place of others, which are further behind then.
        hits = _ask(opened, captured, min(len(hits) + MORE, LARGEST_TOP_K))
    known = [str(hit.drawer.pointer) for hit in hits if hit.drawer.filed_at <= captured.at]
    # What is in the place of a hit that is gone is no difference.
    now = known[: len(before)] if len(before) < len(captured.pointers) else known
    took = captured.milliseconds, spent
    return ReplayedQuery(captured.query, captured.at, before, tuple(now), *took, captured.version, captured.model)


def _ask(opened: OpenPalace, captured: CapturedQuery, top_k: int | None) -> tuple[Hit, ...]:
    chosen, basis = opened.effective_and_basis(captured.agent)
    request = request_of(opened, captured.query, captured.scope, top_k=top_k, context=captured.context, now=captured.at)
    by_call = {"floor": captured.floor, "order": captured.order}
    return recall(opened, request, chosen, **by_call, rerank=False, basis=basis).hits


def _pointer_now(opened: OpenPalace, pointer: str) -> str | None:
    """Return the present pointer of a drawer, or None if it is forgotten, or a memory that recall returns no longer."""

    def read(session: UserSession) -> str | None:
        drawer = get_drawer(session, pointer)
        memories = get_memories(session, [drawer.id])
        return str(drawer.pointer) if all(each.is_active(datetime.now(UTC)) for each in memories) else None

    try:
        return opened.run(read)
    except NotFound:
        return None
