"""Servers that speak as providers of models do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from palace.testing import LanguageModelServer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageModelServer]:
    with LanguageModelServer() as running:
        monkeypatch.setenv("OPENAI_API_BASE", running.api_base)
        monkeypatch.setenv("OPENAI_API_KEY", "a-key")
        yield running
