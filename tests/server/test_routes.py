"""What each route of the server does."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from pydantic import SecretStr

from palace import Palace, Palaces, Settings
from palace.operations import answers
from palace_server import running as renewing
from palace_server.routes import jobs
from tests.held import execute, rows
from tests.queue.conftest import work
from tests.server.conftest import Connects, problem_of, served
from tests.work.sessions import Session

KEY = "The spare key is under the blue pot."


def messages(*texts: str) -> list[dict[str, str]]:
    """Write a conversation as chat APIs have it."""
    return [{"role": ("user", "assistant")[number % 2], "content": text} for number, text in enumerate(texts)]


def test_a_note_is_filed_recalled_forgotten_and_taken_back(client: httpx.Client) -> None:
    filed = client.post("/v1/drawers", json={"content": KEY, "wing": "House"})
    assert filed.status_code == 201
    pointer = filed.json()["pointer"]
    assert filed.headers["location"] == f"/v1/drawers/{pointer}"
    shown = client.get(filed.headers["location"]).json()["drawer"]
    assert (shown["pointer"], shown["content"], shown["wing"]) == (pointer, KEY, "House")
    found = client.post("/v1/recall", json={"query": "where is the spare key?"}).json()
    assert [hit["drawer"]["content"] for hit in found["hits"]] == [KEY]
    assert found["hits"][0]["why"]
    assert found["block"] is None
    counted = client.delete(filed.headers["location"], params={"dry_run": True}).json()
    assert (counted["drawers"], counted["dry_run"]) == (1, True)
    gone = client.delete(filed.headers["location"]).json()
    assert (gone["drawers"], gone["pointers"]) == (1, [pointer])
    assert gone["restorable_until"]
    problem_of(client.get(filed.headers["location"]), 404, "not_found")
    back = client.post("/v1/drawers/restore", json={"pointers": gone["pointers"]}).json()
    assert (back["drawers"], back["pointers"]) == (1, [pointer])
    assert client.get(filed.headers["location"]).json()["drawer"]["content"] == KEY


def test_a_hit_and_a_drawer_say_which_is_a_memory(client: httpx.Client) -> None:
    evidence = [
        client.post("/v1/drawers", json={"content": text}).json()["pointer"] for text in (KEY, "Pots are blue.")
    ]
    body = {"content": "The key is under the blue pot", "type": "semantic", "evidence": evidence}
    stored = client.post("/v1/memory", json=body).json()["id"]
    expected = {"type": "semantic", "state": "accepted", "origin": "person", "evidence": evidence}
    assert client.get(f"/v1/drawers/{stored}").json()["memory"] == expected
    assert client.get(f"/v1/drawers/{evidence[0]}").json()["memory"] is None
    hits = client.post("/v1/recall", json={"query": "where is the key?", "floor": "none"}).json()["hits"]
    assert [each["memory"] for each in hits if each["drawer"]["pointer"] == stored] == [expected]


def test_recall_gives_hits_or_a_block_and_nothing_where_nothing_is_relevant(client: httpx.Client) -> None:
    client.post("/v1/drawers", json={"content": KEY})
    for form, hits, block in (("hits", 1, False), ("block", 0, True), ("both", 1, True)):
        found = client.post("/v1/recall", json={"query": "spare key", "format": form}).json()
        assert (len(found["hits"]), bool(found["block"])) == (hits, block), form
    assert "memory_context" in found["block"]
    nothing = client.post("/v1/recall", json={"query": "quantum chromodynamics", "format": "both"}).json()
    assert (nothing["hits"], nothing["block"]) == ([], "")
    assert client.post("/v1/recall", json={"query": "spare key", "since": "2999-01-01T00:00:00Z"}).json()["hits"] == []


def test_work_is_found_by_file_and_error(client: httpx.Client, palace: Palace, tmp_path: Path) -> None:
    session = Session("s-1").asks("Never log passwords in src/auth.py.").runs("make check", "KeyError: 'salt'", 2)
    palace.mine(session.edits("src/auth.py").runs("make check", "3 passed").write(tmp_path), wing="api")
    found = client.post("/v1/work", json={"file": "/home/mara/code/api/src/auth.py"}).json()
    assert [(each["kind"], each["role"]) for each in found["items"]] == [("decision", "user"), ("edit", "tool")]
    (failure, fix) = client.post("/v1/work", json={"error": "KeyError: 'salt'", "wings": ["api"]}).json()["items"]
    assert (failure["exit_status"], fix["files"]) == (2, ["/home/mara/code/api/src/auth.py"])
    problem_of(client.post("/v1/work", json={}), 400)


def test_a_conversation_grows_and_its_messages_are_cited(client: httpx.Client, palace: Palace) -> None:
    talk: dict[str, Any] = {
        "id": "talk-1",
        "title": "Boats",
        "wing": "Efoil",
        "messages": messages("I own an efoil.", "Nice."),
    }
    first = client.post("/v1/conversations", json=talk)
    assert first.status_code == 201
    assert (first.json()["new"], first.json()["job"]) == (2, None)
    talk["messages"] = messages("I own an efoil.", "Nice.", "Its battery is new.")
    again = client.post("/v1/conversations", json=talk).json()
    assert (again["new"], again["unchanged"], len(again["pointers"])) == (1, 2, 3)
    shown = client.get(f"/v1/drawers/{again['pointers'][2][0]}", params={"context": 2}).json()
    assert [each["content"] for each in shown["before"]] == ["I own an efoil.", "Nice."]
    assert [wing.name for wing in palace.tree.wings()] == ["Efoil"]
    odd = client.post("/v1/conversations", json={"messages": [{"role": "user", "content": "x"}, {"role": 7}]}).json()
    assert (odd["unreadable"], odd["pointers"][1]) == (1, [])


@pytest.mark.parametrize("has_ids", [True, False])
def test_new_messages_sent_alone_are_added_to_their_conversation(
    has_ids: bool, client: httpx.Client, palace: Palace
) -> None:
    said = messages("I own an efoil.", "Nice.", "Its battery is new.", "Which one?", "One of 48 volts.")
    if has_ids:
        said = [{**each, "id": f"m-{number}"} for number, each in enumerate(said)]
    for part in (said[:2], said[2:3], said[3:]):
        client.post("/v1/conversations", json={"id": "talk-1", "wing": "Efoil", "messages": part})
    drawers = palace.tree.all_drawers(limit=50)
    assert [each.content for each in drawers if each.replaced_at is None] == [each["content"] for each in said]
    assert len({each.pointer.room for each in drawers}) == 1


def test_a_message_sent_alone_under_a_known_id_replaces_only_that_message(client: httpx.Client, palace: Palace) -> None:
    said = messages("I own an efoil.", "Nice.", "Its battery is new.")
    numbered = [{**each, "id": f"m-{number}"} for number, each in enumerate(said)]
    edited = {**numbered[1], "content": "How nice."}
    for part in (numbered, [edited]):
        client.post("/v1/conversations", json={"id": "talk-1", "wing": "Efoil", "messages": part})
    drawers = palace.tree.all_drawers(limit=50)
    assert [each.content for each in drawers if each.replaced_at] == ["Nice."]
    assert len(drawers) == 4


def test_a_message_with_a_time_that_cannot_be_is_refused(client: httpx.Client, palace: Palace) -> None:
    for name, value in (("created_at", "yesterday"), ("timestamp", True), ("created_at", "2999-01-01"), ("ts", 0)):
        said: list[dict[str, Any]] = [*messages("Bees hum."), {"role": "user", "content": "Bees dance.", name: value}]
        answer = client.post("/v1/conversations", json={"id": "bees", "messages": said})
        problem_of(answer, 422, "invalid")
        assert [each["pointer"] for each in answer.json()["errors"]] == [f"/messages/1/{name}"], answer.text
    assert palace.status().drawers == 0
    said[1][name] = "2026-04-30T18:20:00Z"
    filed = client.post("/v1/conversations", json={"id": "bees", "messages": said}).json()
    assert client.get(f"/v1/drawers/{filed['pointers'][1][0]}").json()["drawer"]["said_at"]


@pytest.mark.usefixtures("no_jobs")
def test_a_large_conversation_is_indexed_by_a_job_whose_progress_can_be_followed(
    client: httpx.Client, palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palace.worker.starting.ensure_worker", lambda _: None)
    many = messages(*(f"Message number {number} about the harbour." for number in range(120)))
    filed = client.post("/v1/conversations", json={"id": "long", "messages": many})
    assert filed.status_code == 202
    job = filed.json()["job"]
    assert filed.headers["location"] == f"/v1/jobs/{job}"
    assert client.post("/v1/recall", json={"query": "number 77 harbour", "floor": "none"}).json()["hits"]
    assert client.get(f"/v1/jobs/{job}").json()["state"] == "waiting"
    assert [each["id"] for each in client.get("/v1/jobs").json()["items"]] == [job]
    with client.stream("GET", f"/v1/jobs/{job}/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        lines = events.iter_lines()
        assert next(lines) == "event: job"
        assert json.loads(next(lines).removeprefix("data: "))["state"] == "waiting"
        assert client.delete(f"/v1/jobs/{job}").json()["id"] == job
        assert list(lines)[-3:] == ["event: done", 'data: {"state":"cancelled"}', ""]
    problem_of(client.get(f"/v1/jobs/{job}"), 404)
    short = {"id": "short", "messages": messages("Bees hum.")}
    assert client.post("/v1/conversations", json=short, headers={"Prefer": "respond-async"}).status_code == 202
    ended = client.post(f"/v1/jobs/{palace.jobs.list()[0].id}/retry")
    assert ended.json()["state"] == "waiting"


@pytest.mark.usefixtures("no_jobs")
def test_a_key_follows_few_jobs_and_none_when_it_is_revoked(
    client: httpx.Client, palace: Palace, connect: Connects, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palace.worker.starting.ensure_worker", lambda _: None)
    monkeypatch.setattr(jobs, "KEY_SECONDS", 0.2)
    talk = {"id": "short", "messages": messages("Bees hum.")}
    path = client.post("/v1/conversations", json=talk, headers={"Prefer": "respond-async"}).json()["location"]
    other = connect(palace)
    with ExitStack() as streams:
        lines = list[Iterator[str]]()
        for _ in range(jobs.MOST_OF_KEY):
            events = streams.enter_context(client.stream("GET", f"{path}/events"))
            lines.append(events.iter_lines())
            assert next(lines[-1]) == "event: job"
        refused = streams.enter_context(client.stream("GET", f"{path}/events"))
        assert refused.status_code == 429
        followed = streams.enter_context(other.stream("GET", f"{path}/events"))
        assert followed.status_code == 200
        palace.keys.revoke(palace.keys.list()[0].id)
        assert list(lines[0])[-3:-1] == ["event: error", "data: unauthorized"]


def test_a_followed_job_says_how_it_ended(
    client: httpx.Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palace.worker.starting.ensure_worker", lambda _: None)
    filed = client.post(
        "/v1/conversations", json={"messages": messages("Bees hum.")}, headers={"Prefer": "respond-async"}
    ).json()
    set_state = "UPDATE palace_queue.procrastinate_jobs SET status = %s"
    url = settings.database_owner_url
    assert isinstance(url, SecretStr)
    with psycopg.connect(url.get_secret_value(), autocommit=True) as connection:
        connection.execute(set_state, ["failed"])
        failed = client.get(f"{filed['location']}/events").text
        connection.execute(set_state, ["todo"])
    assert failed.endswith('event: done\ndata: {"state":"failed"}\n\n')
    with client.stream("GET", f"{filed['location']}/events") as events:
        lines = events.iter_lines()
        assert next(lines) == "event: job"
        work(settings)
        assert list(lines)[-3:] == ["event: done", 'data: {"state":"done"}', ""]
    assert problem_of(client.get(filed["location"]), 404) == f"there is no job {filed['job']}: done jobs are gone"


def test_what_is_unreadable_says_why(client: httpx.Client, palace: Palace) -> None:
    odd = [{"role": "robot", "content": "Beep."}, {"role": "user"}]
    once = {"Idempotency-Key": "odd"}
    talk = {"messages": [*odd, *messages("Bees hum.")]}
    told = client.post("/v1/conversations", json=talk, headers=once).json()
    reason = "message 1: the message has an unknown role ('robot')"
    assert told["failures"][0] == reason
    assert len(told["failures"]) == told["unreadable"]
    repeated = client.post("/v1/conversations", json=talk, headers=once).json()
    assert repeated == {key: value for key, value in told.items() if key != "failures"}
    nothing = problem_of(client.post("/v1/conversations", json={"messages": odd[:1]}), 422)
    assert nothing == f"nothing could be filed: {reason}"
    assert palace.status().drawers == 1


def test_lists_come_in_pages_that_miss_and_repeat_nothing(client: httpx.Client) -> None:
    for number in range(7):
        client.post("/v1/drawers", json={"content": f"Note {number}.", "wing": f"Wing {number % 2}"})

    def pages(path: str, **of: Any) -> list[dict[str, Any]]:
        found, cursor = list[dict[str, Any]](), ""
        while cursor is not None:
            page = client.get(path, params={"limit": 2, **of, **({"cursor": cursor} if cursor else {})}).json()
            assert len(page["items"]) <= 2
            found, cursor = [*found, *page["items"]], page["next_cursor"]
            client.post("/v1/drawers", json={"content": f"Meanwhile {len(found)}.", "wing": "Elsewhere"})
        return found

    every = [each["content"] for each in pages("/v1/drawers", wing="Wing 0")]
    assert every == ["Note 0.", "Note 2.", "Note 4.", "Note 6."]
    everything = client.get("/v1/drawers", params={"limit": 200}).json()["items"]
    room = everything[0]["pointer"].rpartition("/")[0]
    assert {each["pointer"].rpartition("/")[0] for each in pages("/v1/drawers", room=room)} == {room}
    client.post("/v1/drawers", json={"content": "Derek met Anna and Boris and Clara in Ghent."})
    named = [each["name"] for each in pages("/v1/entities")]
    assert len(named) == len(set(named)) > 2
    assert named == [each["name"] for each in client.get("/v1/entities", params={"limit": 200}).json()["items"]]
    for cursor in ("nonsense", "YWZ0ZXI6LTE", "YWZ0ZXI6MQ==", "%00"):
        assert problem_of(client.get("/v1/drawers", params={"cursor": cursor}), 400, "bad_request")


def test_drawers_are_listed_by_their_pointers_and_restored_ones_in_their_places(client: httpx.Client) -> None:
    talk = {"id": "talk", "wing": "Boats", "messages": messages("One.", "Two.", "Three.")}
    filed = client.post("/v1/conversations", json=talk).json()["pointers"]
    client.post("/v1/drawers", json={"content": "Bees hum.", "wing": "Bees"})
    talk["messages"] = messages("One.", "Two.", "Three.", "Four.")
    client.post("/v1/conversations", json=talk)
    (second,) = filed[1]
    client.delete(f"/v1/drawers/{second}")
    client.post("/v1/drawers/restore", json={"pointers": [second]})
    said, cursor = list[str](), None
    while not said or cursor:
        page = client.get("/v1/drawers", params={"limit": 1} | ({"cursor": cursor} if cursor else {})).json()
        said, cursor = [*said, *(each["content"] for each in page["items"])], page["next_cursor"]
    assert said == ["One.", "Two.", "Three.", "Four.", "Bees hum."]


def test_a_note_says_what_was_taken_out(client: httpx.Client) -> None:
    told = client.post("/v1/drawers", json={"content": "The password: hunter2hunter2 is new."}).json()
    assert told["secrets"] == 1
    assert client.post("/v1/drawers", json={"content": KEY}).json()["secrets"] == 0


def test_entities_and_relations_are_read(client: httpx.Client) -> None:
    client.post("/v1/drawers", json={"content": "Derek lives in Ghent. Derek owns an efoil."})
    derek = client.get("/v1/entities/derek").json()
    assert (derek["name"], derek["type"]) == ("Derek", "person")
    assert "Derek" in [each["name"] for each in client.get("/v1/entities", params={"type": "person"}).json()["items"]]
    held = client.get("/v1/relations", params={"entity": "Derek"}).json()["items"]
    assert {each["object"] for each in held} & {"Ghent", "efoil"}
    assert all(each["evidence"] for each in held)
    problem_of(client.get("/v1/entities/nobody-at-all"), 404, "not_found")
    problem_of(client.get("/v1/relations", params={"entity": "nobody-at-all"}), 404, "not_found")


def test_a_turn_has_the_block_and_the_request(client: httpx.Client) -> None:
    client.post("/v1/drawers", json={"content": KEY})
    taken = client.post("/v1/turns", json={"message": "Where did I put my spare key?"}).json()
    assert taken["searched"]
    assert KEY in taken["block"]
    assert taken["pointers"]
    assert KEY in taken["messages"][-1]["content"]
    assert taken["messages"][-1]["content"].endswith("Where did I put my spare key?")
    assert not client.post("/v1/turns", json={"message": "hi"}).json()["searched"]


def test_an_export_is_the_palace_as_a_stream_of_lines(client: httpx.Client, palaces: Palaces) -> None:
    client.post("/v1/drawers", json={"content": KEY, "wing": "House"})
    client.post("/v1/drawers", json={"content": "Bees hum.", "wing": "Bees"})
    with client.stream("GET", "/v1/export") as exported:
        assert exported.headers["content-type"] == "application/x-ndjson"
        written = exported.read()
    assert KEY in written.decode()
    assert all(json.loads(line) for line in written.decode().splitlines())
    assert KEY not in client.get("/v1/export", params={"wing": "Bees"}).text
    problem_of(client.get("/v1/export", params={"wing": "Nowhere"}), 404)


def test_what_can_change_has_an_etag(client: httpx.Client) -> None:
    path = client.post("/v1/drawers", json={"content": "The meeting is on Friday.", "id": "meeting"}).headers[
        "location"
    ]
    tag = client.get(path).headers["etag"]
    same = client.get(path, headers={"If-None-Match": tag})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    client.post("/v1/drawers", json={"content": "The meeting is on Monday.", "id": "meeting"})
    changed = client.get(path, headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["etag"] != tag
    problem_of(client.delete(path, headers={"If-Match": tag}), 412, "changed")
    assert client.delete(path, headers={"If-Match": changed.headers["etag"]}).json()["drawers"] == 1


def test_a_request_with_an_idempotency_key_is_carried_out_once(
    client: httpx.Client, palace: Palace, connect: Connects
) -> None:
    once = {"Idempotency-Key": "a1"}
    first = client.post("/v1/drawers", json={"content": "Once."}, headers=once)
    path = first.json()["location"]
    client.delete(path)
    again = client.post("/v1/drawers", json={"content": "Once."}, headers=once)
    assert (again.status_code, again.json(), again.headers["location"]) == (201, first.json(), path)
    assert again.headers["idempotent-replay"] == "true"
    assert palace.status().drawers == 0
    problem_of(client.post("/v1/drawers", json={"content": "Twice."}, headers=once), 422, "another_request")
    talk = {"messages": messages("Once.")}
    problem_of(client.post("/v1/conversations", json=talk, headers=once), 422, "another_request")
    # Another key of the same user has names of its own.
    assert connect(palace).post("/v1/conversations", json=talk, headers=once).status_code == 201
    # A request that fails can be sent again.
    failing = {"Idempotency-Key": "a2"}
    problem_of(client.post("/v1/drawers", json={"content": " "}, headers=failing), 400)
    assert client.post("/v1/drawers", json={"content": "Fine."}, headers=failing).status_code == 201
    key_id = palace.keys.list()[0].id
    palace.answers.begin(f"{key_id} POST a3", b"/v1/drawers\0")
    problem_of(client.post("/v1/drawers", json={"content": "Running."}, headers={"Idempotency-Key": "a3"}), 422)


def test_a_request_that_runs_is_not_repeated_and_one_of_a_killed_server_is(
    palaces: Palaces, palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "ABANDONED", timedelta(seconds=1.5))
    monkeypatch.setattr(renewing, "RENEWED_SECONDS", 0.2)
    once = {"Idempotency-Key": "b1"}
    waiting, go_on, note = threading.Event(), threading.Event(), Palace.note

    def slow(*positional: Any, **named: Any) -> Any:
        waiting.set()
        assert go_on.wait(30)
        return note(*positional, **named)

    monkeypatch.setattr(Palace, "note", slow)
    secret = palace.keys.create("test", scopes=["write"]).secret
    with served(palaces) as (url, _), ThreadPoolExecutor() as pool:

        def send() -> httpx.Response:
            headers = {"Authorization": f"Bearer {secret}", **once}
            return httpx.post(f"{url}/v1/drawers", json={"content": "Once."}, headers=headers, timeout=60)

        first = pool.submit(send)
        try:
            assert waiting.wait(20)
            time.sleep(2)
            late = send()
        finally:
            go_on.set()
        problem_of(late, 409, "still_running")
        assert late.headers["retry-after"] == "1"
        assert first.result().status_code == 201
        # Nobody renews the place of a server that was killed.
        execute(palace, "UPDATE stored_answer SET status = NULL")
        time.sleep(1.6)
        again = send()
    assert (again.status_code, "idempotent-replay" in again.headers) == (201, False)


def test_no_stored_answer_holds_what_was_said(client: httpx.Client, palace: Palace) -> None:
    client.post("/v1/drawers", json={"content": KEY}, headers={"Idempotency-Key": KEY})
    client.post("/v1/conversations", json={"messages": messages(KEY)}, headers={"Idempotency-Key": "b"})
    told = str([rows(palace, f"SELECT {table}::text FROM {table}") for table in ("stored_answer", "audit_entry")])
    assert "W-001" in told
    for word in ("spare", "blue", "pot"):
        assert word not in told


def test_health_needs_no_key_and_figures_name_nobody(client: httpx.Client, address: str, palace: Palace) -> None:
    for path in ("/healthz", "/readyz"):
        assert httpx.get(f"{address}{path}").json() == {"status": "ok"}
    problem_of(httpx.get(f"{address}/metrics"), 401)
    client.post("/v1/recall", json={"query": "anything"})
    figures = client.get("/metrics")
    assert figures.headers["content-type"].startswith("text/plain")
    assert 'palace_http_requests_total{route="/v1/recall",method="POST",status="200"}' in figures.text
    assert 'palace_http_request_seconds_bucket{route="/v1/recall",le="+Inf"}' in figures.text
    for named in (palace.user, palace.keys.list()[0].id, "anything"):
        assert named not in figures.text


def test_the_log_has_what_was_done_by_whom(client: httpx.Client, palace: Palace) -> None:
    pointer = client.post("/v1/drawers", json={"content": KEY}).json()["pointer"]
    for _ in range(3):
        client.post("/v1/recall", json={"query": "key"})
    client.delete(f"/v1/drawers/{pointer}")
    client.get("/v1/export")
    (key,) = palace.keys.list()
    told = [(entry.key, entry.action, entry.target) for entry in palace.keys.audit()]
    expected = [("export", ""), ("drawers.forget", pointer), ("recall", ""), ("drawers.file", pointer)]
    assert told[:4] == [(key.id, *each) for each in expected]


def test_over_the_socket_a_palace_needs_no_key_and_keys_work_too(
    local: httpx.Client, palace: Palace, connect: Connects
) -> None:
    assert local.post("/v1/drawers", json={"content": KEY}).status_code == 201
    assert local.post("/v1/recall", json={"query": "spare key"}).json()["hits"]
    problem_of(local.get("/v1/drawers", params={"user_id": palace.user}), 403)
    bearer = connect(palace, "read").headers["authorization"]
    theirs = local.get("/v1/drawers", headers={"Authorization": bearer})
    assert theirs.json()["items"] == []
    problem_of(local.get("/v1/drawers", headers={"Authorization": "Bearer pal_1x1_wrong"}), 401)
    problem_of(local.get("/v1/drawers", headers={"Origin": "http://palace"}), 403)


def test_a_path_of_its_own_names_its_own_methods(client: httpx.Client) -> None:
    assert client.options("/v1/memory/retrieve").headers["allow"] == "POST"
