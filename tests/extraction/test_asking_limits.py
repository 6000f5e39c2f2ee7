"""Asking a model within limits: a budget, a key, so many calls at once, no transaction, until it is cancelled."""

from __future__ import annotations

import json
import time
from decimal import Decimal
from pathlib import Path
from threading import Thread

import pytest

from palace import Cancellation, Cancelled, Palace
from palace.testing import Answer, LanguageModelServer
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
    palace = opened(extraction_budget_tokens=8_000)
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
        assert opened(extraction_budget_usd=most).extraction.run().unread == 9
    assert provider.requests == []


def test_a_missing_key_is_named_once_and_nothing_more_is_tried(
    opened: Open, towns: Palace, provider: LanguageModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    told = f"9 of 9 stretches of turns were read by rules, not by the model: {MODEL} needs a key: set OPENAI_API_KEY"
    assert opened().extraction.run().warnings == (told,)
    assert (provider.requests, towns.costs()) == ([], ())


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
