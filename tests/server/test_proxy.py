"""The memory proxy: memory goes in, what is said is filed, and everything else is passed on byte for byte."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from palace import Palace, Palaces
from palace.agent.turn_taker import TurnTaker
from palace_server import bodies
from palace_server.proxy import memory
from palace_server.proxy.upstream import Upstream
from palace_server.serving import listen_on_port
from tests.server.conftest import SCOPES, problem_of, running
from tests.server.provider import (
    SECRET,
    Answer,
    Provider,
    as_json,
    chat,
    chat_events,
    message,
    message_events,
    response,
    response_events,
)

KEY = "The spare key is under the blue pot."
ASKED = "Where is the spare key of ours?"
PATHS = ("/v1/chat/completions", "/v1/responses", "/v1/messages")
Asks = Callable[..., httpx.Response]


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not race against a busy machine where the time box is not what is tested."""
    monkeypatch.setattr(memory, "RECALL_SECONDS", 60)


@pytest.fixture(scope="module")
def serving(palaces: Palaces) -> Iterator[tuple[Provider, str]]:
    """A provider, and the address of a proxy for it."""
    with (
        Provider() as provider,
        listen_on_port("127.0.0.1", 0) as taken,
        running(palaces, taken, upstream=Upstream.of(provider.url)),
    ):
        yield provider, f"http://127.0.0.1:{taken.getsockname()[1]}"


@pytest.fixture
def provider(serving: tuple[Provider, str]) -> Provider:
    """The provider, with nothing to say yet."""
    serving[0].script.clear()
    serving[0].asked.clear()
    return serving[0]


@pytest.fixture
def url(serving: tuple[Provider, str]) -> str:
    """The address of the proxy."""
    return serving[1]


@pytest.fixture
def ask(url: str, palace: Palace) -> Iterator[httpx.Client]:
    """A client with a key of the test's palace beside the provider's."""
    with connected(url, palace) as client:
        yield client


def connected(url: str, palace: Palace, *scopes: str, **of: Any) -> httpx.Client:
    """Connect with a key beside the provider's."""
    secret = palace.keys.create("test", scopes=scopes or SCOPES, **of).secret
    headers = {"Authorization": f"Bearer {SECRET}", "X-Palace-Key": secret}
    return httpx.Client(base_url=url, headers=headers, timeout=60)


def filed(palace: Palace, count: int, seconds: float = 20) -> list[tuple[str, str]]:
    """Wait until so many drawers are filed; return the role and text of each."""
    until = time.monotonic() + seconds
    while True:
        drawers = palace.tree.all_drawers(limit=50)
        if len(drawers) >= count or time.monotonic() > until:
            assert len(drawers) == count, drawers
            return [(str(each.role), each.content) for each in drawers]
        time.sleep(0.02)


def asking(path: str, *texts: str, **more: Any) -> dict[str, Any]:
    """Write a request whose messages are these in turn."""
    messages = [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(texts)]
    return {"model": "m", ("input" if path == PATHS[1] else "messages"): messages, **more}


ANSWERS: dict[str, Callable[[str], Answer]] = {
    PATHS[0]: lambda text: as_json(chat(text)),
    PATHS[1]: lambda text: as_json(response(text)),
    PATHS[2]: lambda text: as_json(message(text)),
}
STREAMS: dict[str, Callable[[str], Answer]] = {
    PATHS[0]: lambda text: chat_events(*text.split(" ")),
    PATHS[1]: response_events,
    PATHS[2]: lambda text: message_events(*text.split(" ")),
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("kind", [ANSWERS, STREAMS], ids=["whole", "stream"])
def test_memory_goes_in_before_the_last_words_and_what_is_said_is_filed(
    path: str, kind: dict[str, Callable[[str], Answer]], provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    palace.note(KEY)
    answer = kind[path]("Beside the door.")
    provider.script.append(answer)
    body = asking(path, ASKED, odd={"é": [1.5, None]})
    got = ask.post(path, json=body)
    assert got.content == b"".join(answer.parts)
    assert got.headers["x-palace-memory"] == "injected;hits=1"
    sent = provider.asked[0].body
    name = "input" if path == PATHS[1] else "messages"
    content = sent[name][0].pop("content")
    del body[name][0]["content"]
    assert sent == body
    block, said = content.split("\n\n")
    assert KEY in block
    assert said == ASKED
    pieces = "Besidethedoor." if kind is STREAMS and path != PATHS[1] else "Beside the door."
    assert sorted(filed(palace, 3)) == sorted([("user", KEY), ("user", ASKED), ("assistant", pieces)])


@pytest.mark.parametrize("path", PATHS)
def test_later_turns_repeat_what_was_put_in_byte_for_byte(
    path: str, provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    palace.note(KEY)
    provider.script.extend([ANSWERS[path]("Under a pot."), ANSWERS[path]("Blue.")])
    ask.post(path, json=asking(path, ASKED))
    ask.post(path, json=asking(path, ASKED, "Under a pot.", "And the colour of the pot?"))
    first, second = (each.body["input" if path == PATHS[1] else "messages"] for each in provider.asked)
    assert KEY in first[0]["content"]
    assert second[0] == first[0]
    assert len(filed(palace, 5)) == 5


def test_a_part_of_its_own_stands_before_the_last_text_of_parts(
    provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    palace.note(KEY)
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    parts = [{"type": "text", "text": "Look:"}, image, {"type": "text", "text": ASKED}]
    provider.script.append(as_json(chat("Under the pot.")))
    ask.post(PATHS[0], json={"model": "m", "messages": [{"role": "user", "content": parts}]})
    sent = provider.asked[0].body["messages"][0]["content"]
    assert [*sent[:2], sent[3]] == parts
    assert KEY in sent[2]["text"]
    assert not any("iVBOR" in content or KEY in content for role, content in filed(palace, 3) if content != KEY)


def test_tools_turn_by_turn(provider: Provider, ask: httpx.Client, palace: Palace) -> None:
    palace.note(KEY)
    call = {"id": "t1", "type": "tool_use", "name": "look", "input": {"where": "garden"}}
    provider.script.extend([as_json(message("I look.", call)), as_json(message("It is there."))])
    asked = {"role": "user", "content": ASKED}
    ask.post(PATHS[2], json={"model": "m", "messages": [asked]})
    said = {"role": "assistant", "content": [{"type": "text", "text": "I look."}, call]}
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "a blue pot"}]}
    got = ask.post(PATHS[2], json={"model": "m", "messages": [asked, said, result]})
    first, second = (each.body["messages"] for each in provider.asked)
    assert second == [*first, said, result]
    assert got.headers["x-palace-memory"] == "injected;hits=0"
    roles = {role for role, _ in filed(palace, 6)}
    assert roles == {"user", "assistant", "tool"}


def test_a_response_is_followed_to_its_history(provider: Provider, ask: httpx.Client, palace: Palace) -> None:
    palace.note("The boat engine cost 900 euros.")
    provider.script.extend([response_events("It cost 900 euros.", "resp_a"), as_json(response("In May.", "resp_b"))])
    ask.post(PATHS[1], json={"model": "m", "input": "What did I pay for the boat engine?", "stream": True})
    filed(palace, 3)
    follow = {"model": "m", "input": "And when?", "previous_response_id": "resp_a"}
    ask.post(PATHS[1], json=follow)
    assert provider.asked[1].body["previous_response_id"] == "resp_a"
    filed(palace, 5)
    rooms = {each.pointer.room for each in palace.tree.all_drawers(limit=50) if "engine cost" not in each.content}
    assert len(rooms) == 1


def test_what_it_says_of_memory_is_kept_from_the_provider(
    provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    palace.note(KEY)
    palace.note("The spare key of the shed hangs on a nail.", wing="Shed")
    provider.script.extend(as_json(chat("Yes.")) for _ in range(4))
    body = asking(PATHS[0], ASKED)
    off = ask.post(PATHS[0], json={**body, "memory_config": {"enabled": False}})
    assert off.headers["x-palace-memory"] == "skipped;reason=off"
    config = {"retrieval_limit": 1, "auto_store": False}
    ask.post(PATHS[0], json={**body, "memory_config": config})
    ask.post(PATHS[0], json={**body, "memory_config": {"similarity_threshold": 1.0, "auto_store": False}})
    context = {"user_id": palace.user, "project_id": "Shed"}
    ask.post(PATHS[0], json={**body, "memory_context": context})
    contents = [each.body.pop("messages")[0]["content"] for each in provider.asked]
    assert [each.count("§") for each in contents] == [0, 1, 0, 1]
    assert "nail" in contents[3]
    assert [sorted(each.body) for each in provider.asked] == [["messages", "model"]] * 4
    filed(palace, 4)
    assert {each.content for each in palace.tree.all_drawers(wings=[palace.tree.wing("Shed")])} > {ASKED, "Yes."}
    wrong: dict[str, Any]
    for wrong in ({"memory_config": {"retrieval_limit": 0}}, {"memory_context": []}, {"memory_config": {"odd": 1}}):
        assert "memory_" in problem_of(ask.post(PATHS[0], json={**body, **wrong}), 422)
    assert len(provider.asked) == 4


def test_nobody_reaches_another_by_it(provider: Provider, url: str, palace: Palace, palaces: Palaces) -> None:
    with connected(url, palace) as client:
        body = asking(PATHS[0], ASKED, memory_context={"user_id": "somebody-else"})
        problem_of(client.post(PATHS[0], json=body), 403)
    for headers in (
        {},
        {"Authorization": f"Bearer {SECRET}"},
        {"X-Palace-Key": "pal_1x1_" + "0" * 64},
        {"Authorization": "Bearer pal_1x1_" + "0" * 64},
        {"x-api-key": palace.keys.create("test").secret},
    ):
        for path in (*PATHS, "/v1/models", "/v1/embeddings", "/v1/responses/resp_1"):
            problem_of(httpx.post(url + path, json=asking(PATHS[0], ASKED), headers=headers), 401)
    with connected(url, palace, "forget") as client:
        problem_of(client.post(PATHS[0], json=asking(PATHS[0], ASKED)), 403)
    assert provider.asked == []


def test_a_key_reads_and_files_as_its_scopes_and_wings_allow(provider: Provider, url: str, palace: Palace) -> None:
    palace.note(KEY, wing="House")
    palace.note("The spare key of the shed hangs on a nail.", wing="Shed")
    provider.script.extend(as_json(chat("Yes.")) for _ in range(4))
    with connected(url, palace, "read") as client:
        assert client.post(PATHS[0], json=asking(PATHS[0], ASKED)).headers["x-palace-memory"] == "injected;hits=2"
    with connected(url, palace, "read", "write", wings=["House"]) as client:
        assert client.post(PATHS[0], json=asking(PATHS[0], ASKED)).headers["x-palace-memory"] == "injected;hits=1"
        other = asking(PATHS[0], ASKED, memory_context={"project_id": "Shed"})
        assert client.post(PATHS[0], json=other).headers["x-palace-memory"] == "skipped;reason=not-found"
    filed(palace, 4)
    assert {each.content for each in palace.tree.all_drawers(wings=[palace.tree.wing("House")])} == {KEY, ASKED, "Yes."}
    with connected(url, palace, "write") as client:
        assert client.post(PATHS[0], json=asking(PATHS[0], ASKED)).headers["x-palace-memory"] == "skipped;reason=scope"
    assert KEY not in provider.asked[-1].body["messages"][0]["content"]


def test_a_gateway_files_for_a_new_user(provider: Provider, url: str, palace: Palace, palaces: Palaces) -> None:
    user = f"{palace.user}-17"
    provider.script.append(as_json(chat("Noted.")))
    with connected(url, palace, "read", "write", user_prefix=palace.user) as client:
        problem_of(client.post(PATHS[0], json=asking(PATHS[0], "I wear size 43.")), 400)
        client.post(PATHS[0], json=asking(PATHS[0], "I wear size 43.", memory_context={"user_id": user}))
    filed(palaces.palace(user), 2)
    filed(palace, 0)


def test_which_headers_go_there_and_back(provider: Provider, ask: httpx.Client) -> None:
    returned = [("Set-Cookie", "a=b"), ("X-Request-Id", "r1"), ("Retry-After", "3"), ("X-Palace-Odd", "1")]
    provider.script.append(Answer([b'{"error": "slow down"}'], 429, headers=returned))
    headers = {"Cookie": "a=b", "OpenAI-Organization": "org", "Connection": "keep-alive, X-Hop", "X-Hop": "1"}
    got = ask.post(PATHS[0], json=asking(PATHS[0], "Hello!"), headers={**headers, "X-Palace-Conversation": "c"})
    sent = provider.asked[0].headers
    assert (sent["authorization"], sent["openai-organization"]) == (f"Bearer {SECRET}", "org")
    assert not {"cookie", "x-hop", "x-palace-key", "x-palace-conversation"} & sent.keys()
    assert (got.status_code, got.content) == (429, b'{"error": "slow down"}')
    assert (got.headers["x-request-id"], got.headers["retry-after"]) == ("r1", "3")
    assert not {"set-cookie", "x-palace-odd"} & got.headers.keys()


def test_other_paths_are_passed_on_and_no_further_ones(provider: Provider, ask: httpx.Client) -> None:
    provider.script.extend(as_json({"data": []}) for _ in range(3))
    assert ask.get("/v1/models?limit=2").json() == {"data": []}
    ask.get("/v1/models/org/ft:m-1.5@2")
    ask.post("/v1/messages/count_tokens", json={"a": 1})
    told = [(each.method, each.path, each.content) for each in provider.asked]
    assert told[:2] == [("GET", "/v1/models?limit=2", b""), ("GET", "/v1/models/org/ft:m-1.5@2", b"")]
    assert told[2] == ("POST", "/v1/messages/count_tokens", b'{"a":1}')
    for path in ("/v1/models/%2e%2e/files", "/v1/models/a%2f..%2fb", "/v1/models//x", "/v1/models/a%00", "/v1/files"):
        assert ask.get(path).status_code in (401, 404), path
    for method, path in (("DELETE", "/v1/models/ft:m-1.5"), ("POST", "/v1/models"), ("DELETE", "/v1/embeddings")):
        problem_of(ask.request(method, path), 405)
    assert len(provider.asked) == 3


def test_a_redirect_is_not_followed(provider: Provider, ask: httpx.Client) -> None:
    provider.script.append(Answer([b""], 307, headers=[("Location", f"{provider.url}/v1/elsewhere")]))
    assert ask.post(PATHS[0], json=asking(PATHS[0], "Hello!")).status_code == 307
    assert len(provider.asked) == 1


def test_an_answer_that_is_cut_or_left_is_filed_as_far_as_it_came(
    provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    provider.script.append(chat_events("Under ", "the ", "pot.", is_cut=True))
    provider.script[0].parts = provider.script[0].parts[:2]
    with pytest.raises(httpx.RemoteProtocolError):
        ask.post(PATHS[0], json=asking(PATHS[0], ASKED, stream=True))
    assert ("assistant", "Under the […]") in filed(palace, 2)
    provider.script.append(message_events(*["word "] * 50, pause=0.05))
    with ask.stream("POST", PATHS[2], json=asking(PATHS[2], "How long is the river?", stream=True)) as answer:
        for part in answer.iter_bytes():
            if b"text_delta" in part:
                break
    texts = [content for role, content in filed(palace, 4) if role == "assistant"]
    assert texts[1].startswith("word ")
    assert texts[1].endswith("[…]")
    assert len(texts[1]) < 250


def test_a_slow_memory_or_none_keeps_nobody_waiting(
    provider: Provider, ask: httpx.Client, palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    palace.note(KEY)
    monkeypatch.setattr(memory, "RECALL_SECONDS", 0.3)
    slow = TurnTaker.take

    def take(self: TurnTaker, *given: Any) -> Any:
        time.sleep(1)
        return slow(self, *given)

    monkeypatch.setattr(TurnTaker, "take", take)
    provider.script.append(as_json(chat("Yes.")))
    content = json.dumps(asking(PATHS[0], ASKED), indent=1).encode()
    begun = time.perf_counter()
    got = ask.post(PATHS[0], content=content)
    assert time.perf_counter() - begun < 1
    assert got.headers["x-palace-memory"] == "skipped;reason=timeout"
    assert provider.asked[0].content == content
    filed(palace, 3)
    monkeypatch.undo()
    provider.script.append(as_json(chat("Blue.")))
    ask.post(PATHS[0], json=asking(PATHS[0], ASKED, "Yes.", "Which colour?"))
    assert provider.asked[1].body["messages"][0]["content"] == ASKED


def test_a_provider_that_is_away_is_said_so(ask: httpx.Client, palaces: Palaces, palace: Palace) -> None:
    with listen_on_port("127.0.0.1", 0) as nobody:
        address = f"http://127.0.0.1:{nobody.getsockname()[1]}"
    with (
        listen_on_port("127.0.0.1", 0) as taken,
        running(palaces, taken, upstream=Upstream.of(address)),
        connected(f"http://127.0.0.1:{taken.getsockname()[1]}", palace) as client,
    ):
        problem_of(client.post(PATHS[0], json=asking(PATHS[0], ASKED)), 502, "no_provider")


def test_one_key_alone_is_replaced_by_the_providers(provider: Provider, palaces: Palaces, palace: Palace) -> None:
    palace.note(KEY)
    provider.script.extend([as_json(chat("Yes.")), as_json(message("Yes.")), as_json(chat("Yes."))])
    secret = palace.keys.create("test", scopes=SCOPES).secret
    upstream = Upstream.of(provider.url, SECRET)
    with listen_on_port("127.0.0.1", 0) as taken, running(palaces, taken, upstream=upstream):
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        for path, headers in (
            (PATHS[0], {"Authorization": f"Bearer {secret}"}),
            (PATHS[2], {"x-api-key": secret}),
            (PATHS[0], {"X-Palace-Key": secret, "Authorization": "Bearer own"}),
        ):
            got = httpx.post(url + path, json=asking(path, ASKED), headers=headers)
            assert got.headers["x-palace-memory"].startswith("injected;hits=")
        problem_of(httpx.post(url + PATHS[0], json={}, headers={"Authorization": f"Bearer {SECRET}"}), 401)
        problem_of(httpx.post(url + PATHS[0], json={}, headers={"Authorization": "Bearer pal_x"}), 401)
    keys = [(each.headers.get("authorization"), each.headers.get("x-api-key")) for each in provider.asked]
    assert keys == [(f"Bearer {SECRET}", None), (None, SECRET), ("Bearer own", None)]
    assert secret not in str([each.headers for each in provider.asked])


def test_a_client_that_leaves_before_the_answer_begins_ends_the_providers_request(
    ask: httpx.Client, palaces: Palaces, palace: Palace
) -> None:
    with (
        listen_on_port("127.0.0.1", 0) as silent,
        listen_on_port("127.0.0.1", 0) as taken,
        running(palaces, taken, upstream=Upstream.of(f"http://127.0.0.1:{silent.getsockname()[1]}")),
        connected(f"http://127.0.0.1:{taken.getsockname()[1]}", palace) as client,
    ):
        with pytest.raises(httpx.ReadTimeout):
            client.post(PATHS[0], json=asking(PATHS[0], ASKED), timeout=1)
        reached, _ = silent.accept()
        with reached:
            reached.settimeout(10)
            while reached.recv(1 << 16):
                pass


def test_the_same_response_may_be_followed_twice_and_at_once(
    provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    answers = [response(text, f"resp_{at}") for at, text in enumerate(("It cost 900 euros.", "In May.", "In May."))]
    provider.script.extend(map(as_json, answers))
    ask.post(PATHS[1], json={"model": "m", "input": "What did I pay for the boat engine?"})
    for _ in range(2):
        ask.post(PATHS[1], json={"model": "m", "input": "And when?", "previous_response_id": "resp_0"})
    filed(palace, 4)
    time.sleep(0.5)
    filed(palace, 4)
    assert len({each.pointer.room for each in palace.tree.all_drawers(limit=50)}) == 1


def test_histories_are_kept_of_responses_alone(
    provider: Provider, url: str, palace: Palace, serving: tuple[Provider, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = list[str]()
    monkeypatch.setattr(memory.Histories, "keep", lambda _, user, id, *rest: kept.append(id))
    provider.script.extend([as_json(chat("Yes.")), as_json(response("Yes.", "resp_9"))])
    with connected(url, palace) as client:
        for path in PATHS[:2]:
            client.post(path, json=asking(path, f"{ASKED} {path}"))
    filed(palace, 4)
    assert kept == ["resp_9"]


@pytest.mark.parametrize("odd", [b"1e400", b"NaN", b"[" * 5000 + b"]" * 5000])
def test_what_cannot_be_written_again_is_passed_on_as_it_is(
    odd: bytes, provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    palace.note(KEY)
    provider.script.append(as_json(chat("Yes.")))
    content = b'{"messages": [{"role": "user", "content": "%s"}], "odd": %s}' % (ASKED.encode(), odd)
    got = ask.post(PATHS[0], content=content)
    assert got.status_code == 200
    note, sent = got.headers["x-palace-memory"], provider.asked[0]
    assert (note, sent.content) == ("skipped;reason=unreadable", content) or sent.body["odd"] == json.loads(odd)
    assert b"Infinity" not in sent.content


def test_a_server_stops_in_time_however_much_waits_to_be_filed(
    provider: Provider, palaces: Palaces, palace: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "CLOSING_SECONDS", 0.2)
    monkeypatch.setattr(memory, "_finish", lambda *_: time.sleep(1))
    provider.script.extend(as_json(chat("Yes.")) for _ in range(12))
    with listen_on_port("127.0.0.1", 0) as taken:
        with (
            running(palaces, taken, upstream=Upstream.of(provider.url)),
            connected(f"http://127.0.0.1:{taken.getsockname()[1]}", palace) as client,
        ):
            for at in range(12):
                client.post(PATHS[0], json=asking(PATHS[0], f"{ASKED} {at}"))
            begun = time.monotonic()
        assert time.monotonic() - begun < 4


def test_bodies_count_until_their_answers_end_and_too_large_ones_are_refused(
    provider: Provider, ask: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "MOST_OF_KEY", 3 << 20)
    large = asking(PATHS[0], "word " * (400 << 10), memory_config={"enabled": False})
    provider.script.append(chat_events(*["word "] * 50, pause=0.1))
    with ask.stream("POST", PATHS[0], json=large) as answer:
        parts = answer.iter_bytes()
        next(parts)
        problem_of(ask.post(PATHS[0], json=large), 429)
    monkeypatch.undo()
    problem_of(ask.post(PATHS[0], content=b" " * ((32 << 20) + 1)), 413)
    assert len(provider.asked) == 1


@pytest.mark.parametrize("shown", ["bearer\t{}", "Bearer  {}", "Basic {}", "{}", "Token token={}"])
@pytest.mark.parametrize("name", ["Authorization", "x-api-key", "api-key", "X-Goog-Api-Key"])
def test_no_spelling_takes_palaces_key_to_the_provider(
    shown: str, name: str, provider: Provider, url: str, palace: Palace
) -> None:
    secret = palace.keys.create("test", scopes=SCOPES).secret
    headers = [("X-Palace-Key", secret), (name, shown.format(secret)), ("Authorization", f"Bearer {SECRET}")]
    httpx.post(url + PATHS[0], json=asking(PATHS[0], "Hello!"), headers=headers)
    assert secret not in str([each.headers for each in provider.asked])


def test_an_end_within_words_is_no_end(provider: Provider, ask: httpx.Client, palace: Palace) -> None:
    answer = chat_events("It ends with data: [DONE] in ", "the API.", is_cut=True)
    answer.parts = answer.parts[:1]
    provider.script.append(answer)
    with pytest.raises(httpx.RemoteProtocolError):
        ask.post(PATHS[0], json=asking(PATHS[0], "How does a stream end?", stream=True))
    assert ("assistant", "It ends with data: [DONE] in […]") in filed(palace, 2)


def test_of_several_replies_the_first_is_filed(provider: Provider, ask: httpx.Client, palace: Palace) -> None:
    several = chat("The first.")
    several["choices"].append({**chat("The second.")["choices"][0], "index": 1})
    chunk = {"index": 1, "delta": {"content": "Fourth."}}
    streamed = chat_events("Third.")
    streamed.parts = [b"data: %s\n\n" % json.dumps({"choices": [chunk]}).encode(), *streamed.parts]
    provider.script.extend([as_json(several), streamed])
    ask.post(PATHS[0], json=asking(PATHS[0], "Say it twice.", n=2))
    ask.post(PATHS[0], json=asking(PATHS[0], "Say it twice again.", n=2, stream=True))
    assert [text for role, text in filed(palace, 4) if role == "assistant"] in (
        ["The first.", "Third."],
        ["Third.", "The first."],
    )


@pytest.mark.parametrize(
    ("path", "text", "image"),
    [
        (PATHS[1], "input_text", {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}),
        (
            PATHS[2],
            "text",
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw"}},
        ),
    ],
)
def test_images_stay_where_they_are_and_are_not_filed(
    path: str, text: str, image: Any, provider: Provider, ask: httpx.Client, palace: Palace
) -> None:
    palace.note(KEY)
    parts = [image, {"type": text, "text": ASKED}]
    provider.script.append(ANSWERS[path]("Under the pot."))
    name = "input" if path == PATHS[1] else "messages"
    ask.post(path, json={"model": "m", name: [{"role": "user", "content": parts}]})
    sent = provider.asked[0].body[name][0]["content"]
    assert [sent[0], sent[2]] == parts
    assert sent[1]["type"] == text
    assert KEY in sent[1]["text"]
    assert not any("iVBOR" in content for _, content in filed(palace, 3))
