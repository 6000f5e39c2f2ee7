"""The ledger: what calls were about, its sums, and what is set aside from a budget."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
import sqlalchemy as sa

from palace import BadRequest, Palace, Settings
from palace.db.ledger import reserve_call, settle_call
from palace.models import CallRecord, CallSubject, DailyBudget
from palace.testing import HashingEmbedder

BUDGET = DailyBudget(datetime(2000, 1, 1, tzinfo=UTC), 100, Decimal(1))


def call(tokens: int = 10, cost: str = "0.01", outcome: str = "ok") -> CallRecord:
    return CallRecord("a/small", tokens, Decimal(cost), 0.5, outcome)


NO_END = DailyBudget(BUDGET.since, 10**9, Decimal(10**6))


def record(palace: Palace, purpose: str, *calls: CallRecord, subject: CallSubject | None = None) -> None:
    """Set a call aside and put those in its place that were made."""
    about = subject or CallSubject()

    def settle(session: Any) -> None:
        number = reserve_call(session, purpose, call(), about, NO_END)
        assert number is not None
        settle_call(session, number, purpose, calls, about)

    palace._opened.run(settle)


def reserved(palace: Palace, tokens: int, cost: str, budget: DailyBudget = BUDGET) -> int | None:
    """Set aside what a call may take; None where that does not fit into what is left."""
    most = call(tokens, cost, outcome="unfinished")
    return palace._opened.run(lambda session: reserve_call(session, "memory_extract", most, CallSubject(), budget))


def filed(palace: Palace, id: str, title: str | None) -> int:
    palace.file([{"role": "user", "content": f"We met at {id}."}], id=id, title=title, wing="Boats")
    query = sa.text("SELECT max(id) FROM conversation WHERE user_id = :user_id")
    return palace._opened.run(lambda session: int(session.execute(query).scalar_one()))


def test_costs_are_summed_by_conversation_under_its_room_and_title(palace: Palace) -> None:
    first, second = filed(palace, "a", "On sails"), filed(palace, "b", "On masts")
    about = CallSubject(first, "a.json")
    record(palace, "memory_extract", call(cost="0.02"), call(outcome="timeout"), subject=about)
    record(palace, "memory_extract", call(cost="0.50"), subject=CallSubject(second, "b.json"))
    record(palace, "memory_embed", call())
    lines = palace.costs(by="conversation")
    assert [(line.group, line.purpose, line.calls, line.failed, line.cost_usd) for line in lines] == [
        ("W-001/R-02 On masts", "memory_extract", 1, 0, Decimal("0.50")),
        ("W-001/R-01 On sails", "memory_extract", 2, 1, Decimal("0.03")),
        ("", "memory_embed", 1, 0, Decimal("0.01")),
    ]
    assert [line.group for line in palace.costs(by="source")] == ["b.json", "a.json", ""]
    assert [line.group for line in palace.costs()] == ["", ""]
    with pytest.raises(BadRequest, match="by must be one of day, source, model, conversation, not 'week'"):
        palace.costs(by="week")
    palace.forget("W-001")
    assert {line.group for line in palace.costs(by="conversation")} == {""}, "what is forgotten stays paid"
    assert sum(line.calls for line in palace.costs()) == 4


def test_days_are_those_of_the_persons_zone_and_stand_in_their_order(settings: Settings) -> None:
    berlin = Settings(**{**settings.model_dump(exclude_unset=True), "timezone": "Europe/Berlin"})
    with Palace.open(berlin, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as palace:
        times = {"0.01": "2026-04-30T21:59:00Z", "0.02": "2026-04-30T22:01:00Z", "0.04": "2026-05-01T21:59:00Z"}
        record(palace, "memory_extract", *(call(cost=cost) for cost in times))
        update = sa.text("UPDATE cost_entry SET called_at = :at WHERE user_id = :user_id AND cost_usd = :cost")
        with palace._opened.session() as session:
            for cost, at in times.items():
                session.execute(update, {"at": at, "cost": Decimal(cost)})
        lines = [(line.group, line.cost_usd) for line in palace.costs(by="day")]
        assert lines == [("2026-04-30", Decimal("0.01")), ("2026-05-01", Decimal("0.06"))]


def test_a_call_is_made_only_where_its_most_fits_into_what_is_left(palace: Palace) -> None:
    number = reserved(palace, 60, "0.2")
    assert number is not None
    assert reserved(palace, 60, "0.2") is None
    made = [call(40, "0.1")]
    palace._opened.run(lambda session: settle_call(session, number, "memory_extract", made, CallSubject()))
    (line,) = palace.costs()
    assert (line.calls, line.failed, line.tokens) == (1, 0, 40)
    assert reserved(palace, 60, "0.2") is not None
    dear = replace(BUDGET, tokens=10_000, cost_usd=Decimal("0.3"))
    assert reserved(palace, 1, "0.01", dear) is None
    assert reserved(palace, 1, "0", dear) is not None


def test_one_budget_a_day_is_over_all_purposes(palace: Palace) -> None:
    record(palace, "memory_rerank", call(50, "0.1"))
    assert reserved(palace, 60, "0.2") is None
    tomorrow = replace(BUDGET, since=datetime.now(UTC) + timedelta(seconds=5))
    assert reserved(palace, 60, "0.2", tomorrow) is not None, "yesterday's calls do not count"
    assert reserved(palace, 50, "0.2", replace(BUDGET, tokens=200)) is not None


def test_embeddings_count_by_what_they_cost_and_not_by_their_tokens(palace: Palace) -> None:
    record(palace, "memory_embed", call(1000, "0.5"))
    assert reserved(palace, 60, "0.6") is None
    assert reserved(palace, 60, "0.5") is not None


def test_several_that_ask_at_once_do_not_set_aside_more_than_there_is(palace: Palace) -> None:
    with ThreadPoolExecutor(4) as pool:
        given = list(pool.map(lambda _: reserved(palace, 60, "0.1"), range(4)))
    assert sum(number is not None for number in given) == 1
