"""A model behind an API, and a palace."""

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
def paying(settings: Settings) -> Iterator[Palace]:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as opened:
        yield opened
