"""``palace`` alone says how things stand and what to do next; it starts nothing, waits for nobody and loads little."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from typer.testing import CliRunner

from palace import Palace
from palace.records.health import PalaceGlance, ServerState
from palace.settings import Settings, load_settings
from palace.testing import HashingEmbedder
from palace.verbs.glance.state import glance
from palace_cli.app import app
from palace_cli.commands.glance import next_steps

Run = Callable[..., Any]
NOT_WANTED = {"sqlalchemy", "alembic", "numpy", "onnxruntime", "litellm", "palace.palace", "palace.tables"}


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """What ``palace`` alone says of a home that is not made yet."""
    for name in ("PALACE_DATABASE_URL", "PALACE_DATABASE_OWNER_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PALACE_HOME", str(tmp_path / "home"))
    return lambda: CliRunner().invoke(app, [], catch_exceptions=False).stdout


def _steps(state: ServerState, **known: Any) -> list[str]:
    return [
        step.command
        for step in next_steps(PalaceGlance(user="mara", home="/h", server=state, is_shared=False, **known))
    ]


def test_a_home_that_is_not_made_yet_stays_so_and_is_told_how_to_begin(
    alone: Callable[[], str], tmp_path: Path
) -> None:
    told = alone()
    assert "nothing is made yet" in told
    assert "palace mine FILE" in told
    assert not (tmp_path / "home").exists()


def test_a_server_that_does_not_run_is_told_of_and_not_started(alone: Callable[[], str], tmp_path: Path) -> None:
    data = tmp_path / "home" / "postgres" / "data"
    data.mkdir(parents=True)
    (tmp_path / "home").chmod(0o700)
    (data / "PG_VERSION").write_text("18\n")
    told = alone()
    assert "not running: the next command that needs it starts it" in told
    assert "palace recall" in told
    assert {path.name for path in (tmp_path / "home").rglob("*")} == {"postgres", "data", "PG_VERSION"}


def test_an_empty_palace_says_how_to_fill_it(run: Run) -> None:
    told = run()
    assert (told.exit_code, "nothing yet" in told.stdout, "palace mine FILE" in told.stdout) == (0, True, True)


def test_a_palace_says_what_it_holds_and_what_to_do_next(run: Run) -> None:
    run("note", "The mast is down.")
    told = run().stdout
    assert "1 wing, 1 room, 1 drawer" in told
    assert "palace recall" in told


def test_as_json_it_is_one_document(run: Run) -> None:
    run("note", "The mast is down.")
    found = json.loads(run("--json").stdout)
    assert (found["palace"]["server"], found["palace"]["drawers"]) == ("running", 1)
    assert found["next"][-1] == {"command": "palace --help", "does": "lists all commands"}


def test_nobody_is_told_of_anothers_palace(run: Run) -> None:
    run("note", "The mast is down.")
    assert "nothing yet" in run("--user", f"stranger-{uuid.uuid4()}").stdout


def test_an_option_before_a_command_is_sent_behind_it(run: Run) -> None:
    told = run("--user", "mara", "ls")
    assert (told.exit_code, told.stdout) == (2, "")
    assert "--user stands behind the command that it is for: palace ls --user" in told.stderr


@pytest.mark.parametrize("listens", [True, False], ids=["says nothing", "nobody there"])
def test_a_shared_server_that_does_not_answer_is_not_waited_for(tmp_path: Path, listens: bool) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=8) as server:
        port = server.getsockname()[1]
        if not listens:
            server.close()
        settings = load_settings(home=tmp_path / "home", database_url=f"postgresql://a:b@127.0.0.1:{port}/palace")
        begun = monotonic()
        found = glance(settings)
        assert monotonic() - begun < 2
    assert (found.server, found.drawers) == (ServerState.AWAY, None)


def test_a_database_without_a_palace_is_told_of(settings: Settings) -> None:
    found = glance(settings.model_copy(update={"database_schema": "nowhere"}))
    assert found.server is ServerState.OUTDATED


def test_it_loads_neither_sqlalchemy_nor_the_palace(settings: Settings) -> None:
    assert settings.database_url is not None
    environment = os.environ | {
        "PALACE_HOME": str(settings.home),
        "PALACE_DATABASE_URL": settings.database_url.get_secret_value(),
    }
    program = "import sys; from palace_cli.app import app; app([], standalone_mode=False)"
    listing = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n" + program
    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True, env=environment)
    assert "holds" in done.stdout
    assert not NOT_WANTED & set(done.stderr.split())


def test_the_numbers_are_those_of_status(settings: Settings) -> None:
    user = f"counted-{uuid.uuid4()}"
    with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
        palace.note("The mast is down.")
        palace.note("The sail is torn.", wing="Boat")
        status = palace.status()
    found = glance(settings.model_copy(update={"user": user}))
    assert (found.wings, found.rooms, found.drawers) == (status.wings, status.rooms, status.drawers)
    assert found.last_mined_at == status.last_mined_at


def test_what_mends_something_comes_first() -> None:
    assert _steps(ServerState.AWAY) == ["palace doctor", "palace --help"]
    assert _steps(ServerState.RUNNING, drawers=3, failed=2, waiting=1)[:2] == [
        "palace jobs list --state failed",
        "palace worker --until-empty",
    ]
    assert _steps(ServerState.RUNNING, drawers=0)[0] == "palace mine FILE"
    assert _steps(ServerState.NEW)[0] == "palace mine FILE"
