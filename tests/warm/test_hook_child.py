"""Where no worker answers, a process beside does: whatever becomes of it, the host notices nothing."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from palace.hooks import cold
from palace_hook import child_process
from tests.hooks.conftest import ASKED, Agent, codes, failures
from tests.warm.conftest import LIMIT_SECONDS, broken, run_hook

INSTALLED = Path(sys.executable).with_name("palace")
SECONDS = 1.3
FAULTS = {
    "raise ImportError('half installed')": "import_failed",
    "raise SyntaxError('half written')": "broke_off",
    "os.kill(os.getpid(), 9)": "broke_off",
    "time.sleep(60)": "timeout",
}


def is_one_line_in_the_log(home: Path, name: str, does: str) -> bool:
    """Tell whether a Palace that is half installed, broken, killed or hangs is told so and in no other way."""
    done, took = run_hook(home, "UserPromptSubmit", "--harness", "codex", program=broken(name, does))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert took < LIMIT_SECONDS + 0.5  # this machine may be busy
    log = home / "hooks" / "failures.log"
    found = failures(home)
    log.unlink()
    return found == [["UserPromptSubmit", "codex", FAULTS[does], "client"]]


@pytest.mark.process
def test_a_palace_that_is_half_installed_or_hangs_is_one_line_in_the_log(home: Path) -> None:
    assert [does for does in FAULTS if not is_one_line_in_the_log(home, "palace.hooks", does)] == []


@pytest.mark.process
def test_nothing_in_the_folder_of_a_project_is_imported(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    met, started = tmp_path / "met", tmp_path / "started"
    for name in ("palace/__init__", "palace/worker/__init__", "palace/worker/starting", "subprocess", "json"):
        module = tmp_path / "cloned" / f"{name}.py"
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text(f"open({str(met)!r}, 'a').write('{name} ')\n")
    monkeypatch.chdir(tmp_path / "cloned")
    monkeypatch.setattr(os, "posix_spawn", _waiting(os.posix_spawn, started))
    monkeypatch.setenv("PALACE_HOME", str(home))
    monkeypatch.setenv("PALACE_WORKER_STARTS", "false")
    child_process._wake_later()
    assert started.exists()
    sent = b'{"prompt": "Why did we drop Redis at Acme?"}'
    done, _ = run_hook(home, "prompt", sent=sent, program=[str(INSTALLED)])
    # Where there is no server nothing is said, and none is made.
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (home / "postgres").exists()
    assert not met.exists()


def _waiting(spawn: Callable[..., int], started: Path) -> Callable[..., int]:
    """Spawn as the system does, and wait for the end."""

    def spawned(*words: Any, **more: Any) -> int:
        process = spawn(*words, **more)
        assert os.waitpid(process, 0)[1] == 0
        started.touch()
        return process

    return spawned


def test_what_ends_well_without_an_answer_was_too_late() -> None:
    for status, code in ((0, "timeout"), (1, "broke_off"), (child_process.IMPORT_FAILED, "import_failed")):
        child = os.fork()
        if child == 0:
            os._exit(status)
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        assert child_process._end(child) == code


@pytest.fixture
def own(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home that the environment names."""
    monkeypatch.setenv("PALACE_HOME", str(home))
    monkeypatch.setenv("PALACE_WORKER_STARTS", "false")
    return home


def asked(folder: Path) -> str:
    """Ask as the program does, and see that it keeps to its time."""
    sent = {"session_id": "s-1", "hook_event_name": "UserPromptSubmit", "cwd": str(folder), "prompt": ASKED}
    began = time.monotonic()
    out = cold.answer({"event": "prompt", "input": json.dumps(sent)}, SECONDS)
    assert time.monotonic() - began < SECONDS + 3  # importing takes a while on a busy machine: the program forks for it
    return out


def test_a_server_that_does_not_run_or_says_nothing_and_settings_of_no_sense_are_noted(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALACE_HOOKS", "false")
    assert asked(tmp_path) == ""
    assert codes(own) == []
    monkeypatch.delenv("PALACE_HOOKS")
    assert asked(tmp_path) == ""
    assert not (own / "postgres").exists()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        monkeypatch.setenv("PALACE_DATABASE_URL", f"postgresql://palace@127.0.0.1:{port}/palace")
        assert asked(tmp_path) == ""
    for broken_so in ("this is no toml", "hooks = 7.5\n", "zorp = 1\n"):
        (own / "config.toml").write_text(broken_so)
        assert asked(tmp_path) == ""
    assert codes(own) == ["embedded_server", "timeout", *["bad_request"] * 3]


def test_a_schema_of_another_version_is_left_as_it_is(agent: Agent, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = agent.settings.database_url
    assert url
    monkeypatch.setenv("PALACE_DATABASE_URL", url.get_secret_value())
    monkeypatch.setattr("palace.db.schema.HEAD", "9999")
    monkeypatch.setattr(cold, "MARGIN", -20.0)  # what fails is looked at here, not how soon
    assert asked(agent.project) == ""
    assert codes(own) == ["schema_mismatch"]
