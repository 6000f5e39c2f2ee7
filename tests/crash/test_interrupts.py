"""Ctrl-C at any moment, of any command: one line, exit code 130, nothing left behind."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.endurance.interrupts import COMMANDS, LINES, PROGRAM, Place, interrupt_commands, prepared_place
from palace import Administration, Settings

OFTEN = ("recall", "mine", "export", "db stop", "db start", "db backup", "note")
INTERRUPTED = LINES[signal.SIGINT] + "\n"


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """A palace with a server of its own, which is stopped at the end."""
    folder = Path(tempfile.mkdtemp(prefix="palace-folder-"))
    folder.chmod(0o711)
    with prepared_place(folder, drawers=20) as made:
        yield made
    Administration(Settings(home=folder, server_idle_minutes=0)).stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.nightly
def test_a_command_interrupted_at_a_random_moment_ends_in_one_line(place: Place) -> None:
    commands = [command for command in COMMANDS if command.name in OFTEN]
    seed = int(time.time())
    found = interrupt_commands(place, count=14, seed=seed, commands=commands)
    assert found.unclean == [], seed
    assert found.total["interrupted"] > 0
    done = subprocess.run([*PROGRAM, "doctor"], env=place.environment({}), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


BEFORE = "import importlib, palace_cli.process as entry, os, signal, sys, time, threading\n"
IN_AN_IMPORT = """
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.{by})
            time.sleep(0.01)
sys.meta_path.insert(0, Finder())
entry.main(lambda: importlib.import_module("palace_cli.app").main())
"""


def _run(program: str, *arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PALACE_HOME": str(home), "PALACE_SERVER_IDLE_MINUTES": "0"}
    command = [sys.executable, "-c", BEFORE + program, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.process
def test_an_interruption_in_the_middle_of_an_import_is_one_line(folder: Path) -> None:
    for name, by in (("typer.main", "SIGINT"), ("sqlalchemy.engine", "SIGTERM")):
        done = _run(IN_AN_IMPORT.format(name=name, by=by), "recall", "battery", home=folder)
        number = signal.Signals[by]
        assert (done.returncode, done.stdout, done.stderr) == (128 + number, "", LINES[number] + "\n")


@pytest.mark.nightly
@pytest.mark.parametrize("wait", [0.0, 0.1, 0.3, 0.6])
def test_an_interruption_while_the_model_is_loaded_by_a_thread_does_not_abort(place: Place, wait: float) -> None:
    program = f"""
import palace.ai.embedders.minilm as bundled
load = bundled._load
def loading(*given):
    threading.Timer({wait}, os.kill, (os.getpid(), signal.SIGINT)).start()
    return load(*given)
bundled._load = loading
entry.main(lambda: importlib.import_module("palace_cli.app").main())
"""
    done = _run(program, "recall", "battery", home=place.home)
    # A quick machine may be done before, or have answered.
    told = re.sub("^nothing here seems to answer this.*\n", "", done.stderr)
    assert (done.returncode, told) in [(130, INTERRUPTED), (0, "")]


@pytest.mark.nightly
def test_an_interruption_that_a_library_swallows_still_ends_the_command(place: Place) -> None:
    program = """
entry.GRACE_SECONDS = 0.5
import palace.config.settings
def swallowing(**given):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)
    except BaseException:
        time.sleep(60)
palace.config.settings.load_settings = swallowing
entry.main(lambda: importlib.import_module("palace_cli.app").main())
"""
    done = _run(program, "status", home=place.home)
    assert (done.returncode, done.stderr) == (130, INTERRUPTED)


@pytest.mark.nightly
def test_the_server_outlives_the_ctrl_c_of_the_terminal_it_was_started_from(place: Place) -> None:
    administration = Administration(Settings(home=place.home, server_idle_minutes=0))
    administration.stop()
    starting = subprocess.Popen([*PROGRAM, "status"], env=place.environment({}), start_new_session=True)
    assert starting.wait(timeout=120) == 0
    before = administration.status().pid
    assert before is not None
    assert os.getpgid(before) != starting.pid
    with pytest.raises(ProcessLookupError):
        os.killpg(starting.pid, signal.SIGINT)
    assert administration.status().pid == before
