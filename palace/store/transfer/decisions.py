"""What a person decided of entities, read for an export and written for an import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select

from palace.files.lines import DecisionLine
from palace.records.graph import MOST_DECISIONS, DecisionVerb, EntityType
from palace.store.database import UserSession
from palace.store.filing.drawers import batches
from palace.tables import EntityDecision

WINDOW = 500
"""Decisions that are in memory at a time."""


def iter_decisions(session: UserSession) -> Iterator[DecisionLine]:
    """Give what was decided, and what was taken back of it, in the order in which it was."""
    columns = (EntityDecision.verb, EntityDecision.decided, EntityDecision.decided_at, EntityDecision.undone_at)
    query = select(*columns).where(EntityDecision.user_id == session.user_id)
    query = query.order_by(EntityDecision.decided_at, EntityDecision.id)
    for row in session.execute(query.execution_options(yield_per=WINDOW)):
        decided = row.decided
        conversations = decided.get("conversations")
        yield DecisionLine(
            verb=DecisionVerb(row.verb),
            name=decided["name"],
            type=EntityType(decided["type"]),
            other=decided["other"],
            other_type=EntityType(decided["other_type"]),
            conversations=None if conversations is None else tuple(conversations),
            decided_at=row.decided_at,
            undone_at=row.undone_at,
        )


def file_decisions(session: UserSession, lines: Sequence[DecisionLine]) -> int:
    """Write the decisions that are not there; one that is known here stays as it is, taken back or not.

    Of more than a palace keeps the last are left out; gives how many.
    """
    query = select(EntityDecision.decided_at, EntityDecision.verb, EntityDecision.decided)
    rows = session.execute(query.where(EntityDecision.user_id == session.user_id))
    known = {_key(row.decided_at, row.verb, row.decided) for row in rows}
    missing = [line for line in lines if _key(line.decided_at, line.verb.value, _decided(line)) not in known]
    taken = missing[: max(MOST_DECISIONS - len(known), 0)]
    for batch in batches(taken):
        new = [
            {
                "verb": line.verb.value,
                "decided": _decided(line),
                "decided_at": line.decided_at,
                "undone_at": line.undone_at,
            }
            for line in batch
        ]
        session.insert(insert(EntityDecision), new)
    return len(missing) - len(taken)


def _decided(line: DecisionLine) -> dict[str, Any]:
    decided: dict[str, Any] = {
        "name": line.name,
        "type": line.type.value,
        "other": line.other,
        "other_type": line.other_type.value,
    }
    return decided if line.conversations is None else decided | {"conversations": list(line.conversations)}


def _key(decided_at: datetime, verb: str, decided: dict[str, Any]) -> tuple[object, ...]:
    conversations = decided.get("conversations")
    named = tuple(decided[name] for name in ("name", "type", "other", "other_type"))
    return decided_at, verb, *named, None if conversations is None else tuple(conversations)
