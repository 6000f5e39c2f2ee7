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
from tests.hooks.parts import PLACES, HookServer
from tests.warm.conftest import echo, served, within

REQUEST = {"v": 1, "version": palace.__version__, "event": "Stop", "harness": None, "user": None, "input": "{}"}


def send(line: socket.socket, told: Any) -> None:
    """Send a frame: four bytes of length, and JSON."""
    body = json.dumps(told).encode()
    line.sendall(len(body).to_bytes(4, "big") + body)


def receive(line: socket.socket) -> dict[str, Any]:
    """Read an answer, behind the empty frame that says that somebody is at work on it."""
    with line.makefile("rb") as file:
        size = 0
        while not size:
            size = int.from_bytes(file.read(4), "big")
        answer: dict[str, Any] = json.loads(file.read(size))
        return answer


def connected(server: HookServer) -> socket.socket:
    """Connect to a server as anything of this account may."""
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(10)
    line.connect(str(server.path))
    return line


def asked(server: HookServer, told: Any) -> dict[str, Any]:
    """Send one request and read the answer."""
    with connected(server) as line:
        send(line, told)
        return receive(line)


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
        known = {"v": 1, "version": palace.__version__}
        assert asked(server, {"v": 1, "ping": True}) == {**known, "answered": 0, "since": 0}
        assert server.asked is None
        asked(server, REQUEST)
        assert asked(server, {"v": 1, "ping": True})["answered"] == 1


def test_what_goes_wrong_is_answered_by_whoever_asks(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: object) -> str:
        raise problems[0]

    problems = [BadRequest("setting user is odd"), ZeroDivisionError("SECRET")]
    with served(home, fail) as server, caplog.at_level(logging.INFO):
        while problems:
            assert asked(server, REQUEST)["cold"] == "declined"
            problems.pop(0)
        assert server.answered == 0
    assert "SECRET" not in caplog.text


def test_what_is_no_request_is_cut_off_and_harms_nobody(home: Path) -> None:
    with served(home, lambda told, _: str(sorted(told))) as server:
        for sent in (
            b"",
            b"\0",
            b'\0\0\0\x09{"v":1}',
            (64 << 20).to_bytes(4, "big") + b"x" * 1000,
            b"\0\0\0\x02[]",
            b"\0\0\0\x04nope",
            (200_000).to_bytes(4, "big") + b"[" * 200_000,
        ):
            with connected(server) as line:
                line.sendall(sent)
                line.shutdown(socket.SHUT_WR)
                assert is_cut_off(line), sent[:14]
        for missing in ("v", "event", "input", "harness", "user"):
            said = asked(server, {name: value for name, value in REQUEST.items() if name != missing})
            assert said.get("cold") == "version" if missing == "v" else "out" in said
        assert "version" in asked(server, REQUEST)["out"]


def test_a_client_that_is_slow_or_reads_nothing_is_cut_off(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace.hooks.server.HEAR_SECONDS", 0.3)
    with served(home, lambda *_: "x" * (8 << 20)) as server:
        with connected(server) as line:
            began = time.monotonic()
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                trickle(line)
            assert time.monotonic() - began < 2
        with connected(server) as line:
            send(line, REQUEST)
            assert within(3, lambda: server._places._value == PLACES)


def test_more_at_once_than_there_are_places_are_turned_away_at_once(home: Path) -> None:
    going_on = threading.Event()

    def wait(*_: object) -> str:
        going_on.wait(10)
        return "late"

    with served(home, wait) as server:
        busy = [connected(server) for _ in range(PLACES)]
        for line in busy:
            send(line, REQUEST)
        assert within(3, lambda: server._places._value == 0)
        with connected(server) as line:
            began = time.monotonic()
            assert is_cut_off(line)
            assert time.monotonic() - began < 1
        going_on.set()
        assert [receive(line)["out"] for line in busy] == ["late"] * PLACES
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
    send(line, REQUEST)
    began = time.monotonic()
    server.end()
    assert time.monotonic() - began < 1.5
    assert not path.exists()
    going_on.set()
    line.close()
