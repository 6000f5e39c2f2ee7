"""Large bodies: refused where they have too many brackets, and answered without keeping others waiting for long."""

from __future__ import annotations

import json
import threading
import time

import httpx
import pytest

from palace_server.routes.conversations import MOST_BRACKETS
from tests.server.conftest import problem_of


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
