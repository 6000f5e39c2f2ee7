"""A coding session of thirty turns through the real program: replayed, killed in the middle, and filed once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from palace import Administration, Palace, Settings
from tests.hooks.conftest import ASKED, codes, line, notes, repository

PROGRAM = [sys.executable, "-c", "from palace_cli.entry import main; main()"]
TURNS = 30
PATIENCE = 150.0
pytestmark = pytest.mark.nightly


@pytest.fixture
def home() -> Iterator[Path]:
    """A home of the test's own, its server and its workers gone in the end."""
    path = Path(tempfile.mkdtemp(prefix="palace-replay-"))
    path.chmod(0o711)
    yield path
    kill_workers(path)
    Administration(Settings(home=path)).stop()


def kill_workers(home: Path) -> int:
    """Kill whatever works for a home, without a word."""
    killed = 0
    for process in psutil.process_iter(["cmdline", "environ"]):
        words, variables = process.info["cmdline"] or [], process.info["environ"] or {}
        if "palace.worker.detached" in words and variables.get("PALACE_HOME") == str(home):
            process.kill()
            process.wait(10)
            killed += 1
    return killed


def call(home: Path, event: str, *, is_killed: bool = False, **fields: Any) -> str:
    """Call a hook as Claude Code does, or kill it while it is at work; the host sees nothing amiss."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PALACE_")}
    started = subprocess.Popen(
        [*PROGRAM, "hook", event, "--harness", "claude-code"],
        env=variables | {"PALACE_HOME": str(home), "LOGNAME": "mara"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    if is_killed:
        time.sleep(0.05)
        started.kill()
        started.communicate()
        return ""
    out, err = started.communicate(json.dumps(fields).encode(), timeout=30)
    assert (started.returncode, err) == (0, b"")
    assert not out or json.loads(out)["hookSpecificOutput"]["additionalContext"].startswith("<memory_context>\n")
    return out.decode()


def replay(home: Path, project: Path, transcript: Path, *, killed_at: int) -> None:
    """Go through a session, turn by turn, as it is written."""
    about: dict[str, Any] = {"session_id": "s-1", "cwd": str(project), "transcript_path": str(transcript)}
    call(home, "session-start", hook_event_name="SessionStart", source="startup", **about)
    for turn in range(1, TURNS + 1):
        said = "".join(line(number, cwd=str(project)) for number in range(1, 2 * turn + 1))
        transcript.write_text(said)
        if turn % 10 == 0:
            call(home, "prompt", hook_event_name="UserPromptSubmit", prompt=ASKED, **about)
        call(home, "stop", hook_event_name="Stop", is_killed=turn == killed_at, **about)
        if turn == killed_at:
            kill_workers(home)
    call(home, "session-end", hook_event_name="SessionEnd", reason="exit", **about)


def filed(home: Path) -> list[str]:
    """List what is in the palace, without the memories that were made of it."""
    with Palace.open(Settings(home=home, user="mara", server_idle_minutes=0, worker_starts=False)) as palace:
        assert [wing.name for wing in palace.tree.wings()] in ([], ["api"])
        rooms = [room for wing in palace.tree.wings() for room in palace.tree.rooms(wing)]
        made = {memory.drawer.id for memory in palace.memories.list(limit=1000)}
        drawers = (drawer for room in rooms for drawer in palace.tree.iter_drawers(room))
        return [drawer.content for drawer in drawers if drawer.id not in made]


def test_every_turn_of_a_session_is_filed_once(home: Path, tmp_path: Path) -> None:
    project, transcript = repository(tmp_path / "api"), tmp_path / "s-1.jsonl"
    wanted = sorted(json.loads(line(number))["message"]["content"] for number in range(1, 2 * TURNS + 1))
    for killed_at in (TURNS // 2, TURNS - 1):
        replay(home, project, transcript, killed_at=killed_at)
        deadline = time.monotonic() + PATIENCE
        while notes(home) and time.monotonic() < deadline:
            # Whoever begins the next session finds what is left: a worker is started for it.
            call(home, "session-start", hook_event_name="SessionStart", session_id="s-2", cwd=str(project))
            time.sleep(2)
        assert notes(home) == []
        assert sorted(filed(home)) == wanted
    # A database that did not run yet, or was being started, is noted; nothing else is.
    assert {*codes(home)} <= {"embedded_server", "database_unavailable", "timeout", "schema_mismatch"}
    # The worker that was started by then answers who asks.
    sent: dict[str, Any] = {"hook_event_name": "UserPromptSubmit", "cwd": str(project), "prompt": ASKED}
    deadline = time.monotonic() + PATIENCE
    while "licence" not in call(home, "prompt", session_id=str(time.monotonic_ns()), **sent):
        assert time.monotonic() < deadline
