"""What happened in a palace: listing events, and writing one in the transaction of what it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any

from palace.cancellation import unstopped
from palace.db.activity import list_activity, record_event
from palace.db.database import UserSession
from palace.errors import BadRequest, Cancelled, DatabaseUnavailable, PalaceError
from palace.models import ImportSummary, RebuildSummary, Removal, TargetKind, intake
from palace.models import activity as kinds
from palace.models.graph import DecisionVerb, ExtractionSummary
from palace.opened import OpenPalace

FINISHED = {"outcome": "finished"}
_DECIDED = {
    DecisionVerb.MERGE: kinds.ENTITIES_MERGED,
    DecisionVerb.SPLIT: kinds.ENTITY_SPLIT,
    DecisionVerb.RENAME: kinds.ENTITY_RENAMED,
}


def tell_forgotten(session: UserSession, kind: TargetKind, place: str, removal: Removal) -> None:
    """Write down how much was forgotten; ``place`` is the pointer of what it stood in."""
    record_event(session, kinds.FORGOTTEN, {**FINISHED, "what": kind.value, "place": place, **asdict(removal)})


def tell_restored(session: UserSession, drawers: int) -> None:
    """Write down how much of what was forgotten was taken back."""
    record_event(session, kinds.TAKEN_BACK, {**FINISHED, "drawers": drawers})


def tell_undone(session: UserSession, run_id: int, runs: int, removal: Removal, marks: int) -> None:
    """Write down that a run was undone, with others that had built on it, ``runs`` in all."""
    record_event(session, kinds.UNDONE, {**FINISHED, "runs": runs, **asdict(removal), "marks": marks}, run_id=run_id)


def tell_moved(session: UserSession, *, source: int, target: int, rooms: int, merged: bool) -> None:
    """Write down that rooms went from one wing to another, by their numbers."""
    what = (TargetKind.WING if merged else TargetKind.ROOM).value
    record_event(session, kinds.MOVED, {**FINISHED, "what": what, "from": source, "to": target, "rooms": rooms})


def tell_renamed(session: UserSession, kind: TargetKind, place: str) -> None:
    """Write down that what a pointer names has another name."""
    record_event(session, kinds.RENAMED, {**FINISHED, "what": kind.value, "place": place})


def tell_decided(session: UserSession, verb: DecisionVerb, number: int, *, is_undone: bool) -> None:
    """Write down that something was decided of entities, or taken back."""
    kind = kinds.DECISION_UNDONE if is_undone else _DECIDED[verb]
    record_event(session, kind, {**FINISHED, "decision": number})


def rebuilt(summary: RebuildSummary) -> dict[str, Any]:
    """Say what a rebuild made."""
    return {
        "is_whole": summary.wing is None,
        "conversations": summary.conversations,
        "conversations_left": summary.conversations_left,
        "drawers": summary.drawers,
        "passages": summary.passages,
        "closets": summary.closets,
        "cost_usd": str(summary.cost_usd),
        "warning_count": len(summary.warnings),
    }


def read_again(summary: ExtractionSummary) -> dict[str, Any]:
    """Say what a language model read of what was there."""
    extraction = {
        "model": summary.model,
        "read": summary.read,
        "unread": summary.unread,
        "dropped": summary.dropped,
    }
    return {
        "is_whole": summary.wing is None,
        "conversations": summary.conversations,
        "cost_usd": str(summary.cost_usd),
        "warning_count": len(summary.warnings),
        "extraction": extraction,
    }


def imported(summary: ImportSummary) -> dict[str, Any]:
    """Say what an import brought."""
    return {
        "drawers_new": summary.drawers_new,
        "drawers_unchanged": summary.drawers_unchanged,
        "drawers_forgotten": summary.drawers_forgotten,
        "warning_count": len(summary.warnings),
    }


@contextmanager
def told(opened: OpenPalace, kind: str) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Leave an event of what takes several transactions, once they are over: with what it is given, or what failed.

    None is left of what gives nothing, without a database, and where it is killed.
    """
    given: dict[str, Any] = {}
    try:
        yield given.update
    except DatabaseUnavailable:
        raise
    except PalaceError as problem:
        failed = _failed(problem)
        with suppress(PalaceError), unstopped():
            opened.run(lambda session: record_event(session, kind, failed))
        raise
    if given:
        opened.run(lambda session: record_event(session, kind, FINISHED | given))


def _failed(problem: PalaceError) -> dict[str, Any]:
    if isinstance(problem, Cancelled):
        return {"outcome": "cancelled"}
    # Its words may be about what is in the palace; the code is not.
    return {"outcome": "failed", "error": problem.code}


def activity(opened: OpenPalace, *, limit: int, since: datetime | None, kind: str | None) -> tuple[kinds.Activity, ...]:
    """List events, the latest first; of one kind, if it is given.

    Raises:
        BadRequest: there is no such kind.
    """
    most, begun = intake.row_count("limit", limit), intake.moment("since", since, opened.settings.zone)
    wanted = None if kind is None else (_kind(intake.text("kind", kind)),)
    return opened.run(lambda session: list_activity(session, limit=most, since=begun, kinds=wanted))


def _kind(named: str) -> str:
    """Find a kind by its name, or by that without "memory"."""
    word = "_".join(named.lower().replace("-", " ").split())
    for kind in kinds.KINDS:
        if word in (kind, kind.removeprefix("memory_")):
            return kind
    known = ", ".join(kind.removeprefix("memory_") for kind in kinds.KINDS)
    raise BadRequest(f"there is no kind of event {named!r}: there are {known}")
