"""A model behind an API, and a palace whose miner asks none."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from palace import Palace
from palace.settings import Settings
from palace.testing import HashingEmbedder, LanguageModelServer


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageModelServer]:
    with LanguageModelServer() as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.api_base)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        yield server


@pytest.fixture
def palace(settings: Settings) -> Iterator[Palace]:
    """A palace whose miner asks no model: what is filed there was filed before one was set."""
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as opened:
        yield opened
