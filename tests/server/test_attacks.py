"""What the server refuses: guessed keys, scopes climbed, others' palaces, tricks with requests."""

from __future__ import annotations

import contextlib
import socket
import time
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from palace import NotFound, Palace, Palaces
from palace_server import guard
from palace_server.app import MOST_UNDER_WAY, THREADS
from palace_server.caller import NO_KEY
from tests.server.conftest import Connects, problem_of, served

SECRET = "The zirconium vault opens with code 4711."
POINTER = "/v1/drawers/W-001/R-01/D-001"

ROUTES: tuple[tuple[str, str, Any, str], ...] = (
    ("GET", "/v1/drawers", None, "read"),
    ("POST", "/v1/drawers", {"content": "Bees."}, "write"),
    ("POST", "/v1/drawers/restore", {"pointers": ["W-001/R-01/D-001"]}, "forget"),
    ("GET", POINTER, None, "read"),
    ("DELETE", POINTER, None, "forget"),
    ("POST", "/v1/conversations", {"messages": [{"role": "user", "content": "Bees."}]}, "write"),
    ("POST", "/v1/recall", {"query": "zirconium vault code", "floor": "none"}, "read"),
    ("POST", "/v1/work", {"error": "zirconium vault code"}, "read"),
    ("POST", "/v1/memory", {"content": "Bees."}, "write"),
    ("POST", "/v1/memory/retrieve", {"query": "zirconium vault code", "threshold": 0}, "read"),
    ("GET", "/v1/memory", None, "read"),
    ("GET", "/v1/memory/vault", None, "read"),
    ("PUT", "/v1/memory/vault", {"content": "Bees."}, "write"),
    ("DELETE", "/v1/memory/vault", None, "forget"),
    ("DELETE", "/v1/memory?project_id=Notes", None, "forget"),
    ("POST", "/v1/turns", {"message": "What is my zirconium vault code?"}, "read"),
    ("GET", "/v1/entities", None, "read"),
    ("GET", "/v1/entities/vault", None, "read"),
    ("GET", "/v1/relations", None, "read"),
    ("GET", "/v1/jobs", None, "read write admin"),
    ("GET", "/v1/jobs/1", None, "read write admin"),
    ("GET", "/v1/jobs/1/events", None, "read write admin"),
    ("POST", "/v1/jobs/1/retry", None, "admin"),
    ("DELETE", "/v1/jobs/1", None, "admin"),
    ("GET", "/v1/export", None, "admin"),
    ("GET", "/metrics", None, "admin"),
)
"""Each route that needs a key, a request to it, and the scopes of which one is needed."""
FILING = ("/v1/drawers", "/v1/memory", "/v1/conversations")
OPEN = {"/healthz", "/readyz"}


@pytest.fixture(scope="module")
def victim(palaces: Palaces) -> Palace:
    """Somebody with a secret, which nobody else may ever be told."""
    palace = palaces.palace(f"victim-{uuid.uuid4()}")
    palace.note(SECRET)
    return palace


def sent(client: httpx.Client, method: str, path: str, body: Any, **of: Any) -> httpx.Response:
    """Send a request of the table."""
    return client.request(method, path, json=body, **of)


def test_the_table_has_every_route(address: str) -> None:
    told = httpx.get(f"{address}/openapi.json").json()["paths"]
    described = {(method.upper(), path.count("/")) for path, of in told.items() if path not in OPEN for method in of}
    assert {(method, path.count("/")) for method, path, _, _ in ROUTES} == described
    assert len(ROUTES) == sum(len(of) for path, of in told.items() if path not in OPEN)


def test_wrong_keys_get_one_answer_everywhere(address: str, palace: Palace) -> None:
    valid, gone = palace.keys.create("valid").secret, palace.keys.create("gone")
    palace.keys.revoke(gone.key.id)
    head = valid.rpartition("_")[0]
    wrong = (
        *("", "Bearer", f"Basic {valid}", valid, f"Bearer {valid}0", f"Bearer {head}_{'0' * 64}"),
        *(f"Bearer {gone.secret}", "Bearer pal_1x1_x", f"Bearer {'x' * 5000}", "Bearer pal_0x0_" + "0" * 64),
    )
    answers = set()
    with httpx.Client(base_url=address, timeout=60) as client:
        for authorization in wrong:
            for method, path, body, _ in ROUTES if authorization.startswith(f"Bearer {gone}") else ROUTES[:6]:
                headers = {"Authorization": authorization} if authorization else {}
                answer = sent(client, method, path, body, headers=headers)
                answers.add((problem_of(answer, 401, "unauthorized"), answer.headers["www-authenticate"]))
        for method, path, body, _ in ROUTES:
            answers.add((problem_of(sent(client, method, path, body), 401), "Bearer"))
    assert answers == {(NO_KEY, "Bearer")}


def test_a_key_does_what_its_scopes_allow_and_nothing_else(connect: Connects, palace: Palace) -> None:
    palace.note("Bees hum.")
    for scope in ("read", "write", "forget", "admin"):
        client = connect(palace, scope)
        for method, path, body, needed in ROUTES:
            answer = sent(client, method, path, body)
            if scope in needed.split():
                assert answer.status_code not in (401, 403), (scope, path, answer.text)
            else:
                assert "scope" in problem_of(answer, 403, "forbidden"), (scope, path)
    assert palace.keys.list()[-1].scopes == ("admin",)


def test_nobody_reaches_another_users_palace(connect: Connects, palace: Palace, victim: Palace) -> None:
    client = connect(palace)
    before = victim.tree.all_drawers(), victim.keys.audit()
    for method, path, body, _ in ROUTES[:-1]:
        for named in (victim.user, victim.user.upper(), "nobody", str(victim._opened.database.user_id)):
            told = problem_of(sent(client, method, path, body, params={"user_id": named}), 403, "forbidden")
            assert told == "this key is not for that user"
        answer = sent(client, method, path, body)
        assert "zirconium" not in answer.text.replace("zirconium vault code", "")
        assert "4711" not in answer.text
    assert (victim.tree.all_drawers(), victim.keys.audit()) == before
    own = client.get("/v1/drawers", params={"user_id": palace.user})
    assert own.status_code == 200


def test_a_gateways_key_names_one_of_its_users(connect: Connects, palaces: Palaces, victim: Palace) -> None:
    owner, other = palaces.palace(f"gateway-{uuid.uuid4()}"), f"listed-{uuid.uuid4()}"
    owner.note("The gateway's own note.")
    prefix = f"shop-{uuid.uuid4().hex}-"
    listed = connect(owner, users=[other])
    prefixed = connect(owner, user_prefix=prefix)
    reading = connect(owner, "read", user_prefix=prefix)
    for client in (listed, prefixed):
        assert "user_id" in problem_of(client.get("/v1/drawers"), 400)
        for named in (owner.user, victim.user, prefix[:-1], f"x{prefix}1", other[:-1]):
            problem_of(client.get("/v1/drawers", params={"user_id": named}), 403)
    problem_of(reading.get("/v1/drawers", params={"user_id": f"{prefix}1"}), 404, "not_found")
    for client, user in ((listed, other), (prefixed, f"{prefix}1"), (prefixed, f"{prefix}2")):
        made = client.post("/v1/drawers", json={"content": f"Of {user}."}, params={"user_id": user})
        assert made.status_code == 201, made.text
        found = client.get("/v1/drawers", params={"user_id": user}).json()["items"]
        assert [each["content"] for each in found] == [f"Of {user}."]
    assert reading.get("/v1/drawers", params={"user_id": f"{prefix}1"}).status_code == 200
    (entry,) = [each for each in palaces.palace(other).keys.audit() if each.action == "drawers.file"]
    assert entry.key == owner.keys.list()[0].id


def test_a_key_for_some_wings_sees_and_changes_nothing_elsewhere(connect: Connects, palace: Palace) -> None:
    theirs = palace.note("The shed is locked with the bee key.", wing="Bees").pointer
    other = palace.note(SECRET, wing="Vault").pointer
    client = connect(palace, wings=["Bees"])
    elsewhere = f"/v1/drawers/{other}".replace("§ ", "")
    assert [each["wing"] for each in client.get("/v1/drawers").json()["items"]] == ["Bees"]
    for params in ({"wing": "Vault"}, {"wing": "Nowhere"}, {"room": str(other.of_room)}, {"room": "W-999/R-01"}):
        told = problem_of(client.get("/v1/drawers", params=params), 404)
        assert told == "there is nothing of that name where this key may look"
    for method in ("GET", "DELETE"):
        told = problem_of(client.request(method, elsewhere), 404)
        assert told == problem_of(client.request(method, "/v1/drawers/W-999/R-01/D-001"), 404)
    found = client.post("/v1/recall", json={"query": "zirconium vault code key", "floor": "none"}).json()
    assert {hit["drawer"]["wing"] for hit in found["hits"]} == {"Bees"}
    problem_of(client.post("/v1/recall", json={"query": "x", "wings": ["Vault"]}), 404)
    assert "4711" not in client.post("/v1/turns", json={"message": "What is my vault code?"}).text
    for method, path, body, _ in ROUTES:
        if path.startswith(("/v1/entities", "/v1/relations", "/v1/jobs", "/v1/export")):
            assert "some wings" in problem_of(sent(client, method, path, body), 403)
    problem_of(client.post("/v1/drawers", json={"content": "Mine.", "wing": "Vault"}), 404)
    problem_of(client.post("/v1/drawers", json={"content": "Mine.", "id": "x"}), 403)
    problem_of(client.post("/v1/drawers/restore", json={"pointers": [str(other)]}), 403)
    problem_of(client.delete(f"/v1/drawers/{theirs}".replace("§ ", ""), params={"conversation": True}), 403)
    assert client.post("/v1/drawers", json={"content": "Bees hum."}).json()["pointer"].startswith("W-001/")
    # A conversation that stands elsewhere is not continued, by its id or by its content.
    said = [{"role": "user", "content": "A long story of the vault."}, {"role": "assistant", "content": "Go on."}]
    palace.file(said, id="story", wing="Vault")
    problem_of(client.post("/v1/conversations", json={"messages": said}), 403)
    filed = client.post("/v1/conversations", json={"messages": said, "id": "story"}).json()
    assert (filed["new"], {each[0][:5] for each in filed["pointers"]}) == (2, {"W-001"})
    # Of a wing that is gone nothing is left to see.
    palace.forget("Bees", now=True)
    assert client.get("/v1/drawers").json()["items"] == []
    problem_of(client.post("/v1/drawers", json={"content": "Mine."}), 404)


def test_a_key_for_some_wings_sees_the_same_of_a_drawer_wherever_it_is_answered(
    connect: Connects, palace: Palace
) -> None:
    for said, wing in (("I live in Ghent.", "Bees"), ("I moved to Lisbon.", "Vault"), ("I like tea.", "Bees")):
        palace.note(said, wing=wing)
    whole, client = connect(palace), connect(palace, wings=["Bees"])
    assert any(each["superseded_by"] for each in whole.get("/v1/drawers").json()["items"])
    listed = client.get("/v1/drawers").json()["items"]
    assert len(listed) == 2
    for each in listed:
        shown = client.get(f"/v1/drawers/{each['pointer']}").json()["drawer"]
        assert {**each, "tags": []} == {**shown, "tags": []}
        assert (each["until"], each["superseded_by"]) == (None, None)


def test_only_what_is_filed_creates_a_user(connect: Connects, palaces: Palaces, palace: Palace) -> None:
    prefix = f"shop-{uuid.uuid4().hex}-"
    client = connect(palace, user_prefix=prefix)
    for number, (method, path, body, _) in enumerate(ROUTES):
        if (method, path) in (*(("POST", filed) for filed in FILING), ("GET", "/metrics")):
            continue
        user = {"user_id": f"{prefix}{number}"}
        assert problem_of(sent(client, method, path, body, params=user), 404) == "there is no such user"
    talk = {"messages": [{"role": "user", "content": "Bees."}]}
    for path, wrong in (
        ("/v1/drawers", {"content": "Bees.", "nonsense": 1}),
        ("/v1/drawers", {"content": " "}),
        ("/v1/drawers", {"content": "Bees.", "wing": "W-099"}),
        ("/v1/memory", {"content": "Bees.", "project_id": "W-099"}),
        ("/v1/conversations", {**talk, "id": " "}),
        ("/v1/conversations", {"messages": []}),
    ):
        assert client.post(path, json=wrong, params={"user_id": f"{prefix}x"}).status_code in (400, 404, 422)
        with pytest.raises(NotFound):
            palaces.palace(f"{prefix}x", make_user=False)
    assert client.post("/v1/conversations", json=talk, params={"user_id": f"{prefix}x"}).status_code == 201
    palaces.palace(f"{prefix}x", make_user=False)


def test_messages_that_no_request_can_hold_are_refused(client: httpx.Client) -> None:
    deep = b"[" * 300 + b"]" * 300
    for odd in (b'"\\ud800"', b'"x","n":' + deep, b'"x","\\udfff":1'):
        message = b'{"role":"user","content":' + odd + b"}"
        for path, body in (
            ("/v1/turns", b'{"message":"What about the vault?","history":[' + message + b"]}"),
            ("/v1/turns", b'{"message":"Hi \\ud800"}'),
        ):
            answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
            problem_of(answer, 422, "invalid")


def test_only_the_names_of_this_server_are_answered_and_no_page_of_another_place(
    address: str, connect: Connects, palace: Palace
) -> None:
    client, port = connect(palace), urlsplit(address).port
    for host in ("evil.example", "127.0.0.1", f"127.0.0.1.evil.example:{port}", f"evil.example:{port}", "palace"):
        problem_of(client.get("/v1/drawers", headers={"Host": host}), 421)
    for origin in ("http://evil.example", "null", "https://127.0.0.1", f"http://evil.example:{port}"):
        problem_of(client.get("/v1/drawers", headers={"Origin": origin}), 403)
    assert client.get("/v1/drawers", headers={"Host": f"localhost:{port}"}).status_code == 200
    assert client.get("/v1/drawers", headers={"Origin": f"http://localhost:{port}"}).status_code == 200
    assert "access-control-allow-origin" not in client.get("/v1/drawers").headers


PATHS = (
    *("/v1/drawers/../../etc/passwd", "/v1/drawers/W-001/R-01/D-001/", "/v1//drawers", "/v1/drawers/%2e%2e/export"),
    *(
        "/v1/drawers/W-001/R-01/D-001%00",
        "/v1/drawers/w-001/r-01/d-001",
        "/v1/drawers/W-٠٠١/R-01/D-001",
        "/%ff",
        "/v1//",
    ),
    *("/v1/drawers/W-001/R-01/D-9999999999", "/v1/jobs/-1", "/v1/jobs/99999999999999999999", "/v1/jobs/1e3", "/docs"),
    *("/v1/entities/%00", "/v1/entities/%ed%a0%80", "/v1/entities/..%2f..", f"/v1/entities/{'x' * 2000}", "/redoc"),
)


def test_odd_paths_methods_and_bodies_are_refused_in_a_line(client: httpx.Client) -> None:
    for path in PATHS:
        answer = client.get(path)
        assert 400 <= answer.status_code < 500, (path, answer.status_code)
        problem_of(answer, answer.status_code)
    for method in ("PUT", "PATCH", "OPTIONS", "TRACE", "BREW"):
        problem_of(client.request(method, "/v1/drawers"), 405, "method_not_allowed")
    bodies: tuple[Any, ...] = (
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"query": 7}',
        b'{"query": "x", "nonsense": 1}',
        b"\xff\xfe",
    )
    deep = b'{"query": ' + b"[" * 50_000 + b"]" * 50_000 + b"}"
    lone = b'{"query": "\\ud800"}'
    for body in (*bodies, deep, lone, b'{"query": " "}'):
        answer = client.post("/v1/recall", content=body, headers={"Content-Type": "application/json"})
        assert 400 <= answer.status_code < 500, (body[:40], answer.status_code)
        problem_of(answer, answer.status_code)
    problem_of(client.post("/v1/recall", content=b'{"query": "x"}', headers={"Content-Type": "text/plain"}), 415)
    problem_of(client.post("/v1/recall", content=b"{", headers={"Content-Type": "application/json"}), 400)
    unknown = client.post("/v1/recall", json={"query": "x", "nonsense": 1})
    assert problem_of(unknown, 422) == "/nonsense: unknown member"
    assert client.get("/v1/drawers", params={"limit": 0}).json()["errors"][0]["parameter"] == "limit"
    faults = client.post("/v1/recall", json={"query": "x", "top_k": 0, "context": 99}).json()["errors"]
    assert {fault["pointer"] for fault in faults} == {"/top_k", "/context"}
    for header in ("Idempotency-Key", "Prefer"):
        told = client.post("/v1/conversations", json={"messages": []}, headers={header: "x" * 300})
        problem_of(told, 422, "invalid")
    for date in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00", "yesterday"):
        answer = client.post("/v1/drawers", json={"content": "Then.", "said_at": date})
        assert 400 <= answer.status_code < 500


def test_errors_name_no_commands_of_the_terminal(client: httpx.Client) -> None:
    for path in (POINTER, "/v1/jobs/77", "/v1/entities/nobody", "/v1/drawers?wing=Nowhere", "/v1/drawers?room=W-1/R-1"):
        told = problem_of(client.get(path), 404, "not_found")
        assert "palace " not in told
        assert told.startswith(("there is no", "nobody and nothing"))
    forgotten = {"content": "Bees.", "said_at": "2026-04-30T18:20:00Z"}
    client.delete(client.post("/v1/drawers", json=forgotten).json()["location"])
    told = problem_of(client.post("/v1/drawers", json=forgotten), 400)
    assert told == "this note was filed and forgotten: note it with another id or another moment"


def test_a_large_or_slow_body_is_refused_and_others_are_answered_meanwhile(
    address: str, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem_of(client.post("/v1/recall", content=b"x" * (10 << 20)), 413, "too_large")

    def pieces() -> Iterator[bytes]:
        for _ in range(160):
            yield b"x" * (1 << 16)

    with contextlib.suppress(httpx.WriteError, httpx.ReadError):
        problem_of(client.post("/v1/recall", content=pieces()), 413)
    monkeypatch.setattr(guard, "BODY_SECONDS", 1.0)
    where = urlsplit(address)
    head = f"Host: {where.netloc}\r\nAuthorization: {client.headers['authorization']}\r\n"
    slow = list[socket.socket]()
    for number in range(1, MOST_UNDER_WAY + 21):
        each = socket.create_connection((str(where.hostname), int(where.port or 0)), timeout=30)
        each.sendall(f"POST /v1/recall HTTP/1.1\r\n{head}Content-Length: 100\r\n\r\n{{".encode())
        slow.append(each)
        if number % 30 == 0:
            assert client.get("/v1/drawers").status_code == 200
    assert {each.recv(4096)[:12] for each in slow} == {b"HTTP/1.1 408"}
    for each in slow:
        each.close()


def test_an_answer_that_nobody_reads_holds_no_thread(address: str, client: httpx.Client, palace: Palace) -> None:
    for number in range(40):
        palace.note(f"{number} " + "A long note about nothing at all. " * 300, background=True)
    where = urlsplit(address)
    head = f"Host: {where.netloc}\r\nAuthorization: {client.headers['authorization']}\r\n\r\n"
    unread = list[socket.socket]()
    for _ in range(THREADS + 10):
        each = socket.socket()
        each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        each.connect((str(where.hostname), int(where.port or 0)))
        each.sendall(f"GET /v1/drawers?limit=200 HTTP/1.1\r\n{head}".encode())
        unread.append(each)
    time.sleep(2)
    begun = time.monotonic()
    assert client.get("/v1/relations").status_code == 200
    assert time.monotonic() - begun < 10
    for each in unread:
        each.close()


def test_too_many_requests_are_told_to_come_back(palaces: Palaces, palace: Palace) -> None:
    with served(palaces, rate=0.1) as (address, app):
        secret, other, third = (palace.keys.create(name).secret for name in ("one", "other", "third"))
        url = f"{address}/v1/drawers"
        answers = [httpx.get(url, headers={"Authorization": f"Bearer {secret}"}) for _ in range(3)]
        late = [answer for answer in answers if answer.status_code != 200]
        assert len(late) == 2
        problem_of(late[0], 429, "too_many_requests")
        assert late[0].headers["retry-after"] == "1"
        assert httpx.get(url, headers={"Authorization": f"Bearer {other}"}).status_code == 200
        app.state.guard.under_way += MOST_UNDER_WAY
        busy = httpx.get(url, headers={"Authorization": f"Bearer {third}"})
        app.state.guard.under_way -= MOST_UNDER_WAY
        problem_of(busy, 503, "busy")
        assert busy.headers["retry-after"] == "1"


def test_a_palace_that_cannot_answer_is_a_503_without_its_address(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from palace.errors import DatabaseUnavailable

    def gone(*_: Any, **__: Any) -> None:
        raise DatabaseUnavailable("postgresql://secret@db.example does not answer")

    monkeypatch.setattr("palace.operations.tree.TreeVerbs.all_drawers", gone)
    answer = client.get("/v1/drawers")
    assert "db.example" not in problem_of(answer, 503, "database_unavailable")
    assert answer.headers["retry-after"] == "1"

    def broken(*_: Any, **__: Any) -> None:
        raise ValueError(SECRET)

    monkeypatch.setattr("palace.operations.tree.TreeVerbs.all_drawers", broken)
    assert "zirconium" not in problem_of(client.get("/v1/drawers"), 500, "failed")
