"""The user's decisions on entities; conversations are stored by identity, which an import keeps too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, insert, select

from palace.db.database import UserSession
from palace.db.rows import batches
from palace.db.tables import Conversation, EntityDecision
from palace.models.claims import EntityType
from palace.models.graph import MOST_DECISIONS, Decision, DecisionVerb
from palace.models.lines import DecisionLine


@dataclass(frozen=True, slots=True)
class NewDecision:
    """A decision to be stored."""

    verb: DecisionVerb
    name: str
    type: EntityType
    other: str
    other_type: EntityType
    conversations: tuple[int, ...] = ()
    """Ids of the conversations that a split is about; empty where a name is meant everywhere."""


def list_decisions(
    session: UserSession, *, undone: bool = False, limit: int | None = None, decision_id: int | None = None
) -> list[Decision]:
    """List the user's decisions in order of time, without those taken back unless ``undone``.

    With ``limit``, the latest of them; with ``decision_id``, that one alone. A decision's id is its number among the
    user's own, in the order in which they were stored.
    """
    numbered = _numbered(session).subquery()
    query = select(numbered)
    if not undone:
        query = query.where(numbered.c.undone_at.is_(None))
    if decision_id is not None:
        query = query.where(numbered.c.number == decision_id)
    query = query.order_by(numbered.c.decided_at.desc(), numbered.c.number.desc()).limit(limit)
    rows = session.execute(query).all()[::-1]
    ids = _conversation_ids(session, [name for row in rows for name in row.decided.get("conversations", ())])
    return [_decision(row, ids) for row in rows]


def count_decisions(session: UserSession) -> int:
    """Count the user's decisions, those taken back included."""
    return session.count(EntityDecision)


def add_decision(session: UserSession, new: NewDecision, at: datetime) -> int:
    """Store a decision as of a moment; return its id."""
    decided = _decided(new, _identities(session, new.conversations) if new.conversations else None)
    session.insert(insert(EntityDecision), {"verb": new.verb.value, "decided": decided, "decided_at": at})
    return count_decisions(session)


def take_back_decision(session: UserSession, decision_id: int, at: datetime) -> bool:
    """Mark a decision as undone at a moment; False if there is none, or it was undone before."""
    numbered = _numbered(session).subquery()
    row = select(numbered.c.id).where(numbered.c.number == decision_id).scalar_subquery()
    standing = (EntityDecision.id == row, EntityDecision.undone_at.is_(None))
    return session.update(EntityDecision, *standing, undone_at=at).rowcount == 1


def drop_decisions(session: UserSession, decision_ids: Sequence[int]) -> None:
    """Delete decisions; later ones get other ids."""
    numbered = _numbered(session).subquery()
    rows = select(numbered.c.id).where(numbered.c.number.in_(decision_ids))
    session.delete(EntityDecision, EntityDecision.id.in_(rows))


def _numbered(session: UserSession) -> Select[Any]:
    """Select the user's decisions, numbered from 1: the database's own ids are shared by all users."""
    number = func.row_number().over(order_by=EntityDecision.id).label("number")
    return session.select(EntityDecision, number)


def _decision(row: Any, ids: dict[str, int]) -> Decision:
    decided = row.decided
    return Decision(
        id=row.number,
        verb=DecisionVerb(row.verb),
        **_named(decided),
        decided_at=row.decided_at,
        undone_at=row.undone_at,
        conversations=tuple(ids[name] for name in decided.get("conversations", ()) if name in ids),
        is_partial="conversations" in decided,
    )


def _identities(session: UserSession, conversations: Sequence[int]) -> list[str]:
    query = session.select(Conversation.identity).where(Conversation.id.in_(conversations))
    return sorted(session.execute(query).scalars())


def _conversation_ids(session: UserSession, identities: Sequence[str]) -> dict[str, int]:
    if not identities:
        return {}
    query = session.select(Conversation.identity, Conversation.id).where(Conversation.identity.in_(identities))
    return {row.identity: row.id for row in session.execute(query)}


WINDOW = 500
"""The most decisions in memory at a time."""


def iter_decisions(session: UserSession) -> Iterator[DecisionLine]:
    """Yield all decisions, also those taken back, in order of time."""
    columns = (EntityDecision.verb, EntityDecision.decided, EntityDecision.decided_at, EntityDecision.undone_at)
    query = session.select(*columns).order_by(EntityDecision.decided_at, EntityDecision.id)
    for row in session.execute(query.execution_options(yield_per=WINDOW)):
        decided = row.decided
        conversations = decided.get("conversations")
        yield DecisionLine(
            verb=DecisionVerb(row.verb),
            **_named(decided),
            conversations=None if conversations is None else tuple(conversations),
            decided_at=row.decided_at,
            undone_at=row.undone_at,
        )


def file_decisions(session: UserSession, lines: Sequence[DecisionLine]) -> int:
    """Insert the decisions that do not exist yet; existing ones stay as they are, taken back or not.

    Those beyond the number that a palace keeps are left out; returns how many.
    """
    query = session.select(EntityDecision.decided_at, EntityDecision.verb, EntityDecision.decided)
    known = {_key(*row) for row in session.execute(query)}
    missing = [
        line
        for line in lines
        if _key(line.decided_at, line.verb.value, _decided(line, line.conversations)) not in known
    ]
    taken = missing[: max(MOST_DECISIONS - len(known), 0)]
    for batch in batches(taken):
        new = [
            {
                "verb": line.verb.value,
                "decided": _decided(line, line.conversations),
                "decided_at": line.decided_at,
                "undone_at": line.undone_at,
            }
            for line in batch
        ]
        session.insert(insert(EntityDecision), new)
    return len(missing) - len(taken)


def _decided(made: NewDecision | DecisionLine, conversations: Sequence[str] | None) -> dict[str, Any]:
    named = {"name": made.name, "type": made.type.value, "other": made.other, "other_type": made.other_type.value}
    return named if conversations is None else {**named, "conversations": list(conversations)}


def _named(decided: Mapping[str, Any]) -> dict[str, Any]:
    types = {name: EntityType(decided[name]) for name in ("type", "other_type")}
    return {"name": decided["name"], "other": decided["other"], **types}


def _key(decided_at: datetime, verb: str, decided: dict[str, Any]) -> tuple[object, ...]:
    conversations = decided.get("conversations")
    named = tuple(decided[name] for name in ("name", "type", "other", "other_type"))
    return decided_at, verb, *named, None if conversations is None else tuple(conversations)
