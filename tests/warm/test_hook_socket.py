"""The socket of hooks: whose it is, who may have put it there, and what is believed of the other end."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import palace
from palace_hook import asking
from palace_hook.asking import NAME, find_socket, outside
from tests.hooks.parts import HookServer
from tests.warm.conftest import echo, served, within

REQUEST = {"v": 1, "version": palace.__version__, "event": "Stop", "harness": None, "user": None, "input": "{}"}


def ask(home: Path, seconds: float = 2.0) -> str | None:
    """Ask as the client does."""
    return asking.ask(dict(REQUEST), str(home), seconds)


def test_it_is_for_its_owner_alone(home: Path) -> None:
    home.chmod(0o755)
    with served(home, echo) as server:
        assert server.path == home / "hooks" / NAME
        assert stat.S_IMODE(server.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(server.path.parent.stat().st_mode) == 0o700
        assert ask(home) == "Stop/None/None: {}"
    assert not (home / "hooks" / NAME).exists()


def test_a_folder_of_ones_own_that_others_could_enter_is_closed(home: Path) -> None:
    (home / "hooks").mkdir(mode=0o777)
    (home / "hooks").chmod(0o777)
    assert find_socket(str(home)) is None
    with served(home, echo):
        assert stat.S_IMODE((home / "hooks").stat().st_mode) == 0o700
        assert ask(home)


def test_what_others_could_have_put_there_is_not_asked(home: Path) -> None:
    for loosened in ("folder", "socket"):
        with served(home, echo) as server:
            assert server.path
            target = server.path.parent if loosened == "folder" else server.path
            mode = target.stat().st_mode
            target.chmod(mode | 0o020)
            assert ask(home) is None, loosened
            target.chmod(mode)


def test_a_link_in_the_place_of_the_folder_or_the_socket_is_not_followed(home: Path, tmp_path: Path) -> None:
    with served(home, echo) as server:
        assert server.path
        other = tmp_path / "h"
        (other / "hooks").mkdir(parents=True, mode=0o700)
        (other / "hooks" / NAME).symlink_to(server.path)
        assert ask(other) is None
        (other / "hooks" / NAME).unlink()
        (other / "hooks").rmdir()
        (other / "hooks").symlink_to(server.path.parent)
        assert ask(other) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_socket_that_somebody_else_planted_is_not_asked(home: Path) -> None:
    home.chmod(0o777)
    folder = home / "hooks"
    folder.mkdir(mode=0o700)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / NAME))
    listener.listen()
    (folder / NAME).chmod(0o600)
    for owned in (folder, folder / NAME):
        os.chown(owned, 65534, 65534)
        assert ask(home) is None
        os.chown(owned, 0, 0)
    listener.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_who_is_at_the_other_end_is_asked_of_the_system_by_both(home: Path) -> None:
    folder = home / "hooks"
    folder.mkdir(mode=0o700)
    listen = (
        "import os, socket, sys\nline = socket.socket(socket.AF_UNIX); line.bind(sys.argv[1]); os.setuid(65534)\n"
        "line.listen(); print('ready', flush=True); other, _ = line.accept(); print(repr(other.recv(100)), flush=True)"
    )
    command = [sys.executable, "-c", listen, str(folder / NAME)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as planted:
        assert planted.stdout
        assert planted.stdout.readline() == "ready\n"
        (folder / NAME).chmod(0o600)
        os.chown(folder / NAME, 0, 0)
        assert ask(home) is None
        assert planted.stdout.readline() == "b''\n"  # not a word was said to it
    asked: list[object] = []

    def take(told: object, _seconds: float) -> str:
        asked.append(told)
        return ""

    with served(home, take) as server:
        assert server.path
        home.chmod(0o755)
        folder.chmod(0o755)
        server.path.chmod(0o666)
        program = (
            "import os, socket, sys\nos.setuid(65534)\nline = socket.socket(socket.AF_UNIX)\n"
            "line.connect(sys.argv[1]); line.sendall(b'\\0\\0\\0\\2{}'); print(repr(line.recv(100)))"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, server.path], capture_output=True, text=True, check=False, timeout=20
        )
        # Whichever of its calls finds the line closed.
        refused = ("ConnectionResetError", "BrokenPipeError")
        assert done.stdout == "b''\n" or any(each in done.stderr for each in refused)
    assert asked == []


def test_a_path_that_is_too_long_for_a_socket_has_one_outside(tmp_path: Path) -> None:
    long = tmp_path / ("d" * 60) / ("e" * 60)
    long.mkdir(parents=True)
    with served(long, echo) as server:
        assert server.path
        assert server.path.parent == Path(outside(str(long)))
        assert stat.S_IMODE(server.path.parent.stat().st_mode) == 0o700
        assert ask(long) == "Stop/None/None: {}"
        (tmp_path / "link").symlink_to(long)
        assert ask(tmp_path / "link") == "Stop/None/None: {}"
    shutil.rmtree(Path(outside(str(long))))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_where_somebody_else_took_the_name_outside_nothing_is_served(home: Path, tmp_path: Path) -> None:
    long = tmp_path / ("d" * 90)
    long.mkdir()
    place = Path(outside(str(long)))
    place.mkdir(mode=0o700)
    os.chown(place, 65534, 65534)
    server = HookServer(long, echo)
    server.begin()
    try:
        assert not within(0.3, lambda: server.path)
        assert ask(long) is None
        assert list(place.iterdir()) == []
    finally:
        server.end()
        place.rmdir()


def test_a_stale_socket_is_not_waited_for_and_is_taken_over(home: Path) -> None:
    path = home / "hooks" / NAME
    path.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(path))
    path.chmod(0o600)
    began = time.monotonic()
    assert ask(home) is None
    assert time.monotonic() - began < 0.2
    with served(home, echo):
        assert ask(home) == "Stop/None/None: {}"


def test_a_socket_that_somebody_cleared_away_is_there_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace.hooks.server.RETRY_SECONDS", 0.1)
    with served(home, echo):
        shutil.rmtree(home / "hooks")
        assert within(5, lambda: ask(home))


def _speaking(home: Path, speak: Callable[[socket.socket], object]) -> threading.Thread:
    """Listen on a home's socket and say something else than a worker would."""
    (home / "hooks").mkdir(mode=0o700, exist_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(home / "hooks" / NAME))
    (home / "hooks" / NAME).chmod(0o600)
    listener.listen()

    def run() -> None:
        line, _ = listener.accept()
        with listener, line, suppress(BrokenPipeError):
            line.settimeout(5)
            line.recv(1 << 16)
            speak(line)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_half_an_answer_or_none_is_no_answer(home: Path) -> None:
    bodies = (
        b"[]",
        b"not json",
        b"\xff\xfe",
        b'{"v": 2, "out": "x"}',
        b'{"v": 1, "out": 7}',
        b'{"v": 1, "cold": "version"}',
        b"[" * 100_000,
    )
    frames = [len(body).to_bytes(4, "big") + body for body in bodies]
    for said in (b"", b"\0\0", b'\0\0\0\x20{"v":1,', b"\xff\xff\xff\xff" + b"x" * 100, *frames):
        thread = _speaking(home, lambda line, said=said: line.sendall(said))  # type: ignore[misc]
        assert ask(home) is None, said[:14]
        thread.join(5)
        (home / "hooks" / NAME).unlink()


def test_a_worker_that_says_nothing_or_a_byte_at_a_time_is_not_waited_for(home: Path) -> None:
    def trickle(line: socket.socket) -> None:
        for byte in b"\0\0\0\xda" + b'{"v": 1, "out": "' + b"x" * 200 + b'"}':
            line.sendall(bytes([byte]))
            time.sleep(0.02)

    for speak, seconds in ((lambda _: time.sleep(0.8), 2.0), (trickle, 0.4)):
        thread = _speaking(home, speak)
        began = time.monotonic()
        assert ask(home, seconds) is None
        assert time.monotonic() - began < 0.9
        (home / "hooks" / NAME).unlink()
        thread.join(5)


def test_a_worker_that_is_at_work_is_waited_for_as_long_as_there_is_time(home: Path) -> None:
    def slow(_told: object, seconds: float) -> str:
        time.sleep(0.8)
        return "late" if seconds > 1 else "no time"

    with served(home, slow):
        assert ask(home, 1.4) == "late"
        began = time.monotonic()
        assert ask(home, 0.5) is None
        assert time.monotonic() - began < 0.8
