"""The server of hooks: bounded in all it takes on, and no burden to the worker around it."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import palace
from palace.errors import BadRequest
from palace.hooks.serving import server as serving
from palace.hooks.serving.asker import Declined
from palace.hooks.serving.frames import LARGEST, receive, send
from palace.hooks.serving.server import PLACES, HookServer
from tests.warm.conftest import echo, served, within

REQUEST = {"v": 1, "version": palace.__version__, "event": "Stop", "harness": None, "user": None, "input": "{}"}


def connected(server: HookServer) -> socket.socket:
    """Connect to a server as anything of this account may."""
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(10)
    line.connect(str(server.path))
    return line


def asked(server: HookServer, told: Any) -> dict[str, Any]:
    """Send one request and read the answer."""
    with connected(server) as line:
        send(line, told, time.monotonic() + 5)
        return receive(line, time.monotonic() + 5)


def trickle(line: socket.socket) -> None:
    """Send a request a byte at a time."""
    body = json.dumps(REQUEST).encode()
    for byte in len(body).to_bytes(4, "big") + body:
        line.sendall(bytes([byte]))
        time.sleep(0.02)


def is_cut_off(line: socket.socket) -> bool:
    """Tell whether the other end closed the line."""
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


def test_another_version_is_told_so_and_noticed(home: Path) -> None:
    with served(home, echo) as server:
        assert asked(server, {**REQUEST, "version": "9.9"}) == {
            "v": 1,
            "version": palace.__version__,
            "cold": "version",
        }
        assert server.is_outdated
        assert asked(server, REQUEST)["out"] == "Stop/None/None: {}"


def test_a_look_is_no_hook(home: Path) -> None:
    with served(home, echo) as server:
        assert asked(server, {"v": 1, "ping": True}) == {
            "v": 1,
            "version": palace.__version__,
            "answered": 0,
            "since": 0,
        }
        assert server.asked is None
        asked(server, REQUEST)
        assert asked(server, {"v": 1, "ping": True})["answered"] == 1


@pytest.mark.parametrize(
    "problem", [Declined("cold"), BadRequest("setting user is odd"), ZeroDivisionError("SECRET")], ids=repr
)
def test_what_goes_wrong_is_answered_by_whoever_asks(
    problem: Exception, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> str:
        raise problem

    with served(home, fail) as server, caplog.at_level(logging.INFO):
        assert asked(server, REQUEST)["cold"] == "declined"
        assert server.answered == 0
    assert "SECRET" not in caplog.text


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\0",
        b'\0\0\0\x09{"v":1}',
        (LARGEST + 1).to_bytes(4, "big") + b"x" * 1000,
        b"\0\0\0\x02[]",
        b"\0\0\0\x04nope",
        (200_000).to_bytes(4, "big") + b"[" * 200_000,
    ],
    ids=lambda sent: repr(sent[:14]),
)
def test_what_is_no_request_is_cut_off_and_harms_nobody(sent: bytes, home: Path) -> None:
    with served(home, echo) as server:
        with connected(server) as line:
            line.sendall(sent)
            line.shutdown(socket.SHUT_WR)
            assert is_cut_off(line)
        assert asked(server, REQUEST)["out"] == "Stop/None/None: {}"


@pytest.mark.parametrize("missing", ["v", "event", "input", "harness", "user"])
def test_a_request_that_lacks_something_harms_nobody(missing: str, home: Path) -> None:
    with served(home, lambda told, _: str(sorted(told))) as server:
        said = asked(server, {name: value for name, value in REQUEST.items() if name != missing})
        assert said.get("cold") == "version" if missing == "v" else "out" in said


def test_a_slow_client_is_cut_off(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEAR_SECONDS", 0.3)
    with served(home, echo) as server, connected(server) as line:
        began = time.monotonic()
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            trickle(line)
        assert time.monotonic() - began < 2


def test_a_client_that_reads_nothing_is_cut_off(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEAR_SECONDS", 0.3)
    with served(home, lambda *_: "x" * (8 << 20)) as server, connected(server) as line:
        send(line, REQUEST, time.monotonic() + 5)
        assert within(3, lambda: server._places._value == PLACES)


def test_more_at_once_than_there_are_places_are_turned_away_at_once(home: Path) -> None:
    going_on = threading.Event()

    def wait(*_: object) -> str:
        going_on.wait(10)
        return "late"

    with served(home, wait) as server:
        busy = [connected(server) for _ in range(PLACES)]
        for line in busy:
            send(line, REQUEST, time.monotonic() + 5)
        assert within(3, lambda: server._places._value == 0)
        with connected(server) as line:
            began = time.monotonic()
            assert is_cut_off(line)
            assert time.monotonic() - began < 1
        going_on.set()
        assert [receive(line, time.monotonic() + 5)["out"] for line in busy] == ["late"] * PLACES
        for line in busy:
            line.close()
        assert within(3, lambda: server._places._value == PLACES)
        assert asked(server, REQUEST)["out"] == "late"


def test_its_end_waits_for_no_answer(home: Path) -> None:
    going_on = threading.Event()
    server = HookServer(home, lambda *_: str(going_on.wait(30)))
    server.begin()
    assert within(5, lambda: server.path)
    path = server.path
    assert path
    line = connected(server)
    send(line, REQUEST, time.monotonic() + 5)
    began = time.monotonic()
    server.end()
    assert time.monotonic() - began < 1.5
    assert not path.exists()
    going_on.set()
    line.close()


def test_who_asks_says_how_long_they_wait(home: Path) -> None:
    with served(home, lambda _, seconds: str(seconds)) as server:
        for told, taken in ((0.4, "0.4"), (99, "1.5"), (-1, "0.01"), ("x", "1.5"), (True, "1.5"), (None, "1.5")):
            assert asked(server, {**REQUEST, "seconds": told})["out"] == taken
