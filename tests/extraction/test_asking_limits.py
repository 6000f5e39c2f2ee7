"""Asking a model within limits: a budget, a key, so many calls at once, no transaction, until it is cancelled."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from threading import Lock, Thread

import pytest
import sqlalchemy as sa

from palace import Cancellation, Cancelled, Palace
from palace.testing import Answer, LanguageModelServer, ModelRequest, RawAnswer
from tests.extraction.asked import ANNA, MODEL, kept, outcomes, reply, user
from tests.extraction.conftest import Open


@pytest.fixture
def towns(local: Palace) -> Palace:
    """A palace with nine conversations that no model has read."""
    for number in range(9):
        local.file(user(f"I live in town {number}."), id=str(number))
    return local


def test_past_the_budget_rules_read_with_one_warning_and_nothing_is_lost(
    opened: Open, provider: LanguageModelServer, tmp_path: Path
) -> None:
    for number in range(9):
        talk = {"id": str(number), "messages": user(f"I live in town {number}.")}
        (tmp_path / f"{number}.json").write_text(json.dumps(talk))
    provider.script.extend([reply()] * 9)
    palace = opened(budget_tokens_daily=8_000)
    summary = palace.mine(tmp_path)
    assert summary.drawers_new == 9
    (line,) = palace.costs()
    assert 1 <= len(provider.requests) < 9
    assert line.tokens <= 8_000
    (told,) = [line for line in summary.warnings if "rules" in line]
    assert "the day's budget is used up (budget_usd_daily 1, budget_tokens_daily 8,000)" in told
    assert all(step.pending == 0 for step in palace.status().steps)
    read = palace.activity()[0].details["extraction"]
    assert isinstance(read, dict)
    assert (read["read"] + read["unread"], read["out_of_budget"]) == (9, True)


def test_the_budget_in_money_is_not_gone_beyond(opened: Open, towns: Palace, provider: LanguageModelServer) -> None:
    for most in (Decimal("0.000001"), Decimal(0)):
        assert opened(budget_usd_daily=most).extraction.run().unread == 9
    assert provider.requests == []


@pytest.mark.nightly
def test_a_missing_key_is_named_once_and_nothing_more_is_tried(
    opened: Open, towns: Palace, provider: LanguageModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    told = f"9 of 9 stretches of turns were read by rules, not by the model: {MODEL} needs a key: set OPENAI_API_KEY"
    assert opened().extraction.run().warnings == (told,)
    assert (provider.requests, towns.costs()) == ([], ())


@pytest.mark.nightly
def test_after_three_failures_in_a_row_the_model_is_left_alone(
    opened: Open, towns: Palace, provider: LanguageModelServer
) -> None:
    provider.script.extend([Answer.WRONG_KEY] * 9)
    done = opened().extraction.run()
    assert 3 <= len(provider.requests) < 6
    assert (done.unread, len(done.warnings)) == (9, 1)


def test_cancelled_it_ends_at_once_and_the_ledger_says_so(
    opened: Open, local: Palace, provider: LanguageModelServer
) -> None:
    local.file(ANNA, id="a")
    provider.script.append(Answer.SILENT)
    cancel = Cancellation()

    def end() -> None:
        while not provider.requests:
            time.sleep(0.01)
        cancel.cancel()

    ender = Thread(target=end)
    ender.start()
    with pytest.raises(Cancelled):
        opened().extraction.run(cancel=cancel)
    ender.join()
    assert (outcomes(local), kept(local)) == (["cancelled"], [])


@pytest.mark.nightly
def test_a_provider_that_counts_no_tokens_uses_the_budget_up_as_well(
    opened: Open, towns: Palace, provider: LanguageModelServer
) -> None:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply()}}
    answer = {"id": "s", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    provider.script.extend([RawAnswer.of(answer)] * 9)
    done = opened(budget_tokens_daily=12_000).extraction.run()
    assert 1 <= len(provider.requests) < 9
    assert sum(line.tokens for line in towns.costs()) <= 12_000
    assert "the ledger counts what calls may take at most" in done.warnings[0]


@pytest.mark.nightly
def test_so_many_are_asked_at_once_and_no_transaction_is_open_meanwhile(
    opened: Open, towns: Palace, provider: LanguageModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.script.extend([reply()] * 9)
    palace = opened(extraction_parallel=3)
    engine = palace._opened.database.shared._engine
    assert engine is not None
    assert isinstance(engine.pool, sa.QueuePool)
    pool, lock, under_way, most, checked_out = engine.pool, Lock(), [0], [0], set[int]()
    answer = provider.answer

    def watched(request: ModelRequest) -> tuple[int, Iterator[bytes]]:
        with lock:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
        time.sleep(0.1)
        checked_out.add(pool.checkedout())
        with lock:
            under_way[0] -= 1
            return answer(request)

    monkeypatch.setattr(provider, "answer", watched)
    assert (palace.extraction.run().read, most[0]) == (9, 3)
    checked_out.clear()
    provider.script.append(reply())
    palace.note("I live in a village.")
    assert checked_out == {0}
