"""Workers that nobody starts: a detached one on the embedded server, and one inside a program."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from typer.testing import CliRunner

from palace import Administration, JobCounts, Palace, Settings, load_settings
from palace.testing import HashingEmbedder
from palace.worker.starting import ensure_worker, present, variables_of
from palace_cli.app import app
from tests.queue.conftest import pending_steps, within

SAID = [{"role": "user", "content": "The anchor of the Kittiwake is of aluminium."}]


@pytest.fixture
def home() -> Iterator[Path]:
    """A home of the test's own, its server and its worker gone in the end."""
    path = Path(tempfile.mkdtemp(prefix="palace-detached-"))
    path.chmod(0o711)
    yield path
    for each in workers_of(path):
        each.kill()
        each.wait(10)
    Administration(Settings(home=path, server_idle_minutes=0)).stop()


def workers_of(home: Path) -> list[psutil.Process]:
    """List the detached workers of a home."""
    found = []
    for process in psutil.process_iter(["cmdline", "environ", "status"]):
        words, variables = process.info["cmdline"] or [], process.info["environ"] or {}
        if "palace.worker.detached" in words and variables.get("PALACE_HOME") == str(home):
            found.append(process)
    return [each for each in found if each.info["status"] != psutil.STATUS_ZOMBIE]


@pytest.mark.nightly
def test_a_worker_starts_with_the_first_job_and_ends_with_the_queue(home: Path) -> None:
    with Palace.open(Settings(home=home, server_idle_minutes=0), user="mara") as palace:
        began = time.monotonic()
        palace.file(SAID, id="one", background=True)
        palace.file([*SAID, *SAID], id="two", background=True)
        assert len(workers_of(home)) <= 1
        assert time.monotonic() - began < 10
        assert within(60, lambda: pending_steps(palace) == {} and palace.jobs.counts() == JobCounts())
        assert palace.recall("What is the anchor made of?").hits
        assert within(40, lambda: workers_of(home) == [])
    assert (home / "worker.log").read_text() == ""


def test_none_starts_where_one_is_or_the_settings_say_no(home: Path, settings: Settings) -> None:
    assert settings.database_url is None or not ensure_worker(settings)  # a shared server
    settings = Settings(home=home, server_idle_minutes=0)
    assert not ensure_worker(settings.model_copy(update={"worker_starts": False}))
    with present(settings):
        assert not ensure_worker(settings)
    assert workers_of(home) == []


def test_a_worker_says_in_one_line_that_nothing_can_be_written_to_a_home(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALACE_HOME", str(home))
    (home / "worker.lock").mkdir()  # no permission keeps root from writing
    (home / "postgres").touch()
    done = CliRunner().invoke(app, ["worker", "--once"], catch_exceptions=False)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert str(home / "postgres") in done.stderr


def test_the_person_of_one_user_is_not_given_to_another(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_USER", "marta")
    monkeypatch.setenv("PALACE_PERSON", "Marta Lindqvist")
    typed = load_settings(home=home, user="tom").model_copy(update={"person": None})
    assert "PALACE_USER" not in variables_of(typed)
    given = variables_of(Settings(home=home, user="tom", person="Tom Hansen"))
    assert (given["PALACE_USER"], given["PALACE_PERSON"]) == ("tom", "Tom Hansen")


def test_a_program_can_have_a_worker_inside(settings: Settings) -> None:
    user = f"inside-{time.time_ns()}"
    with Palace.open(settings, user=user, embedder=HashingEmbedder(), background=True) as palace:
        palace.file(SAID, id="one", background=True)
        assert within(15, lambda: pending_steps(palace) == {} and palace.jobs.counts() == JobCounts())
        worker = palace._worker
    assert worker is not None
    assert not worker._thread.is_alive()
