"""A worker that answers hooks: as a process of one's own would, for whoever asks, beside its jobs and for a while."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from typer.testing import CliRunner

import palace as library
from palace import Administration, JobCounts, NotFound, Palace, Settings, Verdict, to_json
from palace.doctor import check_hooks
from palace.hooks.answering import HookContext
from palace.hooks.miner import InboxMiner
from palace.opened import SharedResources
from palace.testing import HashingEmbedder
from palace.worker.runner import Until, Worker
from palace.worker.tasks import Rhythm
from palace_cli.app import app
from palace_hook import asking
from palace_hook.asking import find_socket, outside
from palace_hook.notes import note_failure
from tests.hooks.conftest import ASKED, SAID, Agent, line, notes, repository
from tests.warm.conftest import within

QUICK = Rhythm(heartbeat=0.3, silence=5, look=0.1, poll=0.5, poll_unwoken=0.3, linger=0.2, inbox=0.2, reconnect=0.3)


@pytest.fixture(autouse=True)
def empty_queue(no_jobs: None) -> None:
    """No job of another test: workers take everybody's."""


@contextmanager
def working(agent: Agent, until: Until = Until.STOPPED, **told: Any) -> Iterator[tuple[Worker, Thread]]:
    """Have a worker of the agent's home at work, with a worker's own database."""
    opened = agent.palace._opened
    database = type(opened.database.shared)(agent.settings)
    resources = SharedResources(agent.settings, database, opened.embedders, opened.strategy, opened.steps)
    worker = Worker(agent.settings, rhythm=QUICK, resources=resources)
    worker.serve_hooks(**{"expected": True} | told)
    thread = Thread(target=worker.run, args=(until,), daemon=True)
    thread.start()
    try:
        assert within(10, lambda: worker._hooks and worker._hooks._warm.is_set())
        assert within(10, lambda: find_socket(str(agent.settings.home_folder)))
        yield worker, thread
    finally:
        worker.stop()
        thread.join(10)
        shutil.rmtree(outside(str(agent.settings.home_folder)), ignore_errors=True)


def request(agent: Agent, session: str = "s-1", prompt: str = ASKED, **more: Any) -> dict[str, Any]:
    """Give what the client sends."""
    url, owner = agent.settings.database_url, agent.settings.database_owner_url
    environment = {
        "PALACE_HOME": str(agent.settings.home_folder),
        "PALACE_USER": agent.palace.user,
        **({"PALACE_DATABASE_URL": url.get_secret_value()} if url else {}),
        **({"PALACE_DATABASE_OWNER_URL": owner.get_secret_value()} if owner else {}),
        **({"TZ": os.environ["TZ"]} if "TZ" in os.environ else {}),
    }
    told = {"hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": str(agent.project), "prompt": prompt}
    return {
        **{"v": 1, "version": library.__version__, "event": "", "harness": None, "user": None, "folder": ""},
        **{"input": json.dumps(told), "environment": environment | more.pop("environment", {}), **more},
    }


def asked(agent: Agent, **more: Any) -> str | None:
    """Ask a worker as the client does, with patience."""
    return asking.ask(request(agent, **more), str(agent.settings.home_folder), 30)


def block_in(out: str | None) -> str:
    """Give the block of an answer."""
    return str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out else ""


def test_a_warm_answer_is_that_of_a_process_of_ones_own_for_the_palace_and_settings_of_whoever_asks(
    filed: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, home = f"{filed.palace.user}-other", filed.settings.home_folder
    with working(filed):
        warm = block_in(asked(filed))
        assert "because of its licence" in warm
        for more in ({"user": other}, {"environment": {"PALACE_USER": other}}):
            assert asked(filed, session="s-3", **more) == ""
        # Named on the command line, by somebody else: the same as `palace --user` would open.
        named = asked(filed, session="s-4", user=filed.palace.user, environment={"PALACE_USER": other})
        assert "licence" in block_in(named)
        with Palace.open(filed.settings, user=other) as theirs:
            theirs.note("The Kittiwake service uses Valkey, said somebody else.")
        assert asked(filed, session="s-5", user=other) == ""
        assert asked(filed, session="s-6", environment={"PALACE_HOOKS": "false"}) == ""
        # Another palace or model than the worker's, and what cannot be read: for whoever asks.
        for name, value in {
            "PALACE_DATABASE_SCHEMA": "other",
            "palace_database_schema": "other",
            "PALACE_EMBEDDING_MODEL": "openai/text-embedding-3-small",
            "PALACE_EMBEDDING_DIMENSION": "7",
            "PALACE_TOP_K": "many",
            "PALACE_HOME": "/",
            "TZ": "Pacific/Chatham",
        }.items():
            assert asked(filed, session="s-7", environment={name: value}) is None, name
        # A file that changed is read again.
        (home / "config.toml").write_text("injection_tokens = 1\n")
        assert asked(filed, session="s-8") == ""
        (home / "config.toml").unlink()
        assert block_in(asked(filed, session="s-9")) == warm
    assert warm == filed.send("UserPromptSubmit", session="s-2", prompt=ASKED)


def test_the_command_line_has_the_worker_that_is_there_recall_and_note(
    filed: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in request(filed)["environment"].items():
        monkeypatch.setenv(name, value)
    for command in ("recall", "mine"):  # nothing is opened in this process
        monkeypatch.setattr(f"palace_cli.commands.{command}.open_palace", None)

    def run(*words: str) -> str:
        done = CliRunner().invoke(app, words, catch_exceptions=False)
        assert done.exit_code == 0, done.stderr
        return done.stdout

    with working(filed) as (worker, _):
        found = filed.palace.recall(ASKED)
        assert found.hits
        assert json.loads(run("recall", ASKED, "--json"))["hits"] == json.loads(to_json(found))["hits"]
        assert run("recall", ASKED, "--format", "block") == f"{filed.palace.context_block(found)}\n"
        assert "Kittiwake" not in run("recall", ASKED, "--until", "2020-01-01")
        pointer = run("note", "A heron stands by the sluice.", "--wing", "Birds", "--said-at", "2026-03-01").strip()
        assert pointer in run("recall", "heron", "--wing", "Birds")
        assert filed.palace.show(pointer).drawer.said_at == datetime(2026, 3, 1, tzinfo=UTC)
        assert within(20, lambda: filed.palace.status().jobs == JobCounts(0, 0, 0))
        assert all(step.pending == 0 for step in filed.palace.status().steps)
        assert worker._hooks
        assert worker._hooks.answered == 0


@pytest.mark.slow
def test_of_a_server_that_was_stopped_the_first_prompt_starts_it_and_the_next_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palace.hooks.miner.REST_SECONDS", 0.0)
    monkeypatch.setattr("palace.hooks.server.LONGEST_SECONDS", 30.0)
    folder = Path(tempfile.mkdtemp(prefix="palace-stopped-"))
    folder.chmod(0o711)
    settings = Settings(home=folder / "home", user="mara", server_idle_minutes=0)

    def is_told() -> bool:
        return "licence" in block_in(asked(mara, session=f"s-{time.monotonic_ns()}"))

    try:
        with Palace.open(settings, embedder=HashingEmbedder()) as palace:
            opened = palace._opened
            resources = SharedResources(
                settings, opened.database.shared, opened.embedders, opened.strategy, opened.steps
            )
            context = HookContext(settings.home_folder, "mara", lambda _: opened, seconds=30)
            mara = Agent(settings, palace, repository(tmp_path / "api"), context, InboxMiner(resources))
            mara.file(SAID, "Valkey took its place in the Kittiwake service.")
            with working(mara, Until.EMPTY, linger=60.0) as (_, thread):
                assert within(20, is_told), mara.codes
                Administration(settings).stop()
                time.sleep(1)
                asked(mara, session="s-2")  # it may even be told at once
                assert within(20, lambda: Administration(settings).status().running)
                assert within(20, is_told), mara.codes
                assert thread.is_alive()
    finally:
        Administration(settings).stop()
        shutil.rmtree(folder, ignore_errors=True)


def test_until_all_is_loaded_whoever_asks_does_it_themselves(filed: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace.hooks.warm.recall", lambda *_, **__: time.sleep(1))
    opened = filed.palace._opened
    resources = SharedResources(filed.settings, opened.database.shared, opened.embedders, opened.strategy, opened.steps)
    worker = Worker(filed.settings, rhythm=QUICK, resources=resources)
    worker.serve_hooks()
    hooks = worker._hooks
    assert hooks
    with hooks.serving():
        assert within(10, lambda: find_socket(str(filed.settings.home_folder)))
        began = time.monotonic()
        assert asked(filed) is None
        assert time.monotonic() - began < 0.8
        assert within(10, hooks._warm.is_set)
        assert within(20, lambda: asked(filed, session=str(time.monotonic_ns())))


@pytest.mark.nightly
def test_one_that_started_for_hooks_stays_for_the_next_and_no_longer(filed: Agent) -> None:
    with working(filed, Until.EMPTY, linger=2.0) as (_, thread):
        time.sleep(1.2)
        assert thread.is_alive()
        asked(filed)
        time.sleep(1.5)
        assert thread.is_alive()
        thread.join(10)
        assert not thread.is_alive()
    assert find_socket(str(filed.settings.home_folder)) is None


@pytest.mark.nightly
def test_one_that_was_replaced_by_another_version_ends_and_one_that_a_person_started_goes_on(filed: Agent) -> None:
    with working(filed) as (_, thread):
        assert asked(filed, version="9.9.9") is None
        time.sleep(0.3)
        assert thread.is_alive()
        assert asked(filed)
    with working(filed, linger=600.0) as (_, thread):
        assert asked(filed, version="9.9.9") is None
        thread.join(10)
        assert not thread.is_alive()


def test_what_is_left_is_mined_there_for_whose_it_is_and_not_for_the_workers_own(filed: Agent) -> None:
    before, other, home = filed.filed(), f"{filed.palace.user}-other", filed.settings.home_folder
    transcript = filed.transcript(line(1, "The Tern service is written in Go.", session="s-7"), name="s-7")
    told = {"hook_event_name": "Stop", "session_id": "s-7", "cwd": str(filed.project)}
    text = json.dumps({**told, "transcript_path": str(transcript)})
    Palace.open(filed.settings, user=other).close()
    with working(filed):
        assert asked(filed, input=text, environment={"PALACE_USER": other}) == ""
        assert asked(filed, input=text, user=f"{other}-mistyped") == ""
        assert within(20, lambda: not notes(home))
        assert filed.filed() == before
        assert asked(filed, input=text) == ""
        assert within(20, lambda: any("Tern" in said for said in filed.filed()))
    with Palace.open(filed.settings, user=other) as theirs:
        assert [wing.drawer_count for wing in theirs.tree.wings()] == [1]
    with pytest.raises(NotFound):
        Palace.open(filed.settings, user=f"{other}-mistyped", make_user=False)


def test_doctor_says_who_answers_hooks_what_failed_and_what_waits(filed: Agent) -> None:
    def said() -> dict[str, tuple[Verdict, str]]:
        return {check.name: (check.verdict, check.finding) for check in check_hooks(filed.settings)}

    home = filed.settings.home_folder
    with working(filed):
        asked(filed)
        verdict, finding = said()["hooks"]
        assert verdict is Verdict.OK
        assert finding.startswith("a worker answers them, this look in ")
        assert finding.endswith(" ms, 1 so far")
    for code in ("timeout", "timeout", "database_unavailable"):
        note_failure(str(home), "prompt", "codex", code, "client")
    filed.send("Stop", transcript_path="/x.jsonl")
    [left] = (home / "hooks" / "inbox").iterdir()
    os.utime(left, (time.time() - 3000, time.time() - 3000))
    found = said()
    assert found["hooks"] == (Verdict.OK, "no worker answers them: each takes a process of its own")
    assert found["hooks left"] == (Verdict.WARNING, "1 transcript waits to be mined, for 50 minutes")
    verdict, finding = found["hooks failed"]
    assert verdict is Verdict.WARNING
    assert finding.startswith("3 in the last 3 days (2 timeout, 1 database_unavailable), the last ")
