"""A session that nobody ends is done by workers all the same: each exchange is filed with its job."""

from __future__ import annotations

import multiprocessing
import os
import signal

import pytest

from palace import Palace, Settings
from palace.testing import HashingEmbedder
from tests.queue.conftest import work

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
