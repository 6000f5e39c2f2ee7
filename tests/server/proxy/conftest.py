"""A proxy in this process before a provider with a script."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from palace import Palace, Palaces
from palace_server.proxy import memory
from palace_server.proxy.upstream import Upstream
from tests.server.conftest import SCOPES, served
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


@contextmanager
def proxied(palaces: Palaces, key: str | None = None) -> Iterator[tuple[Provider, str]]:
    """Run a provider and a proxy for it, which may have the provider's key; give the proxy's address."""
    with Provider() as provider, served(palaces, upstream=Upstream.of(provider.url, key)) as (url, _):
        yield provider, url


@pytest.fixture(scope="module")
def serving(palaces: Palaces) -> Iterator[tuple[Provider, str]]:
    """A provider, and the address of a proxy for it."""
    with proxied(palaces) as serving:
        yield serving


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
