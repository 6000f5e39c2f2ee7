"""`palace mcp` as a program: the protocol and nothing else on standard output, and an end whenever it is to end."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.server.lowlevel import Server
from typer.testing import CliRunner

from palace_cli.app import app
from palace_mcp.stdio import LARGEST_MESSAGE, TOO_LONG, _Served
from palace_mcp.wire import Wire
from tests.protocol.conftest import GREETING, error_of, message, text_of

Starts = Callable[..., subprocess.Popen[bytes]]
PROGRAM = str(Path(sys.executable).with_name("palace"))


@pytest.fixture
def user() -> str:
    """A user of the test's own."""
    return f"user-{uuid.uuid4()}"


@pytest.fixture
def starts(environment: dict[str, str], user: str) -> Iterator[Starts]:
    """Start the program, its streams in the test's hands."""
    begun: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str, cwd: Path | None = None, **variables: str) -> subprocess.Popen[bytes]:
        env = {**os.environ, **environment, "LOGNAME": user, **variables}
        pipe = subprocess.PIPE
        words = [PROGRAM, "mcp", *arguments]
        begun.append(subprocess.Popen(words, cwd=cwd, env=env, stdin=pipe, stdout=pipe, stderr=pipe))
        return begun[-1]

    yield start
    for each in begun:
        each.kill()
        each.wait()
        for stream in (each.stdin, each.stdout, each.stderr):
            with suppress(OSError):
                assert stream is not None
                stream.close()


def said(program: subprocess.Popen[bytes], *lines: str | bytes) -> list[dict[str, Any]]:
    """Say some lines, close, and read all answers; each is a line of JSON."""
    data = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
    out, err = program.communicate(data, timeout=60)
    assert program.returncode == 0, err.decode()
    assert b"Traceback" not in err
    return [json.loads(line) for line in out.decode().splitlines()]


def asked(program: subprocess.Popen[bytes], most: int, *lines: str) -> list[dict[str, Any]]:
    """Say some lines, and read so many answers; the program goes on."""
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write("".join(f"{line}\n" for line in lines).encode())
    program.stdin.flush()
    return [json.loads(program.stdout.readline()) for _ in range(most)]


@pytest.mark.process
def test_the_protocols_own_client_reaches_every_tool(environment: dict[str, str], user: str) -> None:
    env = {**environment, "LOGNAME": user}
    parameters = StdioServerParameters(command=PROGRAM, args=["mcp", "--profile", "full", "--timeout", "300"], env=env)

    async def talk() -> None:
        async with Client(parameters) as client:
            assert len((await client.list_tools()).tools) == 8
            kept = await client.call_tool("remember", {"text": "Mara's spare key is with Derek.", "wing": "Mara"})
            pointer = kept.structured_content["pointer"]
            assert "Derek" in text_of(await client.call_tool("recall", {"query": "who has the spare key?"}))
            assert "drawers: 1" in text_of(await client.call_tool("status"))
            code = (await client.call_tool("forget", {"pointer": pointer})).structured_content["confirm"]
            done = await client.call_tool("forget", {"pointer": pointer, "confirm": code})
            assert done.structured_content["forgotten"]
            assert error_of(await client.call_tool("show", {"pointer": pointer}))

    anyio.run(talk)


@pytest.mark.process
def test_what_is_no_message_is_answered_and_passed_over(starts: Starts) -> None:
    answers = said(
        starts(),
        message("notifications/initialized"),
        "",
        "not json",
        b"\xff\xfe\x00",
        "[]",
        '{"jsonrpc": "1.0", "id": 9, "method": "ping"}',
        "[" * 100_000,
        GREETING,
        message("notifications/initialized"),
        message("notifications/unheard-of"),
        message("tools/list", 2),
        message("tools/nonsense", 3),
    )
    errors = [each["error"]["code"] for each in answers if "error" in each]
    assert errors == [-32700, -32700, -32600, -32600, -32700, -32601]
    by_id = {each["id"]: each for each in answers}
    assert by_id[1]["result"]["serverInfo"]["name"] == "palace"
    assert [each["name"] for each in by_id[2]["result"]["tools"]] == ["recall", "show", "remember", "forget"]


@pytest.mark.process
def test_what_is_too_long_is_answered_by_its_own_id(starts: Starts) -> None:
    long = "x" * (LARGEST_MESSAGE + (1 << 20))
    first = f'{{"jsonrpc": "2.0", "id": "a-1", "method": "ping", "params": {{"x": "{long}"}}}}'
    last = f'{{"method":"ping","params":{{"x":"{long}"}},"jsonrpc":"2.0","id":7}}'
    nowhere = f'{{"method":"ping","id":8,"jsonrpc":"2.0","params":{{"x":"{long}"}}}}'
    barely = f'{{"method":"ping","params":{{"x":"{long[: LARGEST_MESSAGE - 50]}"}},"jsonrpc":"2.0","id":9}}'
    assert LARGEST_MESSAGE < len(barely) < LARGEST_MESSAGE + 10
    answers = said(starts(), first, last, nowhere, barely, GREETING)
    assert [each["id"] for each in answers] == ["a-1", 7, None, 9, 1]
    assert {each["error"]["message"] for each in answers[:4]} == {TOO_LONG}


@pytest.mark.process
def test_a_stream_that_does_not_wait_is_waited_for(environment: dict[str, str], user: str) -> None:
    ours, theirs = socket.socketpair()
    env = {**os.environ, **environment, "LOGNAME": user}
    theirs.setblocking(False)
    with ours, theirs:
        ours.settimeout(60)
        its = theirs.fileno()
        program = subprocess.Popen([PROGRAM, "mcp"], env=env, stdin=its, stdout=its, stderr=subprocess.PIPE)
        ours.sendall(f"{GREETING}\n".encode())
        assert json.loads(ours.makefile("rb").readline())["id"] == 1
        assert not os.get_blocking(its)
        ours.shutdown(socket.SHUT_WR)
        assert program.communicate(timeout=60)[1] == b""
        assert program.returncode == 0


def test_a_stream_that_cannot_be_read_is_at_its_end(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    assert _Served(Server("x"), Wire(folder, folder))._read_line() == b""
    os.close(folder)


NOISY = """
import builtins, os
real = builtins.__import__

def noisy(name, *rest):
    found = real(name, *rest)
    if name == "palace_mcp.server":
        builtins.__import__ = real
        print("from Python", flush=True)
        os.write(1, b"from a descriptor\\n")
        os.system("echo from a child; cat")
    return found

builtins.__import__ = noisy
"""


@pytest.mark.process
def test_nothing_but_the_protocol_is_printed_and_a_signal_ends_it(starts: Starts, folder: Path) -> None:
    (folder / "sitecustomize.py").write_text(NOISY)
    program = starts(PYTHONPATH=str(folder))
    pipe = program.stderr
    assert pipe is not None
    _greet(program)
    assert [pipe.readline() for _ in range(3)] == [b"from Python\n", b"from a descriptor\n", b"from a child\n"]
    (answer,) = asked(program, 1, message("notifications/initialized"), message("tools/list", 2))
    assert answer["id"] == 2
    program.send_signal(signal.SIGTERM)
    assert program.wait(timeout=10) == 0


@pytest.mark.nightly
def test_whichever_signal_it_is_ends_it_and_nothing_can_be_asked_before_the_greeting(starts: Starts) -> None:
    for number in (signal.SIGINT, signal.SIGHUP):
        program = starts()
        _greet(program)
        program.send_signal(number)
        assert program.wait(timeout=10) == 0
    answers = said(starts(), message("tools/list", 1), message("tools/call", 2, name="recall", arguments={}))
    assert [("error" in each) for each in answers] == [True, True]


@pytest.mark.nightly
@pytest.mark.process
def test_it_is_greeted_before_anything_is_opened(starts: Starts) -> None:
    # Nothing answers there, and a greeting needs nothing that would have to.
    program = starts(PALACE_DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")
    _greet(program)
    calls = [message("tools/call", number, name="recall", arguments={"query": "x"}) for number in (2, 3)]
    for answer in asked(program, 2, message("notifications/initialized"), *calls):
        told = answer["result"]["content"][0]["text"]
        assert answer["result"]["isError"]
        assert "127.0.0.1" in told
        assert "\n" not in told


def _greet(program: subprocess.Popen[bytes]) -> None:
    assert asked(program, 1, GREETING)[0]["id"] == 1


def test_a_wrong_call_is_one_line() -> None:
    for words, told in {
        "--profile huge": "--profile is one of default, readonly, full, chatgpt, not 'huge'",
        "--port 9": "--port is for --http: give that too",
        "--no-token": "--no-token is for --http: give that too",
        "--http --no-token --show-token": "--no-token and --show-token exclude each other",
        "--log-level loud": "--log-level is one of",
        "--timeout 0": "--timeout",
    }.items():
        done = CliRunner().invoke(app, ["mcp", *words.split()])
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), words
        assert told in done.stderr
