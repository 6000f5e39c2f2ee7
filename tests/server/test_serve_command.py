"""`palace serve` as a program: its socket, its port, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from palace import Settings
from palace.errors import BadRequest
from palace_cli.app import app
from palace_mcp.http.listening import listen
from palace_server.serving import listen_on_socket
from tests.held import variables_of
from tests.server.conftest import problem_of
from tests.server.provider import SECRET, Provider, as_json, chat

PROGRAM = str(Path(sys.executable).with_name("palace"))
Programs = list[subprocess.Popen[str]]


@pytest.fixture
def started(settings: Settings) -> Iterator[Programs]:
    """Programs that a test starts, ended behind it."""
    programs = Programs()
    yield programs
    for program in programs:
        if program.poll() is None:
            program.kill()
        program.communicate()


def start(started: Programs, settings: Settings, *arguments: str) -> str:
    """Start a server, and return what it says first."""
    env = variables_of(settings, PALACE_WORKER_STARTS="false", LOGNAME=f"user-{uuid.uuid4()}")
    program = subprocess.Popen([PROGRAM, "serve", *arguments], env=os.environ | env, stderr=subprocess.PIPE, text=True)
    started.append(program)
    assert program.stderr is not None
    return program.stderr.readline()


@pytest.mark.process
def test_it_serves_a_socket_of_this_account_alone_until_a_signal(
    started: Programs, settings: Settings, folder: Path
) -> None:
    path = folder / "serve.sock"
    assert start(started, settings, "--socket", str(path)).startswith(f"serving {path}: only this account")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with httpx.Client(transport=httpx.HTTPTransport(uds=str(path)), base_url="http://palace", timeout=120) as client:
        filed = client.post("/v1/drawers", json={"content": "The spare key is under the blue pot."})
        assert filed.status_code == 201, filed.text
        found = client.post("/v1/recall", json={"query": "where is the spare key?"}).json()
        assert found["hits"][0]["drawer"]["pointer"] == filed.json()["pointer"]
    assert start(started, settings, "--socket", str(path)) == f"palace: another palace serve listens on {path}\n"
    started[0].send_signal(signal.SIGTERM)
    _, err = started[0].communicate(timeout=30)
    assert (started[0].returncode, err) == (0, "")
    assert not path.exists()


@pytest.mark.process
def test_over_tcp_it_wants_a_key_and_is_reached_by_its_names(started: Programs, settings: Settings) -> None:
    names = ("--allow-host", "proxy.example", "--public-url", "https://palace.example")
    told = start(started, settings, "--port", "0", *names)
    assert "each request needs a key" in told
    url = told.split()[1].rstrip(":")
    problem_of(httpx.get(f"{url}/v1/drawers"), 401)
    assert httpx.get(f"{url}/healthz", headers={"Host": "proxy.example"}).status_code == 200
    problem_of(httpx.get(f"{url}/healthz", headers={"Host": "evil.example"}), 421)
    where = f"{url}/.well-known/oauth-protected-resource/mcp"
    answer = httpx.get(where, headers={"Host": "palace.example"}).json()
    assert answer["resource"] == "https://palace.example/mcp"
    assert answer["authorization_servers"] == ["https://palace.example"]


@pytest.mark.process
def test_the_socket_passes_on_with_the_providers_key_from_the_environment(
    started: Programs, settings: Settings, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_PROVIDERS_KEY", SECRET)
    path = folder / "serve.sock"
    with Provider() as provider:
        provider.script.append(as_json(chat("Hello!")))
        of = ("--proxy", provider.url, "--provider-key-env", "A_PROVIDERS_KEY", "--log-level", "debug")
        start(started, settings, "--socket", str(path), *of)
        with httpx.Client(
            transport=httpx.HTTPTransport(uds=str(path)), base_url="http://palace", timeout=120
        ) as client:
            asked = {"model": "m", "messages": [{"role": "user", "content": "Hello!"}]}
            assert client.post("/v1/chat/completions", json=asked).json() == chat("Hello!")
        assert provider.asked[0].headers["authorization"] == f"Bearer {SECRET}"
    started[0].send_signal(signal.SIGTERM)
    _, log = started[0].communicate(timeout=60)
    assert started[0].returncode == 0
    assert SECRET not in log


@pytest.mark.parametrize(
    ("of", "told"),
    [
        *(
            (("--proxy", url), "--proxy takes the address")
            for url in ("", "ftp://a", "http://[::1", "http://a:x", "http://k@a", "http://a?b")
        ),
        (("--provider-key-env", "PATH"), "--provider-key-env is for --proxy URL"),
        (("--proxy", "http://a", "--provider-key-env", "NO_SUCH_KEY"), "the environment has no NO_SUCH_KEY"),
    ],
)
def test_a_provider_that_cannot_be_is_one_line(of: tuple[str, ...], told: str) -> None:
    done = CliRunner().invoke(app, ["serve", *of])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert told in done.stderr


def test_an_address_at_which_no_program_can_be_let_in_is_refused() -> None:
    for url in ("http://palace.example", "https://palace.example/memory", "https://a@b.example", "palace.example", ""):
        done = CliRunner().invoke(app, ["serve", "--port", "0", "--public-url", url])
        assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
        assert "--public-url must be like https://palace.example" in done.stderr
    done = CliRunner().invoke(app, ["serve", "--public-url", "https://palace.example"])
    assert "--public-url is for --host or --port" in done.stderr


@pytest.mark.process
def test_open_hands_a_browser_a_file_that_signs_it_in(started: Programs, settings: Settings, folder: Path) -> None:
    seen = folder / "opened"
    browser = folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}.new && mv {seen}.new {seen}\n')
    browser.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BROWSER", f"{browser} %s")
        told = start(started, settings, "--open")
    address, file = re.findall(r"(http://127[^ :]+:[0-9]+): .* open (.+) in one", told)[0]
    for _ in range(100):
        if seen.exists():
            break
        time.sleep(0.1)
    assert seen.read_text().strip() == Path(file).as_uri()
    assert stat.S_IMODE(Path(file).stat().st_mode) == 0o600
    action, code = re.findall(r'action="([^"]+)"|name="code" value="([^"]+)"', Path(file).read_text())
    assert code[1] not in told
    with httpx.Client(headers={"Origin": "null"}, timeout=120) as client:
        opened = client.post(action[0], data={"code": code[1]})
        assert (action[0], opened.status_code) == (f"{address}/open", 303)
        assert client.post(action[0], data={"code": code[1]}).status_code == 401
        del client.headers["Origin"]
        assert "Nothing is filed here yet" in client.get(f"{address}/").text
    started[0].send_signal(signal.SIGTERM)
    _, err = started[0].communicate(timeout=30)
    assert (started[0].returncode, err) == (0, "")
    assert not Path(file).exists()


def test_only_a_socket_that_nobody_listens_on_is_replaced(folder: Path) -> None:
    path = folder / "serve.sock"
    listen_on_socket(path).close()  # as after a crash: the file stays
    with listen_on_socket(path), pytest.raises(BadRequest, match="another palace serve listens"):
        listen_on_socket(path)
    other = folder / "notes.txt"
    other.write_text("mine")
    with pytest.raises(BadRequest, match="is no socket of yours"):
        listen_on_socket(other)
    assert other.read_text() == "mine"
    with pytest.raises(BadRequest, match="too long for a socket"):
        listen_on_socket(folder / ("x" * 200))


def test_a_port_in_use_and_an_address_of_another_machine_are_one_line(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadRequest, match="is in use: another --port"):
            listen("127.0.0.1", taken.getsockname()[1])
    for host in ("203.0.113.7", "nowhere.invalid"):
        with pytest.raises(BadRequest):
            listen(host, 0)
