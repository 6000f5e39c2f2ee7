"""Calls that are paid from a budget: what one may take at most is set aside before it is made.

What is set aside stands in the ledger, so that it counts for whoever else asks meanwhile, in whatever process. A call
whose end nobody saw, because the process was killed, stays there as what it may have taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import delete, func, insert, select

from palace.records import CallRecord, CallSubject, DailyBudget
from palace.store.database import UserSession
from palace.store.ledger import record_calls, row_of
from palace.store.sql.locks import Guarded, wait_alone
from palace.tables import CostEntry

EMBEDDING = "memory_embed"
TALK = "chat"
"""What a person says to a model by themselves: it is in the ledger, and the budget of memory is not for it."""


class Spent(NamedTuple):
    """What calls have taken."""

    tokens: int
    cost_usd: Decimal


def sum_spent(session: UserSession, since: datetime) -> Spent:
    """Sum up what calls have taken from a moment on, and what is set aside for those under way.

    Dollars are those of every purpose but talking; tokens those of language models alone, since those of embeddings
    cost next to nothing and are many.
    """
    tokens = func.sum(CostEntry.tokens).filter(CostEntry.purpose != EMBEDDING)
    query = select(func.coalesce(tokens, 0), func.coalesce(func.sum(CostEntry.cost_usd), 0)).where(
        CostEntry.user_id == session.user_id, CostEntry.called_at >= since, CostEntry.purpose != TALK
    )
    spent, cost = session.execute(query).one()
    return Spent(int(spent), Decimal(cost))


def reserve_call(
    session: UserSession, purpose: str, call: CallRecord, subject: CallSubject, budget: DailyBudget
) -> int | None:
    """Set aside what a call may take at most, and give the number under which it is settled; None where it may not.

    ``call`` has the tokens and the cost that it may take; what was spent for whatever purpose since the budget
    began counts, and what is set aside. A budget of no dollars lets nothing be sent.
    """
    wait_alone(session, Guarded.BUDGET)
    spent = sum_spent(session, budget.since)
    tokens = 0 if purpose == EMBEDDING else spent.tokens + call.tokens
    if not budget.cost_usd or tokens > budget.tokens or spent.cost_usd + call.cost_usd > budget.cost_usd:
        return None
    made = session.insert(insert(CostEntry).returning(CostEntry.id), row_of(purpose, call, subject))
    return int(made.scalar_one())


def settle_call(
    session: UserSession, number: int, purpose: str, calls: Iterable[CallRecord], subject: CallSubject
) -> None:
    """Put the calls that were made in the place of what was set aside for them."""
    session.execute(delete(CostEntry).where(CostEntry.user_id == session.user_id, CostEntry.id == number))
    record_calls(session, purpose, calls, subject)
