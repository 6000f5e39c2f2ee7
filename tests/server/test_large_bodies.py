"""Large bodies: parsed as others are, and without keeping others waiting."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace_server.large import LARGE, MOST_BRACKETS, parse_in_pieces
from tests.server.conftest import problem_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


def read(body: bytes, parse: Any) -> Any:
    """Return what is parsed; the class of the error where it is no JSON."""
    try:
        return parse(body)
    except ValueError as problem:
        return type(problem)


@given(
    value=VALUES, indent=st.sampled_from([None, 2]), cut=st.integers(0, 40), added=st.sampled_from(["", " ", "]", "1"])
)
def test_pieces_are_parsed_as_the_whole_is(value: Any, indent: int | None, cut: int, added: str) -> None:
    written = json.dumps({"id": "x", "messages": value}, indent=indent)
    for body in (written, json.dumps(value), written + added, written[:-cut], written[:cut] + added + written[cut:]):
        for encoding in ("utf-8", "utf-16"):
            assert read(body.encode(encoding), parse_in_pieces) == read(body.encode(encoding), json.loads)


def test_a_large_body_is_parsed_while_others_are_answered(
    client: httpx.Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = list[threading.Thread]()

    def parse(body: bytes) -> Any:
        parsed.append(threading.current_thread())
        with httpx.Client(base_url=address) as other:
            assert other.get("/healthz", timeout=10).status_code == 200
        return parse_in_pieces(body)

    monkeypatch.setattr("palace_server.large.parse_in_pieces", parse)
    body = {"messages": [{"role": "user", "content": "word " * 20}] * (LARGE // 100), "nonsense": 1}
    problem_of(client.post("/v1/conversations", json=body), 422)
    assert len(parsed) == 1
    small = {"id": "small", "messages": [{"role": "user", "content": "Bees hum."}]}
    assert client.post("/v1/conversations", json=small).status_code == 201
    assert len(parsed) == 1


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
