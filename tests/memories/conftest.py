"""Palaces with the bundled model, whose similarities mean something."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from palace import Palace, Palaces, Settings


@pytest.fixture(scope="package")
def bundled(settings: Settings) -> Iterator[Palaces]:
    with Palaces.open(settings) as opened:
        yield opened


@pytest.fixture
def own(bundled: Palaces) -> Palace:
    """An empty palace with the bundled model."""
    return bundled.palace(f"user-{uuid.uuid4()}")
