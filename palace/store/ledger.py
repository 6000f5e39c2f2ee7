"""The cost ledger: one row for every call to a paid model."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import func, insert, select

from palace.records import CallRecord, CostLine
from palace.store.database import UserSession
from palace.tables import CostEntry


def record_calls(session: UserSession, purpose: str, calls: Iterable[CallRecord]) -> None:
    """Write calls to the ledger."""
    rows = [
        {
            "user_id": session.user_id,
            "purpose": purpose,
            "model": call.model,
            "tokens": call.tokens,
            "cost_usd": call.cost_usd,
            "seconds": call.seconds,
            "outcome": call.outcome,
        }
        for call in calls
    ]
    if rows:
        session.execute(insert(CostEntry), rows)


def list_costs(session: UserSession, *, since: datetime | None = None) -> tuple[CostLine, ...]:
    """Sum the ledger by purpose and model, dearest first."""
    query = (
        select(
            CostEntry.purpose,
            CostEntry.model,
            func.count(),
            func.count().filter(CostEntry.outcome != "ok"),
            func.sum(CostEntry.tokens),
            func.sum(CostEntry.cost_usd),
            func.sum(CostEntry.seconds),
        )
        .where(CostEntry.user_id == session.user_id)
        .group_by(CostEntry.purpose, CostEntry.model)
        .order_by(func.sum(CostEntry.cost_usd).desc(), CostEntry.purpose, CostEntry.model)
    )
    if since is not None:
        query = query.where(CostEntry.called_at >= since)
    return tuple(
        CostLine(purpose, model, calls, failed, int(tokens), cost, float(seconds))
        for purpose, model, calls, failed, tokens, cost, seconds in session.execute(query)
    )
