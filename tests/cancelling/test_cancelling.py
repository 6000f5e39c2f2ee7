"""Cancelling itself: what waits in the database or for a model is stopped, nobody else's work is, once is enough."""

from __future__ import annotations

import json
import random
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from palace import BadRequest, Cancellation, Cancelled, EmbeddingError, Palace, Settings
from palace.cancellation import ended_by, go_on, is_cancelled, pause, stopped_by, unstopped
from palace.testing import Answer, EmbeddingServer, HashingEmbedder, LanguageModelServer
from tests.cancelling.conftest import OPEN, TALKS, TURNS, cancelling


def is_waiting(palace: Palace) -> bool:
    """Tell whether anybody waits for a lock of a palace's database."""
    with palace._opened.session() as session:
        query = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"
        return bool(session.connection.execute(sa.text(query)).scalar_one())


def test_a_statement_that_waits_is_cancelled_and_nothing_is_half_written(talks: Path, palace: Palace) -> None:
    talk = json.loads(talks.read_text(encoding="utf-8"))[0]
    grown = talks.with_name("grown.json")
    grown.write_text(json.dumps(talk | {"messages": talk["messages"][:5]}), encoding="utf-8")
    palace.mine(grown)
    before = palace.status()
    grown.write_text(json.dumps(talk), encoding="utf-8")
    with palace._opened.session() as holding:
        holding.connection.execute(sa.text("SELECT id FROM conversation FOR UPDATE"))
        with cancelling(lambda: is_waiting(palace)) as cancel, pytest.raises(Cancelled):
            palace.mine(grown, cancel=cancel)
        assert palace.status().drawers == before.drawers
    assert palace.mine(grown).drawers_new == TURNS - 5


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")


@pytest.mark.nightly
@pytest.mark.usefixtures("keys")
def test_a_recollection_does_not_wait_for_a_language_model_that_is_silent(
    settings: Settings, talks: Path, palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    palace.mine(talks)
    reranking = settings.model_copy(update={"rerank_model": "openai/gpt-4o-mini"})
    question = "Which boat lies in berth 3?"
    with (
        LanguageModelServer(Answer.SILENT) as server,
        Palace.open(reranking, user=palace.user, embedder=HashingEmbedder()) as asked,
    ):
        monkeypatch.setenv("OPENAI_API_BASE", server.api_base)
        with cancelling(lambda: bool(server.requests)) as cancel, pytest.raises(Cancelled):
            asked.recall(question, rerank=True, cancel=cancel)
        (cost,) = asked.costs()
        assert (cost.purpose, cost.calls, cost.failed) == ("memory_rerank", 1, 1)
        assert asked.recall(question).hits == palace.recall(question).hits


@pytest.mark.usefixtures("keys")
@pytest.mark.slow
@pytest.mark.parametrize(
    "answers", [[Answer.SILENT], pytest.param([Answer.BROKEN, Answer.SILENT], marks=pytest.mark.nightly)]
)
def test_a_mine_does_not_wait_for_an_embedding_model_that_is_silent(
    answers: list[Answer], talks: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = {"embedding_model": "openai/text-embedding-3-small", "embedding_dimension": 384}
    own = settings.model_copy(update=model | {"user": f"user-{uuid.uuid4()}"})
    with EmbeddingServer(script=answers) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.api_base)
        with Palace.open(own) as palace:
            with cancelling(lambda: len(server.requests) == len(answers)) as cancel, pytest.raises(Cancelled):
                palace.mine(talks, cancel=cancel)
            (cost,) = palace.costs()
            failed = [each for each in answers if each is not Answer.OK]
            assert (cost.calls, cost.failed) == (len(answers), len(failed))
            palace.mine(talks)
            assert (palace.status().drawers, palace.status().embeddings[0].pending) == (TALKS * TURNS, 0)


def test_what_is_no_cancellation_is_refused(palace: Palace) -> None:
    with pytest.raises(BadRequest, match="cancel must be a Cancellation, not str"):
        palace.recall("boats", cancel="now")  # type: ignore[arg-type]  # what is refused


def test_nobody_elses_statement_is_cancelled(open_palace: OPEN, settings: Settings) -> None:
    """Recall is cancelled at every moment it can be, on connections that another's recall takes up at once."""
    palace, chance = open_palace(), random.Random(8)
    for number in range(12):
        palace.note(f"Boat {number} lies in berth {number}.")
    over = threading.Event()

    def undisturbed() -> int:
        done = 0
        while not over.is_set():
            assert palace.recall("Which boat lies in berth 3?").hits
            done += 1
        return done

    with ThreadPoolExecutor(1) as pool:
        going_on = pool.submit(undisturbed)
        try:
            ends = [_recalled(palace, chance.uniform(0, 0.05)) for _ in range(12)]
        finally:
            over.set()
        assert going_on.result() > 0
    assert {"cancelled"} <= set(ends) <= {"cancelled", "done"}


def _recalled(palace: Palace, seconds: float) -> str:
    cancel = Cancellation()
    timer = threading.Timer(seconds, cancel.cancel)
    timer.start()
    try:
        palace.recall("Which boat lies in berth 3?", cancel=cancel)
    except Cancelled:
        return "cancelled"
    finally:
        timer.join()
    return "done"


@pytest.fixture
def cancelled() -> Iterator[Cancellation]:
    """A call that is cancelled while it is under way."""
    cancel = Cancellation()
    with ended_by(cancel):
        cancel.cancel()
        yield cancel


def test_a_cancelled_call_begins_no_step(cancelled: Cancellation) -> None:
    assert is_cancelled()
    for step in (go_on, lambda: stopped_by(lambda: None).__enter__()):
        with pytest.raises(Cancelled):
            step()
        with unstopped():
            step()
            assert not is_cancelled()
            assert pause(0)
    assert not pause(60)


def test_an_error_that_stands_in_for_a_cancelling_is_told_as_one() -> None:
    for cause, told in ((Cancelled(), Cancelled), (None, EmbeddingError), (OSError(), EmbeddingError)):
        with pytest.raises(told), ended_by(Cancellation()):
            raise EmbeddingError("the model did not answer") from cause
