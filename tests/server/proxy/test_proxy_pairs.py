"""Pairs of requests and answers of many shapes pass through byte for byte where no memory goes in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace import Palace, Palaces
from palace_server.proxy.upstream import Upstream
from tests.server.conftest import served
from tests.server.provider import (
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
from tests.server.proxy.conftest import PATHS

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
ANSWERS = st.one_of(
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
def passing(palaces: Palaces, module_palace: Palace) -> Iterator[tuple[Provider, httpx.Client]]:
    """A provider, and a client of a proxy for it, whose palace is empty."""
    key = module_palace.keys.create("test", scopes=("read", "write")).secret
    with (
        Provider() as provider,
        served(palaces, upstream=Upstream.of(provider.url)) as (url, _),
        httpx.Client(base_url=url, timeout=60) as client,
    ):
        client.headers["X-Palace-Key"] = key
        yield provider, client


@pytest.fixture(scope="module")
def module_palace(palaces: Palaces) -> Palace:
    """A palace where nothing is ever filed."""
    return palaces.palace("user-of-pairs")


REQUESTS = st.tuples(st.sampled_from(MESSAGES), MORE, SPACED, st.sampled_from([*BROKEN, *[None] * 30]))


@given(path=st.sampled_from(PATHS), asked=REQUESTS, answer=ANSWERS)
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
