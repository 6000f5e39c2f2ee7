"""Everything but memory is passed on byte for byte."""

from __future__ import annotations

import json

import httpx
import pytest

from palace import Palace
from palace_server import bodies
from tests.server.conftest import problem_of
from tests.server.provider import (
    SECRET,
    Answer,
    Provider,
    as_json,
    chat,
    chat_events,
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
