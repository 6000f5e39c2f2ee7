"""A palace with two wings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from palace import Palace
from tests.changes.views import BATTERY, HOTEL, Write


@pytest.fixture
def write(folder: Path) -> Write:
    """Write a conversation of alternating turns; give its file."""

    def make(name: str, said: Sequence[str], **about: Any) -> Path:
        path = folder / f"{name}.json"
        turns = [{"role": "user" if n % 2 == 0 else "assistant", "content": text} for n, text in enumerate(said)]
        path.write_text(json.dumps({"id": name, "messages": turns} | about), encoding="utf-8")
        return path

    return make


@pytest.fixture
def furnished(palace: Palace, write: Write) -> Palace:
    """Two wings: "Efoil" with one room of four drawers, "Travel" with one of two."""
    palace.mine(write("battery", BATTERY, title="Battery and shaft"), wing="Efoil")
    palace.mine(write("hotel", HOTEL, title="Lisbon"), wing="Travel")
    return palace
