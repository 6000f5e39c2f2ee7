"""Palaces as they come, with the bundled model, open for the whole directory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from palace import Palaces, Settings


@pytest.fixture(scope="package")
def bundled(settings: Settings) -> Iterator[Palaces]:
    with Palaces.open(settings) as opened:
        yield opened
