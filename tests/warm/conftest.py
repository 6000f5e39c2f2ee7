"""Homes of their own for hooks, a server that answers them with what a test says, and the real program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from palace import Settings
from palace.hooks.server import Answer, HookServer
from palace_hook import notes
from tests.hooks.conftest import agent, filed

PROGRAM = [sys.executable, "-c", "from palace_cli.entry import main; main()"]
__all__ = ["agent", "filed"]
LIMIT_SECONDS = 1.6
"""What a hook may take at most, whatever happens."""


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder for a home; its path is short enough for a socket."""
    path = Path(tempfile.mkdtemp(prefix="palace-hooks-test-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


def within(seconds: float, is_so: Callable[[], object]) -> bool:
    """Wait until something is so; False where it is not in time."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


@contextmanager
def served(home: Path, answer: Answer) -> Iterator[HookServer]:
    """Serve the hooks of a home during the block."""
    server = HookServer(home, answer)
    server.begin()
    try:
        assert within(5, lambda: server.path)
        yield server
    finally:
        server.end()


def echo(told: Mapping[str, Any], _seconds: float) -> str:
    """Answer with what was asked."""
    return f"{told['event']}/{told['harness']}/{told['user']}: {told['input']}"


def environment(home: Path, **more: str) -> dict[str, str]:
    """Give the environment of a hook: no worker is started, so that a test leaves nothing behind."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PALACE_")}
    return {**kept, "PALACE_HOME": str(home), "PALACE_WORKER_STARTS": "false", **more}


def naming(settings: Settings) -> dict[str, str]:
    """Give the variables that name a palace: home, user and database."""
    url = settings.database_url
    named = {"PALACE_DATABASE_URL": url.get_secret_value()} if url else {}
    told = {"PALACE_USER": settings.user, "PALACE_DATABASE_SCHEMA": settings.database_schema, **named}
    return {"PALACE_HOME": str(settings.home_folder), **told}


def run_hook(
    home: Path, *words: str, sent: bytes = b"{}", program: list[str] | None = None, more: Mapping[str, str] = {}
) -> tuple[subprocess.CompletedProcess[bytes], float]:
    """Run ``palace hook`` as an agent does; gives how it ended and how many seconds it took."""
    began = time.monotonic()
    done = subprocess.run(
        [*(program or PROGRAM), "hook", *words],
        input=sent,
        capture_output=True,
        env=environment(home, **more),
        check=False,
        timeout=60,
    )
    return done, time.monotonic() - began


def event(name: str, **more: Any) -> bytes:
    """Write what Claude Code sends."""
    told = {"hook_event_name": name, "session_id": "s-1", "cwd": "/w/evil", "transcript_path": "/t/s-1.jsonl"}
    return json.dumps(told | more).encode()


def request(home: Path, sent: bytes, **more: Any) -> dict[str, object]:
    """Make a request as the program does."""
    told = {"event": "", "harness": None, "user": None, "folder": "/", "input": sent.decode()}
    return {**told, "environment": {"PALACE_HOME": str(home), "LOGNAME": "mara"}, **more}


def write_down(home: Path, sent: bytes, **more: Any) -> bool:
    """Write down what there is to write down of an event, as the program does; tell whether a note was left."""
    told = request(home, sent, **more)
    notes.write_down(str(home), told)
    return told.get("left") is True


MET = """
import os, sys, time
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            {does}
sys.meta_path.insert(0, Finder())
from palace_cli.entry import main; main()
"""


def broken(name: str, does: str) -> list[str]:
    """Give a program in which a module does something else when it is imported."""
    return [sys.executable, "-c", MET.format(name=name, does=does)]
