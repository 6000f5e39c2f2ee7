"""What tests of the queue share: workers that are quick to look, and conversations that wait for their steps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Thread

import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import Select, select

from palace import Palace, Settings, Worker, WorkSummary
from palace.db.filing.steps import make_pending, make_step_pending, mark_done
from palace.db.jobs import enqueue_index
from palace.db.tables import Conversation
from palace.mining.steps.registry import STEPS
from palace.testing import HashingEmbedder
from palace.worker.runner import Until
from palace.worker.tasks import Rhythm

__all__ = ["Until", "enqueue_index", "mark_done"]
QUICK = Rhythm(
    heartbeat=0.3,
    silence=5,
    look=0.3,
    poll=0.5,
    poll_unwoken=0.3,
    linger=0.5,
    watch=0.2,
    reconnect=0.3,
    rests=(0.2, 0.2),
)


@pytest.fixture(autouse=True)
def empty_queue(no_jobs: None) -> None:
    """No job of another test: workers take everybody's."""


def worker_of(settings: Settings, **given: object) -> Worker:
    """Make a worker with an embedder that costs nothing."""
    return Worker(settings, **({"embedder": HashingEmbedder(), "rhythm": QUICK} | given))  # type: ignore[arg-type]


def work(settings: Settings, **given: object) -> WorkSummary:
    """Do what is to be done now."""
    return worker_of(settings, **given).run(Until.DONE)


@pytest.fixture
def running(settings: Settings) -> Iterator[Callable[..., Worker]]:
    """Start workers in threads of this process; they end with the test."""
    started: list[tuple[Worker, Thread]] = []

    def start(until: Until = Until.STOPPED, **given: object) -> Worker:
        worker = worker_of(settings, **given)

        def run() -> None:
            with suppress(RuntimeError):
                worker.run(until)

        thread = Thread(target=run)
        thread.start()
        started.append((worker, thread))
        return worker

    yield start
    for worker, _ in started:
        worker.stop()
    for _, thread in started:
        thread.join(20)
        assert not thread.is_alive()


def pending_talk(palace: Palace, *, id: str = "talk", turns: int = 2) -> int:
    """File a conversation whose steps are all pending; give its number."""
    said = [
        {"role": "user", "content": f"{id}: the anchor number {number} is of aluminium."} for number in range(turns)
    ]
    palace.file(said, id=id)
    database = palace._opened.database
    with database.transaction() as session:
        conversation = session.execute(_newest(session.user_id)).scalar_one()
        make_pending(session, [conversation])
        for step in STEPS:
            make_step_pending(session, step.made, [conversation])
    return int(conversation)


def _newest(user_id: int) -> Select[int]:
    return select(Conversation.id).where(Conversation.user_id == user_id).order_by(Conversation.id.desc()).limit(1)


def enqueued(palace: Palace, conversation: int | None) -> int:
    """Enqueue the index steps of a conversation; give the job."""
    return palace._opened.run(lambda session: enqueue_index(session, conversation))


def pending_steps(palace: Palace) -> dict[str, int]:
    """Say how many conversations wait for each step."""
    return {step.name: step.pending for step in palace.status().steps if step.pending}


def within(seconds: float, is_so: Callable[[], bool]) -> bool:
    """Tell whether something comes to be so in time."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def owner(settings: Settings) -> psycopg.Connection[tuple[object, ...]]:
    """Connect as the owner, who sees all jobs."""
    url = settings.database_owner_url
    assert isinstance(url, SecretStr)
    return psycopg.connect(url.get_secret_value(), autocommit=True)
