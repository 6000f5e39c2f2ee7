"""`palace mcp --http`: every tool over a port of this machine, nobody let in who is not meant, and slow requests."""

from __future__ import annotations

import asyncio
import http.client
import os
import signal
import socket
import stat
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
import uvicorn
from typer.testing import CliRunner

from palace.errors import BadRequest, PalaceError
from palace_cli.app import app
from palace_mcp.http import connection, guard
from palace_mcp.http.connection import Connection
from palace_mcp.http.guard import RequestGuard
from palace_mcp.http.listening import listen
from palace_mcp.http.serving import HOST, MOST_CONNECTIONS
from palace_mcp.http.token import FILE, token_of
from tests.protocol.conftest import GREETING, message

TOKEN = "a-token-of-the-test-that-is-long-enough"
PROGRAM = str(Path(sys.executable).with_name("palace"))
LISTING = message("tools/list", 1)
ACCEPT = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


class Served:
    """A server that runs, and its address."""

    def __init__(self, environment: dict[str, str], *arguments: str) -> None:
        env = {**os.environ, **environment, "LOGNAME": f"user-{uuid.uuid4()}", "PALACE_MCP_TOKEN": TOKEN}
        words = [PROGRAM, "mcp", "--http", "--port", "0", "--profile", "full", "--timeout", "300", *arguments]
        self.process = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.told = self.process.stderr.readline()
        assert self.told.startswith("serving http://127.0.0.1:"), self.told
        self.address = self.told.split()[1].rstrip(":")
        self.port = int(self.address.split(":")[2].split("/")[0])

    def ask(self, method: str = "POST", body: bytes | str = LISTING, path: str = "/mcp", **headers: str) -> Any:
        """Ask by hand; give the status and what is said."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest(method, path, skip_host=True)
        data = body.encode() if isinstance(body, str) else body
        given = {"Host": f"127.0.0.1:{self.port}", **ACCEPT, "Content-Length": str(len(data))}
        for name, value in (given | {name.replace("_", "-"): value for name, value in headers.items()}).items():
            if value:
                connection.putheader(name, value)
        connection.endheaders()
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.send(data)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """End it, and give how it ended and what it wrote."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out, err


@pytest.fixture
def served(environment: dict[str, str]) -> Iterator[Served]:
    """A server that wants a token."""
    made = Served(environment)
    yield made
    if made.process.poll() is None:
        made.process.kill()
    made.process.communicate()


@pytest.mark.process
def test_only_who_shows_the_token_is_let_in_and_no_web_page_nor_what_is_no_message(served: Served) -> None:
    def bearing(value: str) -> Any:
        return served.ask(body=GREETING, Authorization=value)

    for wrong in ("", "Bearer ", "Bearer x", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}"):
        status, told = bearing(wrong)
        assert (status, told.count("\n")) == (401, 1)
        assert TOKEN not in told
    for path in ("/", "/mcp", "/docs"):
        assert served.ask("GET", path=path)[0] == 401
    assert bearing(f"Bearer {TOKEN}")[0] == 200
    assert bearing(f"bearer {TOKEN}")[0] == 200
    # A web page that leads its name here is turned away.
    shown = {"Authorization": f"Bearer {TOKEN}", "body": GREETING}
    for host in ("evil.example", "127.0.0.1", f"127.0.0.1.evil.example:{served.port}", ""):
        assert served.ask(**shown, Host=host)[0] in {400, 421}, host
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{served.port}"):
        assert served.ask(**shown, Origin=origin)[0] == 403, origin
    assert served.ask(**shown, Origin=f"http://localhost:{served.port}", Host=f"localhost:{served.port}")[0] == 200
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    for method in ("PUT", "OPTIONS", "HEAD"):
        connection.request(method, "/mcp", headers={**ACCEPT, "Authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        answer.read()
        assert (answer.status, answer.headers["mcp-session-id"]) == (405, None), method
    connection.close()
    token = {"Authorization": f"Bearer {TOKEN}"}
    assert served.ask(**token, body=b"x" * (5 << 20))[0] == 413
    assert served.ask(**token, body=b"", Content_Length=str(100 << 20))[0] == 413
    assert served.ask(**token, body="not json")[0] == 400
    assert served.ask(**token, body=LISTING, Mcp_Session_Id="nobody's")[0] == 200
    assert served.ask(**shown)[0] == 200
    code, out, err = served.stop()
    assert (code, out, TOKEN in err + served.told) == (0, "", False)


@pytest.mark.process
def test_many_clients_at_once_are_answered_and_one_that_lost_its_stream_gets_another(served: Served) -> None:
    head = f"Host: 127.0.0.1:{served.port}\r\nAuthorization: Bearer {TOKEN}\r\nAccept: {ACCEPT['Accept']}\r\n"
    sent = f"{head}Content-Type: application/json\r\nContent-Length: {len(GREETING)}\r\n\r\n{GREETING}"
    many = [socket.create_connection(("127.0.0.1", served.port), timeout=120) for _ in range(200)]
    for each in many:
        each.sendall(f"POST /mcp HTTP/1.1\r\n{sent}".encode())
    answers = [each.recv(4096).decode() for each in many]
    assert {answer[:12] for answer in answers} == {"HTTP/1.1 200"}
    again = f"GET /mcp HTTP/1.1\r\n{head}Last-Event-ID: 7\r\n\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=120) as listening:
        listening.sendall(again.encode())
        assert listening.recv(12) == b"HTTP/1.1 200"
    for each in many:
        each.close()


def test_a_port_in_use_is_one_line_and_it_listens_on_this_machine_alone() -> None:
    with listen(HOST, 0) as taken:
        address, port = taken.getsockname()
        assert address == "127.0.0.1"
        done = CliRunner().invoke(app, ["mcp", "--http", "--no-token", "--port", str(port)])
    assert done.exit_code == 2
    assert done.stderr == (f"palace: port {port} of 127.0.0.1 is in use: another --port, or stop what listens there\n")


def test_a_token_is_made_once_and_nobody_else_reads_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    made = token_of(home, None)
    assert len(made) >= 40
    assert token_of(home, None) == made
    assert stat.S_IMODE((home / FILE).stat().st_mode) == 0o600
    assert [each.name for each in home.iterdir()] == [FILE]
    assert token_of(tmp_path / "other", None) != made


def test_a_token_that_others_can_read_or_set_is_refused(tmp_path: Path) -> None:
    token_of(tmp_path, None)
    file = tmp_path / FILE
    file.chmod(0o644)
    with pytest.raises(BadRequest, match="can be read by others: run chmod 600"):
        token_of(tmp_path, None)
    file.unlink()
    (tmp_path / "elsewhere").write_text("0123456789abcdef0123")
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PalaceError):
        token_of(tmp_path, None)
    file.unlink()
    os.mkfifo(file, 0o600)
    with pytest.raises(BadRequest, match="is not a file of yours"):
        token_of(tmp_path, None)
    file.unlink()
    file.write_text("short")
    file.chmod(0o600)
    with pytest.raises(BadRequest, match="holds no token"):
        token_of(tmp_path, None)


def test_a_token_of_ones_own_is_long_enough(tmp_path: Path) -> None:
    for chosen in ("", "short", "with a space in the middle", "ünicode-is-no-header", "x" * 513):
        with pytest.raises(BadRequest, match="PALACE_MCP_TOKEN holds no token"):
            token_of(tmp_path, chosen)


def test_the_token_is_printed_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_HOME", str(tmp_path / "home"))
    first, again = (CliRunner().invoke(app, ["mcp", "--show-token"]).stdout for _ in range(2))
    assert first == again == f"{token_of(tmp_path / 'home', None)}\n"


HEADERS = [(b"host", b"127.0.0.1:80")]
HEAD = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:80\r\n"


async def _answering(scope: Any, receive: Any, send: Any) -> None:
    body = (await receive())["body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def _asked(pieces: list[bytes], *, ends: bool, announced: bytes | None = None) -> Any:
    """Send a body in pieces; give what the application was handed, and the answer's status."""
    handed: list[bytes] = []
    answered: list[int] = []
    left = list(pieces)

    async def receive() -> Any:
        if left:
            return {"type": "http.request", "body": left.pop(0), "more_body": bool(left) or not ends}
        await anyio.sleep_forever()

    async def send(message: Any) -> None:
        if "status" in message:
            answered.append(message["status"])

    async def app(scope: Any, receive: Any, send: Any) -> None:
        handed.append((await receive())["body"])
        await anyio.sleep(0.3)  # what is done for it has its own time
        await send({"type": "http.response.start", "status": 200, "headers": []})

    headers = [*HEADERS, (b"content-length", announced)] if announced else HEADERS
    asked = {"type": "http", "method": "POST", "headers": headers}
    anyio.run(lambda: RequestGuard(app, 80, 10, None)(asked, receive, send))
    return handed, answered


def test_a_request_is_handed_on_as_a_whole_or_answered_without_beginning_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.2)
    assert _asked([b"ab", b"", b"cd"], ends=True) == ([b"abcd"], [200])
    assert _asked([b""], ends=True) == ([b""], [200])
    assert _asked([b"0123456789"], ends=True, announced=b"10") == ([b"0123456789"], [200])
    for pieces in ([], [b"a"], [b"a", b"b"]):  # one that does not come
        assert _asked(pieces, ends=False) == ([], [408])
    for announced in (None, b"11", b"9" * 40):  # one that is too large
        assert _asked([b"0123456789", b"0"], ends=False, announced=announced) == ([], [413])


def test_whoever_asks_nothing_holds_no_place_that_another_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "COMING_SECONDS", 0.3)
    monkeypatch.setattr(connection, "WAITING_SECONDS", 1.5)
    many = MOST_CONNECTIONS + 88

    async def ask(port: int) -> tuple[bytes, int]:
        begun = [await asyncio.open_connection("127.0.0.1", port) for _ in range(many)]
        await asyncio.sleep(0.5)
        reads, writes = await asyncio.open_connection("127.0.0.1", port)
        writes.write(f"{HEAD}Content-Length: 2\r\n\r\nhi".encode())
        answer = await reads.read(12)
        left = [each for each, _ in begun if not each.at_eof() and each.exception() is None]
        async with asyncio.timeout(20):  # and those that are left go as well
            for each, _ in begun:
                with suppress(ConnectionResetError):
                    assert await each.read() == b""
        for _, ours in begun:
            ours.close()
        return answer, len(left)

    async def main() -> tuple[bytes, int]:
        config = uvicorn.Config(
            RequestGuard(_answering, 80, 10, None), http=Connection, log_config=None, limit_concurrency=MOST_CONNECTIONS
        )
        serving = uvicorn.Server(config)
        with listen(HOST, 0) as taken:
            under_way = asyncio.ensure_future(serving._serve(sockets=[taken]))
            try:
                return await ask(taken.getsockname()[1])
            finally:
                serving.should_exit = True
                await under_way

    answer, left = asyncio.run(main())
    assert answer == b"HTTP/1.1 200"
    assert left <= connection.MOST_WAITING
