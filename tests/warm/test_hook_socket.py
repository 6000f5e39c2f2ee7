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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

import palace
from palace.hooks.serving import claim as claims
from palace.hooks.serving.claim import Unusable, claimed
from palace.hooks.serving.look import look
from palace.hooks.serving.place import NAME, find_socket, folders, inside, outside
from palace.hooks.serving.server import HookServer
from palace_hook import asking
from tests.warm.conftest import LIMIT_SECONDS, echo, run_hook, served, within

REQUEST = {"v": 1, "version": palace.__version__, "event": "Stop", "harness": None, "user": None, "input": "{}"}
HOLD = (
    "import sys, time; from pathlib import Path; from palace.hooks.serving.server import HookServer\n"
    "server = HookServer(Path(sys.argv[1]), lambda told, _: 'from ' + sys.argv[2]); server.begin()\n"
    "while not server.path: time.sleep(0.01)\n"
    "print('ready', flush=True); time.sleep(600)"
)


def ask(home: Path, seconds: float = 2.0) -> str | None:
    """Ask as the client does."""
    return asking.ask(dict(REQUEST), str(home), seconds)


@contextmanager
def another_worker(home: Path, name: str) -> Iterator[subprocess.Popen[str]]:
    """Serve a home's hooks from another process."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, home, name], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()


def test_it_is_for_its_owner_alone(home: Path) -> None:
    home.chmod(0o755)
    with served(home, echo) as server:
        assert server.path == home / "hooks" / NAME
        assert stat.S_IMODE(server.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(server.path.parent.stat().st_mode) == 0o700
        assert ask(home) == "Stop/None/None: {}"
    assert not (home / "hooks" / NAME).exists()


def test_a_folder_of_ones_own_that_others_could_enter_is_closed(home: Path) -> None:
    inside(home).mkdir(mode=0o777)
    inside(home).chmod(0o777)
    assert find_socket(home) is None
    with served(home, echo):
        assert stat.S_IMODE(inside(home).stat().st_mode) == 0o700
        assert ask(home)


def test_no_port_is_opened(home: Path) -> None:
    with another_worker(home, "alone") as process:
        assert ask(home) == "from alone"
        listening = psutil.Process(process.pid).net_connections(kind="inet")
    assert listening == []


@pytest.mark.parametrize("loosened", ["folder", "socket"])
def test_what_others_could_have_put_there_is_not_asked(loosened: str, home: Path) -> None:
    with served(home, echo) as server:
        assert server.path
        target = server.path.parent if loosened == "folder" else server.path
        target.chmod(target.stat().st_mode | 0o020)
        assert ask(home) is None


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


def test_a_link_in_the_place_of_the_folder_is_not_served_through(home: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    inside(home).symlink_to(tmp_path / "elsewhere")
    with served(home, echo) as server:
        assert server.path == outside(home) / NAME
    assert list((tmp_path / "elsewhere").iterdir()) == []
    shutil.rmtree(outside(home))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_socket_that_somebody_else_planted_is_not_asked(home: Path) -> None:
    home.chmod(0o777)
    folder = inside(home)
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
    folder = inside(home)
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
        assert server.path.parent == outside(long)
        assert stat.S_IMODE(server.path.parent.stat().st_mode) == 0o700
        assert ask(long) == "Stop/None/None: {}"
        (tmp_path / "link").symlink_to(long)
        assert ask(tmp_path / "link") == "Stop/None/None: {}"
    shutil.rmtree(outside(long))


def test_a_file_system_without_sockets_or_locks_has_one_outside(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = claims._bound

    def refused(folder: Path) -> claims.Claim:
        if folder == inside(home):
            raise PermissionError(1, "Operation not permitted")
        return real(folder)

    monkeypatch.setattr(claims, "_bound", refused)
    with served(home, echo) as server:
        assert server.path == outside(home) / NAME
        assert ask(home)
    shutil.rmtree(outside(home))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_where_somebody_else_took_the_name_outside_nothing_is_served(home: Path, tmp_path: Path) -> None:
    long = tmp_path / ("d" * 90)
    long.mkdir()
    outside(long).mkdir(mode=0o700)
    os.chown(outside(long), 65534, 65534)
    try:
        assert folders(long) == (outside(long),)
        with pytest.raises(Unusable), claimed(long):
            pass
        assert ask(long) is None
    finally:
        outside(long).rmdir()


def test_a_stale_socket_is_not_waited_for_and_is_taken_over(home: Path) -> None:
    with another_worker(home, "gone") as process:
        process.kill()
        process.wait(10)
        assert (inside(home) / NAME).exists()
        began = time.monotonic()
        assert ask(home) is None
        assert time.monotonic() - began < 0.2
        with served(home, echo):
            assert ask(home) == "Stop/None/None: {}"


def test_a_second_worker_leaves_the_socket_and_takes_it_over_from_a_dead_one(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palace.hooks.serving.server.RETRY_SECONDS", 0.1)
    with another_worker(home, "first") as first:
        second = HookServer(home, lambda *_: "from second")
        second.begin()
        try:
            time.sleep(0.5)
            assert second.path is None
            assert ask(home) == "from first"
            first.kill()
            first.wait(10)
            assert within(5, lambda: second.path)
            assert ask(home) == "from second"
        finally:
            second.end()


def test_two_workers_that_begin_at_once_have_one_socket(home: Path) -> None:
    servers = [HookServer(home, lambda *_, number=number: str(number)) for number in range(8)]
    for server in servers:
        server.begin()
    assert within(5, lambda: any(server.path for server in servers))
    time.sleep(0.3)
    holding = [str(number) for number, server in enumerate(servers) if server.path]
    assert len(holding) == 1
    assert ask(home) == holding[0]
    for server in servers:
        server.end()


def test_whoever_ends_takes_away_its_own_socket_alone(home: Path) -> None:
    with served(home, echo) as server:
        assert server.path
        server.path.unlink()
        other = socket.socket(socket.AF_UNIX)
        other.bind(str(server.path))
    assert (inside(home) / NAME).exists()
    other.close()


def test_a_socket_that_somebody_cleared_away_is_there_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace.hooks.serving.server.RETRY_SECONDS", 0.1)
    with served(home, echo):
        shutil.rmtree(inside(home))
        assert within(5, lambda: ask(home))


def _speaking(home: Path, speak: Callable[[socket.socket], object]) -> threading.Thread:
    """Listen on a home's socket and say something else than a worker would."""
    inside(home).mkdir(mode=0o700, exist_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(inside(home) / NAME))
    (inside(home) / NAME).chmod(0o600)
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


def _frame(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\0\0",
        b'\0\0\0\x20{"v":1,',
        b"\xff\xff\xff\xff" + b"x" * 100,
        _frame(b"[]"),
        _frame(b"not json"),
        _frame(b"\xff\xfe"),
        _frame(b'{"v": 2, "out": "x"}'),
        _frame(b'{"v": 1, "out": 7}'),
        _frame(b'{"v": 1, "cold": "version"}'),
        _frame(b"[" * 100_000),
    ],
    ids=lambda said: repr(said[:12]),
)
def test_half_an_answer_or_none_is_no_answer(said: bytes, home: Path) -> None:
    thread = _speaking(home, lambda line: line.sendall(said))
    assert ask(home) is None
    thread.join(5)


def test_a_worker_that_says_nothing_is_not_waited_for(home: Path) -> None:
    thread = _speaking(home, lambda line: time.sleep(1))
    began = time.monotonic()
    assert ask(home) is None
    assert time.monotonic() - began < 0.9
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


def test_a_worker_that_speaks_a_byte_at_a_time_is_not_waited_for(home: Path) -> None:
    def trickle(line: socket.socket) -> None:
        for byte in _frame(b'{"v": 1, "out": "' + b"x" * 200 + b'"}'):
            line.sendall(bytes([byte]))
            time.sleep(0.02)

    _speaking(home, trickle)
    began = time.monotonic()
    assert ask(home, 0.4) is None
    assert time.monotonic() - began < 0.8


def test_a_worker_that_was_stopped_by_a_signal_costs_no_more_than_its_time(home: Path) -> None:
    with another_worker(home, "stopped") as process:
        psutil.Process(process.pid).suspend()
        done, took = run_hook(home, "UserPromptSubmit")
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert took < LIMIT_SECONDS + 0.2  # this machine may be busy
        psutil.Process(process.pid).resume()


def test_a_look_tells_a_stale_socket_another_version_and_silence(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace.hooks.serving.look.LOOK_SECONDS", 0.2)
    assert look(home) is None
    with served(home, echo):
        found = look(home)
        assert found
        assert (found.problem, found.answered) == ("", 0)
    for said, told in (
        (_frame(b'{"v": 1, "version": "9.9"}'), "its worker is of another version of Palace (9.9)"),
        (_frame(b'{"v": 1, "version": "\\u001b[31m"}'), "its worker is of another version of Palace (unknown)"),
        (b"\0", "nobody answers within 0.2 s"),
    ):
        thread = _speaking(home, lambda line, said=said: line.sendall(said))  # type: ignore[misc]
        found = look(home)
        assert found
        assert found.problem == told
        thread.join(5)
        found = look(home)
        assert found
        assert found.problem == "its worker is gone"
        found.path.unlink()
