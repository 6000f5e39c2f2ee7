"""A server in this process, reached over HTTP: a port of this machine, and a Unix socket."""

from __future__ import annotations

import asyncio
import socket
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from palace import Palace, Palaces
from palace_mcp.http.listening import listen
from palace_server.app import guarded, make_app
from palace_server.caller import Service
from palace_server.guard import Names, accepted_hosts
from palace_server.proxy.upstream import Upstream
from palace_server.serving import listen_on_socket, make_server

SCOPES = ("read", "write", "forget", "admin")


@contextmanager
def running(
    palaces: Palaces,
    taken: socket.socket,
    *,
    rate: float = 10_000.0,
    user: str | None = None,
    upstream: Upstream | None = None,
    **of: Any,
) -> Iterator[Any]:
    """Serve palaces on a socket from a thread, for the length of a block."""
    service = Service(palaces, keyless_user=user, rate=rate, **of)
    is_tcp = taken.family == socket.AF_INET
    names = Names(accepted_hosts(taken.getsockname()[1], "127.0.0.1", ()) if is_tcp else None)
    app = make_app(service, upstream)
    server = make_server(guarded(app, names))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[taken])), daemon=True)
    thread.start()
    try:
        yield app
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


@contextmanager
def served(palaces: Palaces, *, oauth: bool = False, **of: Any) -> Iterator[tuple[str, Any]]:
    """Serve palaces on a port of this machine; give the URL and the application."""
    with listen("127.0.0.1", 0) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with running(palaces, taken, public_url=url if oauth else None, **of) as app:
            yield url, app


@pytest.fixture(scope="module")
def address(palaces: Palaces) -> Iterator[str]:
    """The URL of a server where each request needs a key."""
    with served(palaces) as (url, _):
        yield url


@pytest.fixture(scope="module")
def local(palaces: Palaces, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a server on a Unix socket, where a palace of its own needs no key."""
    path = tmp_path_factory.mktemp("served") / "serve.sock"
    user = f"user-{uuid.uuid4()}"
    palaces.palace(user)
    transport = httpx.HTTPTransport(uds=str(path))
    with (
        listen_on_socket(Path(path)) as taken,
        running(palaces, taken, user=user),
        httpx.Client(transport=transport, base_url="http://palace", timeout=60) as client,
    ):
        yield client


Connects = Callable[..., httpx.Client]


@pytest.fixture
def connect(address: str) -> Iterator[Connects]:
    """Connect with a key: ``connect(palace, "read", wings=["Bees"])``; without scopes, with all of them."""
    clients = list[httpx.Client]()

    def connect(palace: Palace | None, *scopes: str, **of: Any) -> httpx.Client:
        headers = {}
        if palace is not None:
            secret = palace.keys.create("test", scopes=scopes or SCOPES, **of).secret
            headers = {"Authorization": f"Bearer {secret}"}
        clients.append(httpx.Client(base_url=address, headers=headers, timeout=60))
        return clients[-1]

    yield connect
    for client in clients:
        client.close()


@pytest.fixture
def client(connect: Connects, palace: Palace) -> httpx.Client:
    """A client with a key of the test's own palace that allows everything."""
    return connect(palace)


def problem_of(answer: httpx.Response, status: int, code: str = "") -> str:
    """Return the one line of a problem, after checking that it is one."""
    assert answer.status_code == status, (answer.status_code, answer.text)
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told["status"] == status
    assert {"type", "title", "detail", "code"} <= told.keys()
    assert told["code"] == (code or told["code"])
    assert "\n" not in told["detail"]
    return str(told["detail"])
