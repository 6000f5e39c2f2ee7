"""Sums of the ledger: by purpose and model, and by day, source, model or conversation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Text, and_, cast, func, null, select
from sqlalchemy.dialects.postgresql import array

from palace.records import CostGrouping, CostLine, RoomPointer
from palace.store.database import UserSession
from palace.tables import Conversation, CostEntry, Room, Wing

_SUMS = (
    func.count(),
    func.count().filter(CostEntry.outcome != "ok"),
    func.sum(CostEntry.tokens),
    func.sum(CostEntry.cost_usd),
    func.sum(CostEntry.seconds),
)
_QUARTER = timedelta(minutes=15)
"""Every time zone's days begin with one."""
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def list_costs(
    session: UserSession, by: CostGrouping | None, *, zone: tzinfo, since: datetime | None = None
) -> tuple[CostLine, ...]:
    """Sum the ledger by a grouping, if any, and in each group by purpose and model; ``zone`` is that of days.

    Days come in their order, other groups dearest first, each with its dearest line first. What was about nothing of
    the kind comes under "", and everything where no grouping is given.
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
    """Give what a grouping goes by, and how a value of it is written."""
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
    """Name the conversations that calls were about: the room that each begins in, and its title."""
    asked = select(CostEntry.conversation_id).where(CostEntry.user_id == session.user_id)
    query = (
        select(Conversation.id, Conversation.title, func.min(array([Wing.number, Room.number])))
        .join(Room, and_(Room.user_id == Conversation.user_id, Room.conversation_id == Conversation.id))
        .join(Wing, and_(Wing.user_id == Room.user_id, Wing.id == Room.wing_id))
        .where(Conversation.user_id == session.user_id, Conversation.id.in_(asked))
        .group_by(Conversation.id, Conversation.title)
    )
    return {number: f"{RoomPointer(*place)} {title or ''}".strip() for number, title, place in session.execute(query)}
