"""A model behind an API, palaces with a boat in them, and the inner parts that tests take hold of."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from palace import Palace, Settings
from palace.agent.exchange import Exchange
from palace.agent.outbox import Outbox
from palace.testing import HashingEmbedder

__all__ = ["BOAT", "QUESTION", "Exchange", "Outbox"]

BOAT = "My sailing boat is called Zephyrine and lies in Ghent."
QUESTION = "What is my sailing boat called?"


@pytest.fixture
def boat(settings: Settings, tmp_path: Path) -> Iterator[Palace]:
    """A palace that knows a boat, with a home, and so an outbox, of its own."""
    own = settings.model_copy(update={"home": tmp_path})
    with Palace.open(own, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as opened:
        opened.file([{"role": "user", "content": BOAT}, {"role": "assistant", "content": "A lovely name."}], id="first")
        yield opened


def outbox_of(palace: Palace) -> Outbox:
    """Give what waits for a palace to be filed."""
    found: Outbox = palace.turns._taker.finishing.outbox
    return found
