"""The cost ledger: one row for every call to a paid model.

Figures come from providers; one that is out of range for its column is stored as the nearest that fits, so that no bill
prevents work from being stored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Text, cast, func, insert, null, select
from sqlalchemy.dialects.postgresql import array

from palace.db.database import UserSession
from palace.db.locks import Guarded, wait_alone
from palace.db.tables import Conversation, CostEntry, Room, Wing
from palace.models import CallRecord, CallSubject, CostGrouping, CostLine, DailyBudget, RoomPointer

LARGEST_COUNT = 2**63 - 1
LARGEST_COST = Decimal("999999999.999999999")
LONGEST_SECONDS = 1e9
LONGEST_NAME = 500
"""The most characters stored of a model's, or a source's, name."""

NOTHING = CallSubject()


def record_calls(
    session: UserSession, purpose: str, calls: Iterable[CallRecord], subject: CallSubject = NOTHING
) -> None:
    """Insert calls into the ledger, with what they were about."""
    rows = [row_of(purpose, call, subject) for call in calls]
    if rows:
        session.insert(insert(CostEntry), rows)


def row_of(purpose: str, call: CallRecord, subject: CallSubject) -> dict[str, Any]:
    """Return the row for a call."""
    about = {"conversation_id": subject.conversation_id, "source": subject.source and _text(subject.source)}
    return {"purpose": purpose, **about, **_held(call)}


def _held(call: CallRecord) -> dict[str, Any]:
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


EMBEDDING = "memory_embed"
TALK = "chat"
"""Purpose of the user's own conversations with a model: in the ledger, but not paid from memory's budget."""


class Spent(NamedTuple):
    """Tokens and dollars that calls have cost."""

    tokens: int
    cost_usd: Decimal


def sum_spent(session: UserSession, since: datetime) -> Spent:
    """Sum the cost of calls from a moment on, with what is reserved for running ones.

    Dollars are for all purposes but chat; tokens for language models alone, since embeddings take many, which cost
    little.
    """
    tokens = func.sum(CostEntry.tokens).filter(CostEntry.purpose != EMBEDDING)
    query = session.select(func.coalesce(tokens, 0), func.coalesce(func.sum(CostEntry.cost_usd), 0)).where(
        CostEntry.called_at >= since, CostEntry.purpose != TALK
    )
    spent, cost = session.execute(query).one()
    return Spent(int(spent), Decimal(cost))


def reserve_call(
    session: UserSession, purpose: str, call: CallRecord, subject: CallSubject, budget: DailyBudget
) -> int | None:
    """Reserve the most a call may cost; return the reservation's number, or None where the budget does not suffice.

    ``call`` has the most tokens and cost. All calls since the budget began count, whatever for, and all reservations. A
    budget of no dollars allows no call.
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
    """Replace a reservation by the calls that were made."""
    session.delete(CostEntry, CostEntry.id == number)
    record_calls(session, purpose, calls, subject)


_SUMS = (
    func.count(),
    func.count().filter(CostEntry.outcome != "ok"),
    func.sum(CostEntry.tokens),
    func.sum(CostEntry.cost_usd),
    func.sum(CostEntry.seconds),
)
_QUARTER = timedelta(minutes=15)
"""The days of every time zone begin with one."""
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def list_costs(
    session: UserSession, by: CostGrouping | None, *, zone: tzinfo, since: datetime | None = None
) -> tuple[CostLine, ...]:
    """Sum the ledger by a grouping, if any, and in each group by purpose and model; days are those of ``zone``.

    Days are in order of time, other groups most expensive first, and so are the lines of a group. Calls without a value
    for the grouping are under "", and so are all if there is no grouping.
    """
    key, named = _key(session, by, zone)
    query = select(key, CostEntry.purpose, CostEntry.model, *_SUMS).where(*_mine(session, since))
    sums: dict[tuple[str, str, str], _Sum] = {}
    for group, purpose, model, *figures in session.execute(query.group_by(key, CostEntry.purpose, CostEntry.model)):
        place = (named(group), purpose, model)
        sums[place] = sums.get(place, _Sum()).plus(_Sum(*figures))
    whole: dict[str, _Sum] = {}
    for (group, _, _), summed in sums.items():
        whole[group] = whole.get(group, _Sum()).plus(summed)

    def order(place: tuple[str, str, str]) -> tuple[Any, ...]:
        of_group = 0 if by is CostGrouping.DAY else -whole[place[0]].cost
        return (of_group, place[0], -sums[place].cost, place)

    return tuple(
        CostLine(purpose, model, *sums[group, purpose, model].figures, group=group)
        for group, purpose, model in sorted(sums, key=order)
    )


class _Sum(NamedTuple):
    calls: int = 0
    failed: int = 0
    tokens: Any = 0
    cost: Any = 0
    seconds: float = 0.0

    def plus(self, other: _Sum) -> _Sum:
        return _Sum(*(mine + its for mine, its in zip(self, other, strict=True)))

    @property
    def figures(self) -> tuple[int, int, int, Any, float]:
        return self.calls, self.failed, int(self.tokens), self.cost, float(self.seconds)


def _mine(session: UserSession, since: datetime | None) -> list[ColumnElement[bool]]:
    mine = [CostEntry.user_id == session.user_id]
    return mine if since is None else [*mine, CostEntry.called_at >= since]


def _key(session: UserSession, by: CostGrouping | None, zone: tzinfo) -> tuple[Any, Callable[[Any], str]]:
    """Return the expression of a grouping, and a function that formats its values."""
    match by:
        case None:
            return cast(null(), Text), lambda _: ""
        case CostGrouping.DAY:
            return func.date_bin(_QUARTER, CostEntry.called_at, _EPOCH), lambda at: f"{at.astimezone(zone):%Y-%m-%d}"
        case CostGrouping.SOURCE:
            return CostEntry.source, lambda source: source or ""
        case CostGrouping.MODEL:
            return CostEntry.model, str
        case CostGrouping.CONVERSATION:
            names = _conversations(session)
            return CostEntry.conversation_id, lambda number: names.get(number, "")


def _conversations(session: UserSession) -> dict[int, str]:
    """Name the conversations that calls were about, by the pointer of their first room and their title."""
    asked = session.select(CostEntry.conversation_id)
    query = (
        session.select(Conversation.id, Conversation.title, func.min(array([Wing.number, Room.number])))
        .join(Room)
        .join(Wing)
        .where(Conversation.id.in_(asked))
        .group_by(Conversation.id, Conversation.title)
    )
    return {number: f"{RoomPointer(*place)} {title or ''}".strip() for number, title, place in session.execute(query)}
