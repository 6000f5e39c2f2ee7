"""One budget a day over all calls of models: set aside beforehand, so that many who ask at once do not go beyond it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import sqlalchemy as sa

from palace import Palace, Settings, Worker
from palace.budget import seconds_left, today_of
from palace.testing import EmbeddingServer, HashingEmbedder, LanguageModelServer
from palace.turns import TurnOptions
from palace.worker.runner import Until
from tests.held import variables_of
from tests.llm.test_ledger import call, record

RERANKER, EMBEDDER = "openai/gpt-4o-mini", "openai/text-embedding-3-small"
BOATS = [f"I sailed boat number {number} across the bay of town {number}." for number in range(8)]
QUERY = "Which boat did I sail?"
MOST = Decimal("0.001")
"""Dollars, more than one reranking may take: a thousand tokens of a reply, and a prompt of some thousand."""

pytestmark = pytest.mark.usefixtures("no_jobs")


@pytest.fixture
def embedding(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    with EmbeddingServer(dimension=64) as running:
        monkeypatch.setenv("OPENAI_API_BASE", running.api_base)
        monkeypatch.setenv("OPENAI_API_KEY", "a-key")
        yield running


@pytest.fixture
def paid(settings: Settings, embedding: EmbeddingServer) -> Callable[[str], Palace]:
    """Open one user's palace on a paid embedder, with a day's budget."""
    told, user = settings.model_dump(exclude_unset=True), f"user-{uuid.uuid4()}"
    own = {"embedding_model": EMBEDDER, "embedding_dimension": 64}
    return lambda usd: Palace.open(Settings(**{**told, **own, "budget_usd_daily": Decimal(usd)}), user=user)


def said(*texts: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text} for text in texts]


def reranked(settings: Settings, **changes: object) -> Palace:
    chosen = settings.model_copy(update={"rerank_model": RERANKER, **changes})
    return Palace.open(chosen, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder())


def spent(palace: Palace) -> Decimal:
    return sum((line.cost_usd for line in palace.costs()), Decimal(0))


PROGRAM = """
import sys
from concurrent.futures import ThreadPoolExecutor
from palace import Palace
from palace.config.settings import load_settings
from palace.testing import HashingEmbedder
with Palace.open(load_settings(), user=sys.argv[1], embedder=HashingEmbedder(), make_user=False) as palace:
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: palace.recall(sys.argv[2], rerank=True), range(6)))
print(sum(any("budget is used up" in warning for warning in each.warnings) for each in found))
assert all(each.hits for each in found)
"""


@pytest.mark.nightly
def test_two_programs_that_rerank_at_once_stay_within_one_budget(
    settings: Settings, provider: LanguageModelServer
) -> None:
    provider.script += [json.dumps({"keep": [1, 2]})] * 12
    with reranked(settings) as palace:
        palace.file(said(*BOATS), id="boats")
        palace.recall(QUERY, rerank=True)
        budget = spent(palace) + 3 * MOST
        given = variables_of(settings, PALACE_RERANK_MODEL=RERANKER, PALACE_BUDGET_USD_DAILY=str(budget))
        env = {**os.environ, **given}
        command = [sys.executable, "-c", PROGRAM, palace.user, QUERY]
        running = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(2)]
        refused = sum(int(each.communicate(timeout=300)[0]) for each in running)
        made = sum(line.calls for line in palace.costs() if line.purpose == "memory_rerank")
        assert [each.returncode for each in running] == [0, 0]
        assert (made + refused, made == len(provider.requests)) == (13, True)
        assert refused > 0
        assert made > 1
        assert spent(palace) <= budget


def test_the_calls_of_a_turn_are_in_the_ledger_under_its_session(
    settings: Settings, provider: LanguageModelServer
) -> None:
    provider.script += [json.dumps({"keywords": ["bay"]}), json.dumps({"keep": [1]})]
    with reranked(settings, rerank=True) as palace:
        palace.file(said(*BOATS), id="boats")
        rewriter = palace.turns.rewriter(RERANKER, timeout=60)
        options = TurnOptions(strategy="llm", rewriter=rewriter, timeout=60, floor="none")
        history = said("I sailed a boat across the bay")
        palace.turn("and how much was it?", history=history, session="chat-7", options=options)
        found = {(line.group, line.purpose) for line in palace.costs(by="source")}
        assert found == {("conversation chat-7", "memory_rewrite"), ("conversation chat-7", "memory_rerank")}


def test_a_paid_embedder_is_held_back_and_what_it_would_embed_waits(
    paid: Callable[[str], Palace], embedding: EmbeddingServer
) -> None:
    with paid("1") as palace:
        palace.file(said(BOATS[0]), id="first")
        assert palace.costs()[0].purpose == "memory_embed"
        record(palace, "memory_extract", call(cost="1"))
        asked = len(embedding.requests)
        summary = palace.file(said(BOATS[1]), id="second")
        found = palace.recall("boat number 1")
        assert (summary.drawers_new, bool(found.hits), len(embedding.requests)) == (1, True, asked)
        for warnings, begins in ((summary.warnings, "not everything is embedded"), (found.warnings, "keywords only")):
            (told,) = [warning for warning in warnings if "the day's budget is used up (budget_usd_daily)" in warning]
            assert told.startswith(begins)
        assert palace.embeddings.status()[0].pending > 0
    with paid("3") as palace:
        palace.embeddings.backfill()
        assert palace.embeddings.status()[0].pending == 0
        assert palace.recall("boat number 1").warnings == ()


def test_a_job_that_the_budget_does_not_pay_for_rests_to_the_end_of_the_day(
    paid: Callable[[str], Palace], embedding: EmbeddingServer, caplog: pytest.LogCaptureFixture
) -> None:
    with paid("1") as palace:
        palace.file(said(BOATS[0]), id="first")
        record(palace, "memory_extract", call(cost="1"))
        palace.file(said(BOATS[1]), id="second", background=True)
        asked = len(embedding.requests)
        Worker(palace._opened.settings).run(Until.DONE)
        (job,) = palace.jobs.list()
        assert (job.state.value, job.attempts, job.error) == ("waiting", 0, None)
        assert job.due_at is not None
        ends = datetime.now(UTC) + timedelta(seconds=seconds_left(palace._opened.settings))
        assert abs((job.due_at - ends).total_seconds()) < 60
        assert len(embedding.requests) == asked
        lines = [json.loads(each.message) for each in caplog.records if each.name == "palace.worker"]
        told = [(line["event"], line["outcome"]) for line in lines if line["job"] == job.id]
        assert told == [("job_put_off", "budget_spent")]
        failed = "SELECT count(*) FROM index_step WHERE user_id = :user_id AND failed_at IS NOT NULL"
        assert palace._opened.run(lambda session: session.execute(sa.text(failed)).scalar_one()) == 0


def test_a_day_is_the_persons(settings: Settings) -> None:
    own = Settings(home=settings.home, timezone="Pacific/Auckland")
    assert today_of(own).since.utcoffset() in (timedelta(hours=12), timedelta(hours=13))
    assert 0 <= seconds_left(own) <= 25 * 3600
