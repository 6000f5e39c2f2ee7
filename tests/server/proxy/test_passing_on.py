"""Everything but memory is passed on byte for byte."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace import Palace, Palaces
from palace_server import bodies
from tests.server.conftest import problem_of
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
from tests.server.proxy.conftest import (
    ASKED,
    KEY,
    PATHS,
    asking,
)


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


TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
CALL = {"id": "t1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
MESSAGES: tuple[Any, ...] = (
    [{"role": "user", "content": "Hello!"}],
    [{"role": "system", "content": "Be brief."},
     {"role": "user", "content": [{"type": "text", "text": "Thanks!"}, IMAGE]}],
    [{"role": "user", "content": "Hi"}, {"role": "assistant", "tool_calls": [CALL], "content": None},
     {"role": "tool", "tool_call_id": "t1", "content": "nothing"}],
    [{"type": "function_call_output", "call_id": "t1", "output": "x"}, {"type": "item_reference", "id": "i"}],
    [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": []}, {"type": "odd"}]}],
    [{"role": "user", "content": None}, 7, {"role": 7, "content": {"a": 1}}],
    "Hello!", "", None, 3, {"odd": []}, [],
)  # fmt: skip
SPACED = st.sampled_from([None, 1, 4])
MORE = st.dictionaries(
    st.sampled_from(["model", "temperature", "stream", "tools", "n", "metadata", "odd é", "previous_response_id"]),
    st.sampled_from(
        ["m", 0.70, 1e22, True, None, [TOOL], {"session_id": "s"}, {"a": [{"b": "\ud83d\ude00"}]}, 12345678901234567890]
    ),
    max_size=5,
)
BROKEN = (b"", b"{", b"[]", b"null", b'{"messages": NaN', b"\xff\xfe", b'{"a": ' * 5000)
WORDS = st.lists(st.text(max_size=8), max_size=5)
DRAWN = st.one_of(
    WORDS.map(lambda words: as_json(chat(" ".join(words), tool_calls=[CALL]))),
    WORDS.map(lambda words: chat_events(*words)),
    WORDS.map(lambda words: response_events(" ".join(words))),
    WORDS.map(lambda words: as_json(response(" ".join(words)))),
    WORDS.map(lambda words: message_events(*words)),
    WORDS.map(lambda words: as_json(message(" ".join(words)))),
    st.builds(
        lambda content, status: Answer([content[:3], content[3:]] if len(content) > 3 else [], status),
        st.binary(max_size=60),
        st.sampled_from([200, 201, 301, 400, 401, 404, 418, 429, 500, 503, 529]),
    ),
    st.binary(min_size=1, max_size=30).map(lambda content: Answer([b"data: ", content], kind="text/event-stream")),
)


@pytest.fixture(scope="module")
def passing(serving: tuple[Provider, str], palaces: Palaces) -> Iterator[tuple[Provider, httpx.Client]]:
    """The provider, and a client of the proxy, in whose palace nothing is ever filed."""
    key = palaces.palace("user-of-pairs").keys.create("test", scopes=("read", "write")).secret
    with httpx.Client(base_url=serving[1], headers={"X-Palace-Key": key}, timeout=60) as client:
        yield serving[0], client


REQUESTS = st.tuples(st.sampled_from(MESSAGES), MORE, SPACED, st.sampled_from([*BROKEN, *[None] * 30]))


@given(path=st.sampled_from(PATHS), asked=REQUESTS, answer=DRAWN)
def test_pairs_pass_through_byte_for_byte(
    passing: tuple[Provider, httpx.Client],
    path: str,
    asked: tuple[Any, dict[str, Any], int | None, bytes | None],
    answer: Answer,
) -> None:
    (provider, client), (messages, more, spaced, broken) = passing, asked
    provider.asked.clear()
    provider.script.clear()
    provider.script.append(answer)
    whole = {**more, ("input" if path == PATHS[1] else "messages"): messages}
    content = json.dumps(whole, indent=spaced).encode() if broken is None else broken
    got = client.post(path, content=content, headers={"Content-Type": "application/json"})
    assert provider.asked[0].content == content
    assert provider.asked[0].path == path
    assert (got.status_code, got.content) == (answer.status, b"".join(answer.parts))
    assert got.headers["content-type"] == answer.kind
    assert got.headers["x-palace-memory"].startswith("skipped;reason=")
