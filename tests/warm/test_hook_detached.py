"""From end to end: hooks in processes of their own, and the worker that they start, on a server of its own."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from palace import Palace
from palace.hooks.serving.look import look
from palace.projects import key_of_folder
from palace.settings import Settings
from palace.store.embedded.server import EmbeddedServer
from palace.store.projects.held import put_project
from tests.queue.test_by_itself import workers_of
from tests.warm.conftest import run_hook, within

SAID = [{"role": "user", "content": "We dropped Redis from the Kittiwake service because of its licence."}]
USER = "mara"


@pytest.fixture
def own_home() -> Iterator[Path]:
    """A home of the test's own, its server and its worker gone in the end."""
    path = Path(tempfile.mkdtemp(prefix="palace-warm-"))
    path.chmod(0o711)
    yield path
    for each in workers_of(path):
        each.kill()
        each.wait(10)
    EmbeddedServer(path, idle_minutes=0).stop()
    shutil.rmtree(path, ignore_errors=True)


def event(name: str, folder: Path, session: str) -> bytes:
    """Write what Claude Code sends."""
    prompt = "Why did we drop Redis from the Kittiwake service?"
    told = {"hook_event_name": name, "session_id": session, "cwd": str(folder), "prompt": prompt, "source": "startup"}
    return json.dumps(told).encode()


def test_the_first_hook_starts_what_answers_the_next(own_home: Path, tmp_path: Path) -> None:
    with Palace.open(Settings(home=own_home, server_idle_minutes=0), user=USER) as palace:
        filed = palace.file(SAID, id="one", wing="Kittiwake")
        key = key_of_folder(tmp_path)
        assert filed.pointers
        assert key
        wing = next(wing for wing in palace.tree.wings() if wing.name == "Kittiwake")
        palace._opened.run(lambda session: put_project(session, key, wing.id))

    def ask(session: str) -> str:
        sent = event("UserPromptSubmit", tmp_path, session)
        more = {"PALACE_USER": USER, "PALACE_WORKER_STARTS": "true", "PALACE_SERVER_IDLE_MINUTES": "0"}
        done, took = run_hook(own_home, "prompt", sent=sent, more=more)
        assert (done.returncode, done.stderr) == (0, b"")
        assert took < 3  # of which a busy machine may take more than half to start an interpreter
        return done.stdout.decode()

    ask("s-1")
    assert within(60, lambda: look(own_home))
    [worker] = workers_of(own_home)
    assert worker.net_connections(kind="inet") == []
    assert within(60, lambda: "licence" in ask(str(time.monotonic_ns())) and look(own_home).answered)  # type: ignore[union-attr]
    assert workers_of(own_home) == [worker]

    worker.kill()
    worker.wait(10)
    ask("s-3")  # by itself, while nobody answers on the stale socket
    assert within(60, lambda: (found := look(own_home)) and not found.problem)
    [another] = workers_of(own_home)
    assert another.pid != worker.pid
    assert within(60, lambda: "licence" in ask(str(time.monotonic_ns())))

    another.terminate()
    psutil.wait_procs([another], timeout=10)
    assert not another.is_running() or another.status() == psutil.STATUS_ZOMBIE
