"""What one recall asks of the server: statements, round trips and rows, as ``bench.speed.traffic`` counts them."""

from __future__ import annotations

import uuid

import pytest

from bench.speed.traffic import Traffic
from palace import Palaces, Settings
from palace.testing import HashingEmbedder


@pytest.mark.usefixtures("own_connections")
def test_a_plain_recall_asks_no_more_of_the_server_than_this(settings: Settings) -> None:
    with Traffic() as traffic, Palaces.open(settings, embedder=HashingEmbedder()) as palaces:
        palace = palaces.palace(f"user-{uuid.uuid4()}")
        said = [f"The pump of boat {number} broke on a Friday." for number in range(30)]
        palace.file([{"role": "user", "content": content} for content in said], id="boats", wing="Boats")
        for _ in range(3):
            assert palace.recall("which pump broke?").hits
        counts = [traffic.of(lambda: palace.recall("which pump broke?")) for _ in range(5)]
    # A new connection has to prepare what others prepared before: the least is what stays.
    least = min(counts, key=lambda each: each.round_trips)
    assert (least.statements, least.round_trips, least.rows) == (15, 29, 611)
