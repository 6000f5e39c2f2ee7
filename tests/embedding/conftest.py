"""A provider of embeddings and the embedder that calls it, by litellm's own HTTP path."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from palace.ai.embedders.remote import RemoteEmbedder
from palace.testing import EmbeddingServer

MODEL = "openai/text-embedding-3-small"
Remote = Callable[..., RemoteEmbedder]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    with EmbeddingServer() as running:
        yield running


@pytest.fixture
def remote_of(server: EmbeddingServer) -> Remote:
    """Make an embedder that calls the server, with what is to be said otherwise."""
    usual = {"dimension": 384, "timeout": 5, "api_base": server.api_base, "first_pause": 0.001}
    return lambda model=MODEL, **changes: RemoteEmbedder(model, **{**usual, **changes})


@pytest.fixture
def remote(remote_of: Remote) -> RemoteEmbedder:
    return remote_of()
