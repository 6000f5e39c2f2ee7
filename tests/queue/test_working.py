"""What workers make of jobs: done, tried again, given up, taken over, ended; also those of a session unended."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event

import pytest

from palace import IndexStep, JobCounts, JobState, LanguageModelError, Palace, Settings, StepVersion, Work, Worker
from palace.cancellation import go_on
from palace.db.filing.steps import mark_done
from palace.testing import HashingEmbedder
from tests.held import execute, rows, variables_of
from tests.queue.conftest import enqueued, pending_steps, pending_talk, within, work

SECRET = "cinnabar"
STUBBORN, SLOW = StepVersion("stubborn", 1), StepVersion("slow", 1)


@dataclass(frozen=True, slots=True)
class Stubborn(IndexStep):
    """Fails as often as it is told to, saying what nobody should repeat."""

    made: StepVersion = STUBBORN
    failures: list[Exception] = field(default_factory=list)
    done: list[int] = field(default_factory=list)

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        if self.failures:
            raise self.failures.pop()
        self.done.extend(conversations)
        work.database.run(lambda session: mark_done(session, self.made, conversations))


@dataclass(frozen=True, slots=True)
class Slow(IndexStep):
    """Takes its time, until it is cancelled or let go."""

    made: StepVersion = SLOW
    began: Event = field(default_factory=Event)
    go: Event = field(default_factory=Event)
    done: list[int] = field(default_factory=list)

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        self.began.set()
        while not self.go.wait(0.05):
            go_on()
        self.done.extend(conversations)
        work.database.run(lambda session: mark_done(session, self.made, conversations))


def test_a_job_does_the_steps_that_are_pending_and_is_gone(palace: Palace, settings: Settings) -> None:
    conversation = pending_talk(palace)
    assert pending_steps(palace)
    enqueued(palace, conversation)
    summary = work(settings)
    assert (summary.done, summary.failed) == (1, 0)
    assert pending_steps(palace) == {}
    assert palace.jobs.counts() == JobCounts()
    assert palace.recall("anchor of aluminium").hits


def test_what_an_older_version_read_is_read_again_behind_the_next_job(palace: Palace, settings: Settings) -> None:
    palace.file([{"role": "user", "content": "My sister Maren lives in Ghent."}], id="old")
    execute(palace, "UPDATE index_step SET version = 1 WHERE step = 'extraction'", "DELETE FROM relation")
    assert pending_steps(palace) == {"extraction": 1}
    enqueued(palace, pending_talk(palace))
    assert work(settings).failed == 0
    assert pending_steps(palace) == {}
    assert "Ghent" in [each.object for each in palace.relations("Maren")]


@pytest.mark.nightly
def test_a_job_for_all_does_every_conversation(palace: Palace, settings: Settings) -> None:
    for name in ("one", "two", "three"):
        pending_talk(palace, id=name)
    assert set(pending_steps(palace).values()) == {3}
    enqueued(palace, None)
    assert work(settings).done == 1
    assert pending_steps(palace) == {}


def test_a_worker_that_waits_is_woken_and_begins_at_once(palace: Palace, running: Callable[..., Worker]) -> None:
    running()
    time.sleep(0.5)
    enqueued(palace, pending_talk(palace))
    assert within(10, lambda: pending_steps(palace) == {})


def test_what_failed_rests_and_is_tried_again(palace: Palace, running: Callable[..., Worker]) -> None:
    step = Stubborn(failures=[LanguageModelError(SECRET)])
    conversation = pending_talk(palace)
    enqueued(palace, conversation)
    running(steps=[step])
    assert within(10, lambda: step.done == [conversation])
    assert within(5, lambda: palace.jobs.counts() == JobCounts())


def test_after_the_last_attempt_it_is_a_dead_letter_that_a_person_can_have_tried_again(
    palace: Palace, running: Callable[..., Worker], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    step = Stubborn(failures=[RuntimeError(f"it was about {SECRET}")] * 3)
    conversation = pending_talk(palace)
    job = enqueued(palace, conversation)
    running(steps=[step])
    assert within(15, lambda: palace.jobs.counts() == JobCounts(failed=1))
    (failed,) = palace.jobs.list(state="failed")
    assert (failed.id, failed.attempts, failed.error) == (job, 3, "RuntimeError")
    assert SECRET not in caplog.text
    assert palace.jobs.retry(job).state is not JobState.FAILED
    assert within(10, lambda: palace.jobs.counts() == JobCounts())
    assert step.done == [conversation]


def test_why_a_step_failed_is_told_from_its_conversation_and_is_not_in_the_queue(
    palace: Palace, settings: Settings
) -> None:
    job = enqueued(palace, pending_talk(palace))
    assert work(settings, steps=[Stubborn(failures=[LanguageModelError("the model is out")] * 9)]).failed == 1
    shown = palace.jobs.show(job)
    assert shown.error == "not done: stubborn: the model is out"
    assert shown.due_at is not None
    assert rows(palace, "SELECT error FROM procrastinate_jobs") == [("not done: stubborn",)]


@pytest.mark.slow
def test_a_conversation_is_done_by_one_worker_at_a_time(palace: Palace, running: Callable[..., Worker]) -> None:
    slow, other = Slow(), Slow()
    conversation = pending_talk(palace)
    enqueued(palace, conversation)
    running(steps=[slow])
    assert slow.began.wait(10)
    enqueued(palace, conversation)
    running(steps=[other])
    assert not other.began.wait(1)
    assert palace.jobs.counts() == JobCounts(waiting=1, running=1)
    slow.go.set()
    other.go.set()
    assert within(10, lambda: palace.jobs.counts() == JobCounts())


def test_a_job_that_runs_ends_when_its_user_cancels_it(palace: Palace, running: Callable[..., Worker]) -> None:
    slow = Slow()
    job = enqueued(palace, pending_talk(palace))
    running(steps=[slow])
    assert slow.began.wait(10)
    palace.jobs.cancel(job)
    assert within(8, lambda: palace.jobs.counts() == JobCounts())
    assert slow.done == []
    assert pending_steps(palace) == {}  # it does not know the step; those before it were done


def test_a_worker_that_is_ended_puts_its_job_back_and_counts_no_attempt(
    palace: Palace, running: Callable[..., Worker]
) -> None:
    slow = Slow()
    job = enqueued(palace, pending_talk(palace))
    worker = running(steps=[slow])
    assert slow.began.wait(10)
    worker.stop()
    assert within(8, lambda: palace.jobs.counts() == JobCounts(waiting=1))
    found = palace.jobs.show(job)
    assert (found.attempts, found.error, found.due_at) == (0, None, None)


PROGRAM = """
import sys
from palace.config.settings import load_settings
from palace_cli.app import main
from palace_cli.commands import worker
from palace.worker.runner import Worker
from tests.queue.conftest import QUICK
from tests.queue.test_working import Slow
from palace.testing import HashingEmbedder

class Told(Slow):
    def do(self, work, conversations):
        print("began", flush=True)
        super().do(work, conversations)

steps = [Told()] if sys.argv[1] == "slow" else []
worker.make_worker = lambda: Worker(load_settings(), embedder=HashingEmbedder(), steps=steps, rhythm=QUICK)
sys.argv[1:] = ["worker"]
main()
"""


def program(settings: Settings, kind: str) -> subprocess.Popen[str]:
    """Start a worker as a process of its own."""
    environment = os.environ | variables_of(settings, PYTHONPATH=os.pathsep.join(sys.path))
    return subprocess.Popen([sys.executable, "-c", PROGRAM, kind], env=environment, stdout=subprocess.PIPE, text=True)


def test_the_end_of_workers_is_no_fault_of_the_job_that_they_had_until_it_is_many(
    palace: Palace, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, states = enqueued(palace, pending_talk(palace)), []

    async def nothing(_fetcher: object) -> None:
        """Take no job."""

    monkeypatch.setattr("palace.worker.runner.Fetcher.run", nothing)
    for _ in range(26):
        with palace._opened.database.shared.without_user() as connection:
            taken = "UPDATE palace_queue.procrastinate_jobs SET status = 'doing', worker_id = NULL WHERE id = "
            connection.exec_driver_sql("SET LOCAL ROLE palace_worker")
            connection.exec_driver_sql(f"{taken}{job}")
            connection.commit()
        work(settings)
        states.append(palace.jobs.show(job).state)
        if states[-1] is JobState.FAILED:
            break
    assert JobState.FAILED not in states[:20]
    assert (states[-1], len(states) > 20) == (JobState.FAILED, True)
    monkeypatch.undo()
    palace.jobs.retry(job)
    work(settings)
    assert palace.jobs.counts() == JobCounts()


@pytest.mark.nightly
@pytest.mark.process
def test_what_a_killed_worker_had_is_taken_over(
    palace: Palace, settings: Settings, running: Callable[..., Worker]
) -> None:
    conversation = pending_talk(palace)
    job = enqueued(palace, conversation)
    with program(settings, "slow") as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "began\n"
        assert palace.jobs.show(job).state is JobState.RUNNING
        killed.kill()
    running()
    assert within(15, lambda: palace.jobs.counts() == JobCounts())
    assert pending_steps(palace) == {}


SAID = ("My sailing boat needs a new mast.", "The mast is twelve metres long.", "My tax return is late.")


def _talk(settings: Settings, user: str) -> None:
    palace = Palace.open(settings, user=user, embedder=HashingEmbedder())
    history: list[dict[str, str]] = []
    for message in SAID:
        palace.turn(message, history=history, session="boats").finish("Noted.")
        history += [{"role": "user", "content": message}, {"role": "assistant", "content": "Noted."}]
    os.kill(os.getpid(), signal.SIGKILL)


def pending(palace: Palace) -> int:
    return sum(step.pending for step in palace.status().steps)


@pytest.mark.nightly
@pytest.mark.process
def test_a_process_that_is_killed_in_a_session_leaves_the_job_of_its_last_exchange(
    palace: Palace, settings: Settings
) -> None:
    talking = multiprocessing.get_context("spawn").Process(target=_talk, args=(settings, palace.user))
    talking.start()
    talking.join(120)
    assert talking.exitcode == -signal.SIGKILL
    assert pending(palace) > 0
    assert len(palace.jobs.list()) == 1
    work(settings)
    assert pending(palace) == 0
    assert palace.jobs.list() == ()
    closets = palace.tree.closets(palace.tree.rooms(palace.tree.wings()[0])[0])
    assert sum(closet.drawer_count for closet in closets) == 2 * len(SAID)


def test_ending_a_session_does_its_steps_and_leaves_workers_nothing(palace: Palace, settings: Settings) -> None:
    palace.turn(SAID[0], session="boats").finish("Noted.")
    palace.turn("Something else.", session="other").finish("Noted.")
    palace.turns.end("boats")
    assert {step.pending for step in palace.status().steps} <= {0, 1}
    assert pending(palace) > 0
    palace.turns.end()
    assert pending(palace) == 0
    assert work(settings).failed == 0
