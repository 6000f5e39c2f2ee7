"""A home for each test, and whatever server was left in it ended afterwards."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, LiteralString

import psutil
import psycopg
import pytest

from palace.db.embedded.home import Layout
from palace.db.embedded.server import EmbeddedServer

Query = Callable[..., list[tuple[Any, ...]]]
Client = Callable[..., "subprocess.Popen[str]"]
CLIENT = """\
import os, signal, sys, time
from pathlib import Path
from palace.db.embedded.server import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1]), idle_minutes=float(sys.argv[2]))
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder the server's account can pass through; pytest's own is closed to it when the tests run as root."""
    path = Path(tempfile.mkdtemp(prefix="palace-", dir="/tmp"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path)


@pytest.fixture(scope="session")
def template() -> Iterator[Path]:
    """A home with data, made once and stopped."""
    path = Path(tempfile.mkdtemp(prefix="palace-", dir="/tmp"))
    path.chmod(0o711)
    server = EmbeddedServer(path, idle_minutes=0)
    server.ensure_running()
    server.stop()
    yield path
    shutil.rmtree(path)


@pytest.fixture
def home(request: pytest.FixtureRequest, folder: Path) -> Iterator[Path]:
    """The home that the test's server is for; whatever runs there is ended when the test is over."""
    shared = "made" in request.fixturenames
    path: Path = request.getfixturevalue("template") if shared else folder / "home"
    yield path
    end_server(path)


@pytest.fixture
def server(home: Path) -> EmbeddedServer:
    """The server of a home that does not exist yet."""
    return EmbeddedServer(home, idle_minutes=0)


@pytest.fixture
def made(home: Path) -> EmbeddedServer:
    """A server that is not running, whose data exists; other tests use it, one after the other."""
    return EmbeddedServer(home, idle_minutes=0)


@pytest.fixture
def copied(home: Path, template: Path) -> EmbeddedServer:
    """The same with a copy of the data, to be damaged."""
    subprocess.run(["cp", "-a", str(template), str(home)], check=True)
    return EmbeddedServer(home, idle_minutes=0)


@pytest.fixture
def layout(home: Path) -> Layout:
    """Where that home's server keeps its files."""
    return Layout.of(home)


@pytest.fixture
def query() -> Query:
    """Run one statement on a server as the owner, with the driver that Palace uses."""

    def run(server: EmbeddedServer, statement: LiteralString) -> list[tuple[Any, ...]]:
        with psycopg.connect(server.url("palace_owner"), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    return run


@pytest.fixture
def client() -> Iterator[Client]:
    """Start another process that has ``server`` for the given home and runs the given code."""
    started = []

    def start(home: Path, code: str, *, idle_minutes: float = 0, **options: Any) -> subprocess.Popen[str]:
        arguments = [sys.executable, "-c", CLIENT + code, str(home), str(idle_minutes)]
        process = subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", **options
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def end_server(home: Path) -> None:
    """Stop the home's server, even where the test broke it, and wait for its watcher."""
    layout = Layout.of(home)
    EmbeddedServer(home, idle_minutes=0).stop()
    if not layout.socket_folder.is_relative_to(layout.home):
        shutil.rmtree(layout.socket_folder, ignore_errors=True)
    deadline = time.monotonic() + 5
    while any(str(layout.home) in (p.info["cmdline"] or []) for p in psutil.process_iter(["cmdline"])):
        assert time.monotonic() < deadline
        time.sleep(0.01)
