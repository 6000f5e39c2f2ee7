"""Where no worker answers, a process beside does: whatever becomes of it, the host notices nothing."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from palace.hooks.failures import list_failures
from palace_hook import aside
from tests.warm.conftest import LIMIT_SECONDS, run_hook

INSTALLED = Path(sys.executable).with_name("palace")
MET = """
import os, sys, time
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            {does}
sys.meta_path.insert(0, Finder())
from palace_cli.entry import main; main()
"""


@pytest.mark.parametrize("name", ["palace", "palace.hooks", "pydantic", "palace_hook.cold"])
@pytest.mark.parametrize(
    ("does", "code"),
    [
        ("raise ImportError('half installed')", "import_failed"),
        ("raise SyntaxError('half written')", "broke_off"),
        ("os.kill(os.getpid(), 9)", "broke_off"),
        ("time.sleep(60)", "timeout"),
    ],
    ids=["missing", "broken", "crashing", "hanging"],
)
def test_a_palace_that_is_half_installed_is_one_line_in_the_log(name: str, does: str, code: str, home: Path) -> None:
    program = [sys.executable, "-c", MET.format(name=name, does=does)]
    done, took = run_hook(home, "UserPromptSubmit", "--harness", "codex", program=program)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert took < LIMIT_SECONDS + 0.3  # this machine may be busy
    [failure] = list_failures(home)
    assert (failure.event, failure.harness, failure.code, failure.step) == (
        "UserPromptSubmit",
        "codex",
        code,
        "client",
    )


def test_nothing_that_hangs_is_left_behind(home: Path) -> None:
    program = [sys.executable, "-c", MET.format(name="palace.hooks", does="time.sleep(60)")]
    run_hook(home, "prompt", program=program)
    time.sleep(0.2)
    left = [
        each
        for each in psutil.process_iter(["environ", "status", "cmdline"])
        if (each.info["environ"] or {}).get("PALACE_HOME") == str(home)
        and each.info["status"] != psutil.STATUS_ZOMBIE
        and "palace.worker.starting" not in (each.info["cmdline"] or [])  # it looks once, and ends
    ]
    assert left == []


def test_where_there_is_no_server_nothing_is_said_and_none_is_made(home: Path) -> None:
    sent = b'{"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "/tmp", "prompt": "why did we drop it?"}'
    done, _ = run_hook(home, "prompt", sent=sent)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (home / "postgres").exists()


def test_nothing_in_the_folder_of_a_project_is_imported(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    met = tmp_path / "met"
    for name in (
        "palace/__init__",
        "palace/worker/__init__",
        "palace/worker/starting",
        "subprocess",
        "pathlib",
        "json",
    ):
        module = tmp_path / "cloned" / f"{name}.py"
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text(f"open({str(met)!r}, 'a').write('{name} ')\n")
    monkeypatch.chdir(tmp_path / "cloned")
    started = tmp_path / "started"
    monkeypatch.setattr(os, "posix_spawn", _waiting(os.posix_spawn, started))
    monkeypatch.setenv("PALACE_HOME", str(home))
    monkeypatch.setenv("PALACE_WORKER_STARTS", "false")
    aside._wake_later()
    assert started.exists()
    run_hook(home, "prompt", sent=b'{"prompt": "Why did we drop Redis at Acme?"}', program=[str(INSTALLED)])
    assert not met.exists()


def _waiting(spawn: Callable[..., int], started: Path) -> Callable[..., int]:
    """Spawn as the system does, and wait for the end."""

    def spawned(*words: Any, **more: Any) -> int:
        process = spawn(*words, **more)
        assert os.waitpid(process, 0)[1] == 0
        started.touch()
        return process

    return spawned


@pytest.mark.parametrize(("status", "code"), [(0, "timeout"), (1, "broke_off"), (aside.IMPORT_FAILED, "import_failed")])
def test_what_ends_well_without_an_answer_was_too_late(status: int, code: str) -> None:
    child = os.fork()
    if child == 0:
        os._exit(status)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert aside._end(child) == code
