"""The ledger: what calls were about, its sums, and what is set aside from a budget."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from threading import Thread
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from palace import BadRequest, Palace
from palace.records import CallRecord, CallSubject, CostGrouping, DailyBudget
from palace.settings import Settings
from palace.store.database import Database, UserSession
from palace.store.ledger import record_calls
from palace.store.ledger.reserved import reserve_call, settle_call
from palace.store.ledger.sums import list_costs, list_costs_by
from palace.testing import HashingEmbedder

BERLIN = ZoneInfo("Europe/Berlin")
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def call(tokens: int = 10, cost: str = "0.01", model: str = "a/small", outcome: str = "ok") -> CallRecord:
    return CallRecord(model, tokens, Decimal(cost), 0.5, outcome)


@pytest.fixture
def palace(settings: Settings) -> Iterator[Palace]:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as opened:
        yield opened


def filed(palace: Palace, id: str, title: str | None) -> int:
    palace.file([{"role": "user", "content": f"We met at {id}."}], id=id, title=title, wing="Boats")
    with palace._opened.session() as session:
        query = sa.text("SELECT max(id) FROM conversation WHERE user_id = :user_id")
        return int(session.execute(query).scalar_one())


def test_costs_are_summed_by_conversation_under_its_room_and_title(palace: Palace) -> None:
    first, second = filed(palace, "a", "On sails"), filed(palace, "b", "On masts")
    with palace._opened.session() as session:
        record_calls(
            session, "memory_extract", [call(cost="0.02"), call(outcome="timeout")], CallSubject(first, "a.json")
        )
        record_calls(session, "memory_extract", [call(cost="0.50")], CallSubject(second, "b.json"))
        record_calls(session, "memory_embed", [call(cost="0.01")])
    found = [
        (line.group, line.purpose, line.calls, line.failed, line.cost_usd) for line in palace.costs(by="conversation")
    ]
    assert found == [
        ("W-001/R-02 On masts", "memory_extract", 1, 0, Decimal("0.50")),
        ("W-001/R-01 On sails", "memory_extract", 2, 1, Decimal("0.03")),
        ("", "memory_embed", 1, 0, Decimal("0.01")),
    ]
    assert [line.group for line in palace.costs(by="source")] == ["b.json", "a.json", ""]
    assert [line.group for line in palace.costs()] == ["", ""]


def test_what_a_forgotten_conversation_cost_stays_in_the_ledger_without_it(palace: Palace) -> None:
    number = filed(palace, "a", "On sails")
    with palace._opened.session() as session:
        record_calls(session, "memory_extract", [call()], CallSubject(number, "a.json"))
    palace.forget("Boats")
    palace.forget_everything(dry_run=True)
    (line,) = palace.costs(by="conversation")
    assert (line.group, line.calls) == ("", 1)


def test_days_are_those_of_the_persons_zone_and_stand_in_their_order(session: UserSession) -> None:
    record_calls(session, "memory_extract", [call(cost=cost) for cost in ("0.01", "0.02", "0.04")])
    times = ["2026-04-30T21:59:00Z", "2026-04-30T22:01:00Z", "2026-05-01T21:59:00Z"]
    ids = (
        session.execute(sa.text("SELECT id FROM cost_entry WHERE user_id = :user_id ORDER BY cost_usd")).scalars().all()
    )
    for number, at in zip(ids, times, strict=True):
        update = "UPDATE cost_entry SET called_at = :at WHERE user_id = :user_id AND id = :id"
        session.execute(sa.text(update), {"at": at, "id": number})
    lines = list_costs_by(session, CostGrouping.DAY, zone=BERLIN)
    assert [(line.group, line.cost_usd) for line in lines] == [
        ("2026-04-30", Decimal("0.01")),
        ("2026-05-01", Decimal("0.06")),
    ]


def test_costs_by_something_else_are_refused(palace: Palace) -> None:
    with pytest.raises(BadRequest, match="summed by day, source, model, conversation, not 'week'"):
        palace.costs(by="week")


def test_a_call_is_made_only_where_its_most_fits_into_what_is_left(session: UserSession) -> None:
    subject, budget = CallSubject(), DailyBudget(LONG_AGO, 100, Decimal(1))
    most = call(60, "0.2", outcome="unfinished")
    number = reserve_call(session, "memory_extract", most, subject, budget)
    assert number is not None
    assert reserve_call(session, "memory_extract", most, subject, budget) is None
    settle_call(session, number, "memory_extract", [call(40, "0.1")], subject)
    assert [(line.calls, line.failed, line.tokens) for line in list_costs(session)] == [(1, 0, 40)]
    assert reserve_call(session, "memory_extract", most, subject, budget) is not None
    dear = replace(budget, tokens=10_000, cost_usd=Decimal("0.3"))
    assert reserve_call(session, "memory_extract", call(1, "0.01"), subject, dear) is None
    assert reserve_call(session, "memory_extract", call(1, "0"), subject, dear) is not None


def test_yesterdays_calls_do_not_count(session: UserSession) -> None:
    budget = DailyBudget(datetime.now(UTC) + timedelta(seconds=5), 100, Decimal(1))
    record_calls(session, "memory_extract", [call(1000, "100")])
    assert reserve_call(session, "memory_extract", call(60, "0.2"), CallSubject(), budget) is not None


def test_one_budget_is_over_all_purposes(session: UserSession) -> None:
    budget = DailyBudget(LONG_AGO, 100, Decimal(1))
    record_calls(session, "memory_rerank", [call(50, "0.1")])
    assert reserve_call(session, "memory_extract", call(60, "0.2"), CallSubject(), budget) is None
    assert reserve_call(session, "memory_extract", call(50, "0.2"), CallSubject(), budget) is not None


def test_embeddings_count_by_what_they_cost_and_not_by_their_tokens(session: UserSession) -> None:
    budget = DailyBudget(LONG_AGO, 100, Decimal(1))
    record_calls(session, "memory_embed", [call(1000, "0.5")])
    assert reserve_call(session, "memory_extract", call(60, "0.6"), CallSubject(), budget) is None
    assert reserve_call(session, "memory_extract", call(60, "0.5"), CallSubject(), budget) is not None


def test_two_that_ask_at_once_do_not_set_aside_more_than_there_is(database: Database, user_id: int) -> None:
    budget, given = DailyBudget(LONG_AGO, 100, Decimal(1)), list[int | None]()

    def ask() -> None:
        most = call(60, "0.1", outcome="unfinished")
        given.append(database.of(user_id).run(lambda s: reserve_call(s, "memory_extract", most, CallSubject(), budget)))

    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(number is not None for number in given) == 1
