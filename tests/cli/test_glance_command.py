"""``palace`` alone says how things stand and what to do next; it starts nothing, waits for nobody and loads little."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from typer.testing import CliRunner

from palace import Settings
from palace.models.health import PalaceGlance, ServerState
from palace_cli.app import app
from palace_cli.commands.glance import next_steps
from tests.cli.conftest import Run, addresses
from tests.cli.test_completion import NOT_WANTED


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """What ``palace`` alone answers of a home that is not made yet."""
    for name in ("PALACE_DATABASE_URL", "PALACE_DATABASE_OWNER_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PALACE_HOME", str(tmp_path / "home"))
    return lambda *options: CliRunner().invoke(app, options, catch_exceptions=False)


def test_a_home_that_is_not_made_yet_and_a_server_that_does_not_run_stay_so(
    alone: Callable[..., Any], tmp_path: Path
) -> None:
    told = alone().stdout
    assert "nothing is made yet" in told
    assert "palace mine FILE" in told
    assert not (tmp_path / "home").exists()
    data = tmp_path / "home" / "postgres" / "data"
    data.mkdir(parents=True)
    (tmp_path / "home").chmod(0o700)
    (data / "PG_VERSION").write_text("18\n")
    assert "not running: the next command that needs it starts it" in alone().stdout
    assert {path.name for path in (tmp_path / "home").rglob("*")} == {"postgres", "data", "PG_VERSION"}


def test_a_palace_says_what_it_holds_and_what_to_do_next_and_nothing_of_anothers(run: Run) -> None:
    told = run()
    assert (told.exit_code, "nothing yet" in told.stdout, "palace mine FILE" in told.stdout) == (0, True, True)
    run("note", "The mast is down.")
    run("note", "The sail is torn.", "--wing", "Boat")
    told = run().stdout
    assert "2 wings, 2 rooms, 2 drawers" in told
    assert "palace recall" in told
    found, status = json.loads(run("--json").stdout), json.loads(run("status", "--json").stdout)
    for number in ("wings", "rooms", "drawers", "last_mined_at"):
        assert found["palace"][number] == status[number]
    assert found["palace"]["server"] == "running"
    assert found["next"][-1]["command"] == "palace --help"
    assert "palace recent --user NAME" in run("--help").stdout
    assert "nothing yet" in run("--user", f"stranger-{uuid.uuid4()}").stdout
    wrong = run("--user", "mara", "ls")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "--user stands behind the command that it is for: palace ls --user" in wrong.stderr


def test_a_shared_server_that_does_not_answer_is_not_waited_for(
    alone: Callable[..., Any], deaf: Iterator[None], monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    for _ in deaf:
        begun = monotonic()
        found = json.loads(alone("--json").stdout)["palace"]
        assert monotonic() - begun < 2
        assert (found["server"], found["drawers"]) == ("away", None)
    monkeypatch.setenv("PALACE_DATABASE_URL", addresses(settings)["PALACE_DATABASE_URL"])
    monkeypatch.setenv("PALACE_DATABASE_SCHEMA", "nowhere")
    assert json.loads(alone("--json").stdout)["palace"]["server"] == "outdated"


@pytest.mark.process
def test_it_loads_neither_sqlalchemy_nor_the_palace(settings: Settings) -> None:
    program = "import sys; from palace_cli.app import app; app([], standalone_mode=False)"
    listing = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n" + program
    environment = os.environ | addresses(settings)
    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True, env=environment)
    assert "holds" in done.stdout
    assert not NOT_WANTED & set(done.stderr.split())


def test_what_mends_something_comes_first() -> None:
    def steps(state: ServerState, **known: Any) -> list[str]:
        found = PalaceGlance(user="mara", home="/h", server=state, is_shared=False, **known)
        return [step.command for step in next_steps(found)]

    assert steps(ServerState.AWAY) == ["palace doctor", "palace --help"]
    assert steps(ServerState.RUNNING, drawers=3, failed=2, waiting=1)[:2] == [
        "palace jobs list --state failed",
        "palace worker --until-empty",
    ]
    assert steps(ServerState.RUNNING, drawers=0)[0] == steps(ServerState.NEW)[0] == "palace mine FILE"
