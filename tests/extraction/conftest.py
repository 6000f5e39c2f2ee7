"""A model behind an API, and palaces whose miner asks it or none."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator

import pytest

from palace import Palace, Settings
from palace.testing import HashingEmbedder, LanguageModelServer
from tests.extraction.asked import MODEL

Open = Callable[..., Palace]


@pytest.fixture
def opened(settings: Settings, provider: LanguageModelServer) -> Iterator[Open]:
    """Open a user's palace, each time with other settings: with a model that reads names and claims, or with none."""
    key, palaces = uuid.uuid4(), list[Palace]()

    def open_it(model: str | None = MODEL, user: str = "user", **changes: object) -> Palace:
        named = settings.model_copy(update={"extraction_model": model, "extraction_parallel": 1, **changes})
        palaces.append(Palace.open(named, user=f"{user}-{key}", embedder=HashingEmbedder()))
        return palaces[-1]

    yield open_it
    for palace in palaces:
        palace.close()


@pytest.fixture
def local(opened: Open) -> Palace:
    """A palace whose miner asks no model: what is filed there was filed before one was set."""
    return opened(model=None)
