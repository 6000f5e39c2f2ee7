"""What happens to a request before it is carried out: its key, its body, and what others of its key do."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from palace import KeyGrant, Palace, Palaces, Settings
from palace.testing import HashingEmbedder
from palace_server import bodies
from palace_server.app import THREADS
from palace_server.caller import Service
from palace_server.routes.conversations import MOST_BRACKETS
from tests.server.conftest import Connects, problem_of

JSON = {"Content-Type": "application/json"}
WRONG = "Bearer pal_1x1_" + "0" * 64


def opened(address: str, *lines: str) -> socket.socket:
    """Send the head of a request, and maybe a part of its body."""
    where = urlsplit(address)
    made = socket.create_connection((str(where.hostname), int(where.port or 0)), timeout=20)
    made.sendall("\r\n".join((lines[0], f"Host: {where.netloc}", *lines[1:])).encode())
    return made


def test_a_request_without_a_valid_key_is_refused_before_its_body(address: str) -> None:
    for authorization in ("X: y", f"Authorization: {WRONG}"):
        lines = ("POST /v1/recall HTTP/1.1", authorization, "Content-Length: 8000000", "", "{")
        with opened(address, *lines) as sending:
            assert sending.recv(4096).startswith(b"HTTP/1.1 401")


def test_a_body_has_a_megabyte_and_that_of_a_conversation_eight(client: httpx.Client) -> None:
    large = b'{"query": "x"' + b" " * (2 << 20) + b"}"
    problem_of(client.post("/v1/recall", content=large, headers=JSON), 413, "too_large")
    problem_of(client.post("/v1/conversations", content=large, headers=JSON), 422, "invalid")
    problem_of(client.request("GET", "/healthz", content=b"x"), 413, "too_large")


def test_a_key_has_a_share_of_the_memory_for_bodies_until_its_answers_begin(
    connect: Connects, palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "MOST_OF_KEY", 100_000)
    waiting, go_on, recall = threading.Event(), threading.Event(), Palace.recall

    def slow(*positional: Any, **named: Any) -> Any:
        waiting.set()
        assert go_on.wait(20)
        return recall(*positional, **named)

    monkeypatch.setattr(Palace, "recall", slow)
    client, other = connect(palace), connect(palace)
    body = b'{"query": "bees"' + b" " * 60_000 + b"}"
    with ThreadPoolExecutor() as pool:
        first = pool.submit(client.post, "/v1/recall", content=body, headers=JSON)
        try:
            assert waiting.wait(20)
            late = client.post("/v1/recall", content=body, headers=JSON)
            others = pool.submit(other.post, "/v1/recall", content=body, headers=JSON)
        finally:
            go_on.set()
        problem_of(late, 429, "too_many_requests")
        assert (first.result().status_code, others.result().status_code) == (200, 200)
    assert client.post("/v1/recall", content=body, headers=JSON).status_code == 200


def test_the_key_that_has_the_most_in_memory_is_refused(
    address: str, connect: Connects, palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "MOST_HELD", 100_000)
    client, other = connect(palace), connect(palace)
    key = client.headers["authorization"]
    lines = (f"Authorization: {key}", "Content-Length: 99000", "", " " * 98_000)
    with opened(address, "POST /v1/recall HTTP/1.1", *lines):
        time.sleep(0.5)
        body = b'{"query": "bees"' + b" " * 20_000 + b"}"
        problem_of(client.post("/v1/recall", content=body, headers=JSON), 503, "busy")
        assert other.post("/v1/recall", content=body, headers=JSON).status_code == 200


def test_requests_with_wrong_keys_keep_no_right_key_waiting(
    address: str, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/v1/jobs").status_code == 200
    go_on, check = threading.Event(), Palaces.check_key

    def slow(palaces: Palaces, secret: str) -> KeyGrant | None:
        assert secret not in WRONG or go_on.wait(30)
        return check(palaces, secret)

    monkeypatch.setattr(Palaces, "check_key", slow)
    lines = (f"Authorization: {WRONG}", "", "")
    wrong = [opened(address, "GET /v1/jobs HTTP/1.1", *lines) for _ in range(THREADS + 10)]
    time.sleep(0.5)
    try:
        assert client.get("/v1/jobs", timeout=10).status_code == 200
    finally:
        go_on.set()
    for each in wrong:
        assert each.recv(4096).startswith(b"HTTP/1.1 401")
        each.close()


def test_a_key_is_looked_up_once_for_a_request(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up = list[str]()
    check_key = Palaces.check_key

    def counting(palaces: Palaces, key: str) -> KeyGrant | None:
        looked_up.append(key)
        return check_key(palaces, key)

    monkeypatch.setattr(Palaces, "check_key", counting)
    assert client.get("/v1/drawers").status_code == 200
    assert len(looked_up) == 1


def test_the_figures_are_for_an_administrator_of_a_whole_palace(connect: Connects, palace: Palace) -> None:
    palace.note("Bees hum.", wing="Bees")
    assert connect(palace, "admin").get("/metrics").status_code == 200
    for of in ({"wings": ["Bees"]}, {"users": ["anna"]}, {"user_prefix": "shop-"}):
        problem_of(connect(palace, "admin", **of).get("/metrics"), 403, "forbidden")


def test_head_is_answered_where_health_is(address: str) -> None:
    for path in ("/healthz", "/readyz"):
        answer = httpx.head(f"{address}{path}")
        assert (answer.status_code, answer.content) == (200, b"")


def test_a_connection_that_is_kept_open_is_answered_without_delay(address: str) -> None:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
    seconds = list[float]()
    for _ in range(20):
        begun = time.perf_counter()
        connection.request("GET", "/healthz")
        connection.getresponse().read()
        seconds.append(time.perf_counter() - begun)
    connection.close()
    assert median(seconds) < 0.03


def test_what_a_recall_needs_is_loaded_ahead_of_the_first_request(settings: Settings) -> None:
    embedded = list[str]()

    def note(text: str) -> bool:
        embedded.append(text)
        return False

    user = f"user-{uuid.uuid4()}"
    with Palaces.open(settings.model_copy(update={"user": user}), embedder=HashingEmbedder(fail_on=note)) as palaces:
        Service(palaces, keyless_user=None, rate=1).warm()
        assert embedded == []  # there is no such user, which the first request says
        palaces.palace(user).note("The spare key is under the blue pot.")
        embedded.clear()
        Service(palaces, keyless_user=None, rate=1).warm()
        assert embedded


def test_a_body_of_brackets_is_refused(client: httpx.Client) -> None:
    body = b'{"messages": [{"role": "user", "content": "x", "of": [' + b"[]," * MOST_BRACKETS + b"0]}]}"
    headers = {"Content-Type": "application/json"}
    assert "brackets" in problem_of(client.post("/v1/conversations", content=body, headers=headers), 413)


@pytest.mark.nightly
def test_a_body_of_8_mib_does_not_hold_others_up(client: httpx.Client, address: str) -> None:
    body = json.dumps({"messages": [{"role": "user", "content": "word " * 76}] * 19_500, "nonsense": 1}).encode()
    assert 7 << 20 < len(body) < 8 << 20
    sending = threading.Thread(
        target=client.post,
        args=("/v1/conversations",),
        kwargs={"content": body, "headers": {"Content-Type": "application/json"}},
    )
    delays = list[float]()
    with httpx.Client(base_url=address) as other:
        other.get("/healthz")
        sending.start()
        while sending.is_alive():
            begun = time.perf_counter()
            other.get("/healthz")
            delays.append(time.perf_counter() - begun)
    assert max(delays) < 0.5  # generous: other work on the machine delays it too
