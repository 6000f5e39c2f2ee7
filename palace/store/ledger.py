"""The cost ledger: one row for every call to a paid model.

What a call is said to have taken comes from providers. A figure that a row cannot hold is kept as the nearest that it
can, so that no bill keeps anybody's work from being stored.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import func, insert, select

from palace.records import CallRecord, CostLine
from palace.store.database import UserSession
from palace.tables import CostEntry

LARGEST_COUNT = 2**63 - 1
LARGEST_COST = Decimal("999999999.999999999")
LONGEST_SECONDS = 1e9
LONGEST_NAME = 500
"""Characters of a model's name that are kept."""


def record_calls(session: UserSession, purpose: str, calls: Iterable[CallRecord]) -> None:
    """Write calls to the ledger."""
    rows = [{"purpose": purpose, **_held(call)} for call in calls]
    if rows:
        session.insert(insert(CostEntry), rows)


def _held(call: CallRecord) -> dict[str, Any]:
    """Give the columns of a call, each within what the table takes."""
    cost = call.cost_usd if call.cost_usd.is_finite() else Decimal(0)
    seconds = call.seconds if math.isfinite(call.seconds) else 0.0
    return {
        "model": _text(call.model),
        "tokens": min(max(call.tokens, 0), LARGEST_COUNT),
        "cost_usd": min(max(cost, Decimal(0)), LARGEST_COST),
        "seconds": min(max(seconds, 0.0), LONGEST_SECONDS),
        "outcome": _text(call.outcome),
    }


def _text(name: str) -> str:
    return name[:LONGEST_NAME].replace("\0", "?").encode("utf-8", "replace").decode()


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
