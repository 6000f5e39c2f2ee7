"""What workers make of jobs, on a real queue."""

from __future__ import annotations

import time
from collections.abc import Callable

from palace import Palace
from palace.settings import Settings
from palace.store.queue.jobs import count_jobs
from palace.worker.runner import Worker
from tests.queue.conftest import enqueued, pending_steps, pending_talk, work


def test_a_job_does_the_steps_that_are_pending_and_is_gone(palace: Palace, settings: Settings) -> None:
    conversation = pending_talk(palace)
    assert pending_steps(palace)
    enqueued(palace, conversation)
    summary = work(settings)
    assert (summary.done, summary.failed) == (1, 0)
    assert pending_steps(palace) == {}
    assert palace._opened.run(count_jobs).waiting == 0
    assert palace.recall("anchor of aluminium").hits


def test_a_job_for_a_user_who_is_gone_is_gone_too(palace: Palace, settings: Settings) -> None:
    enqueued(palace, pending_talk(palace))
    palace.forget_everything()
    assert palace._opened.run(count_jobs).waiting == 0
    assert work(settings).done == 0


def test_a_worker_that_waits_is_woken_and_does_it_at_once(palace: Palace, running: Callable[..., Worker]) -> None:
    running()
    time.sleep(1)
    conversation = pending_talk(palace)
    enqueued(palace, conversation)
    deadline = time.monotonic() + 10
    while pending_steps(palace) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert pending_steps(palace) == {}
