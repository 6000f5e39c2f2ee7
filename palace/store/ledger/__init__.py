"""The cost ledger: one row for every call to a paid model.

What a call is said to have taken comes from providers. A figure that a row cannot hold is kept as the nearest that it
can, so that no bill keeps anybody's work from being stored.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from sqlalchemy import insert

from palace.records import CallRecord, CallSubject
from palace.store.database import UserSession
from palace.tables import CostEntry

LARGEST_COUNT = 2**63 - 1
LARGEST_COST = Decimal("999999999.999999999")
LONGEST_SECONDS = 1e9
LONGEST_NAME = 500
"""Characters of a model's name, or of a source's, that are kept."""

NOTHING = CallSubject()


def record_calls(
    session: UserSession, purpose: str, calls: Iterable[CallRecord], subject: CallSubject = NOTHING
) -> None:
    """Write calls to the ledger, with what they were about."""
    rows = [row_of(purpose, call, subject) for call in calls]
    if rows:
        session.insert(insert(CostEntry), rows)


def row_of(purpose: str, call: CallRecord, subject: CallSubject) -> dict[str, Any]:
    """Give the row of a call."""
    about = {"conversation_id": subject.conversation_id, "source": subject.source and _text(subject.source)}
    return {"purpose": purpose, **about, **_held(call)}


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
