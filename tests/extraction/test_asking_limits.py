"""Asking a model within limits: a budget, so many calls at once, no transaction, until it is cancelled."""

from __future__ import annotations

import time
from collections.abc import Iterator
from decimal import Decimal
from threading import Lock, Thread

import pytest
import sqlalchemy as sa

from palace import Cancellation, Cancelled, Palace
from palace.cancellation import ended_by
from palace.testing import Answer, LanguageModelServer, ModelRequest, RawAnswer
from tests.extraction.asked import ANNA, GHENT, ask, asking, filed, kept, outcomes, reply


def test_the_budget_in_tokens_is_not_gone_beyond_and_there_is_one_warning(
    palace: Palace, provider: LanguageModelServer
) -> None:
    numbers = [filed(palace, [{"role": "user", "content": f"I live in town {n}."}], str(n))[0] for n in range(9)]
    provider.script.extend([reply()] * 9)
    made = ask(palace, asking(palace, extraction_budget_tokens=8_000), *numbers)
    (line,) = palace.costs()
    assert 1 <= len(provider.requests) < 9
    assert line.tokens <= 8_000
    assert made.read + made.unread == 9
    (told,) = made.warnings
    assert "the day's budget is used up (budget_usd_daily 1, budget_tokens_daily 8,000)" in told


def test_the_budget_in_money_is_not_gone_beyond(palace: Palace, provider: LanguageModelServer) -> None:
    number, _ = filed(palace, ANNA)
    made = ask(palace, asking(palace, extraction_budget_usd=Decimal("0.000001")), number)
    assert (provider.requests, made.unread) == ([], 1)
    assert ask(palace, asking(palace, extraction_budget_usd=Decimal(0)), number).unread == 1


def test_a_provider_that_counts_no_tokens_uses_the_budget_up_as_well(
    palace: Palace, provider: LanguageModelServer
) -> None:
    numbers = [filed(palace, [{"role": "user", "content": f"I live in town {n}."}], str(n))[0] for n in range(4)]
    message = {"role": "assistant", "content": reply()}
    answer = {
        "id": "s",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
    }
    provider.script.extend([RawAnswer.of(answer)] * 4)
    made = ask(palace, asking(palace, extraction_budget_tokens=12_000, extraction_parallel=1), *numbers)
    assert 1 <= len(provider.requests) < 4
    assert sum(line.tokens for line in palace.costs()) <= 12_000
    assert "the ledger counts what calls may take at most" in made.warnings[0]


def test_so_many_are_asked_at_once_and_no_transaction_is_open_meanwhile(
    palace: Palace, provider: LanguageModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [filed(palace, [{"role": "user", "content": f"I live in town {n}."}], str(n))[0] for n in range(8)]
    provider.script.extend([reply()] * 8)
    lock, under_way, most = Lock(), [0], [0]
    answer = provider.answer

    def watched(request: ModelRequest) -> tuple[int, Iterator[bytes]]:
        with lock:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
        time.sleep(0.2)
        with lock:
            under_way[0] -= 1
            return answer(request)

    monkeypatch.setattr(provider, "answer", watched)
    made = ask(palace, asking(palace, extraction_parallel=3), *numbers)
    assert (made.read, most[0]) == (8, 3)


def test_no_transaction_is_open_while_the_model_is_asked(
    palace: Palace, provider: LanguageModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, _ = filed(palace, ANNA)
    engine = palace._opened.database.shared._engine
    assert engine is not None
    pool = engine.pool
    assert isinstance(pool, sa.QueuePool)
    checked_out: list[int] = []
    answer = provider.answer

    def watched(request: ModelRequest) -> tuple[int, Iterator[bytes]]:
        checked_out.append(pool.checkedout())
        return answer(request)

    monkeypatch.setattr(provider, "answer", watched)
    provider.script.append(GHENT)
    ask(palace, asking(palace), number)
    assert checked_out == [0]


def test_cancelled_it_ends_at_once_and_the_ledger_says_so(palace: Palace, provider: LanguageModelServer) -> None:
    number, _ = filed(palace, ANNA)
    provider.script.append(Answer.SILENT)
    cancel = Cancellation()

    def end() -> None:
        while not provider.requests:
            time.sleep(0.01)
        cancel.cancel()

    ender = Thread(target=end)
    ender.start()
    with pytest.raises(Cancelled), ended_by(cancel):
        ask(palace, asking(palace), number)
    ender.join()
    assert outcomes(palace) == ["cancelled"]
    assert kept(palace, number) == []
