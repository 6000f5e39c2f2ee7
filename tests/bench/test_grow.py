"""A small palace is grown, measured and asked."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from bench.scale import measure
from bench.scale.grow import Growth, grow
from bench.scale.semantic import semantic
from palace import Strategy
from palace.settings import Settings
from palace.testing import HashingEmbedder

pytestmark = pytest.mark.nightly

MODEL = HashingEmbedder(48)
"""Of a dimension that no other test uses: the index that is built here is of its generation alone."""


@pytest.fixture
def home(settings: Settings, folder: Path) -> Settings:
    return settings.model_copy(update={"home": folder, "user": f"large-{uuid.uuid4()}"})


def test_a_palace_grows_in_steps_and_is_asked(home: Settings) -> None:
    strategy = Strategy.of({"scan": {"quantised_up_to": 100 * MODEL.dimension // 384}})
    users = {home.user: 150, f"small-{home.user}": 20}
    grown = grow(home, Growth(users, origins=60, step=100, rebuild=True, strategy=strategy), model=MODEL)
    assert [row["held"] for row in grown["steps"]] == [100, 150, 20]
    assert {"drawer", "passage", "passage_embedding"} <= {row["name"] for row in grown["sizes"]}
    assert grown["total_mb"] > sum(row["mb"] for row in grown["sizes"]) > grown["hnsw_mb"] > 0
    queries = measure.own_sentences(home, count=10, embedder=MODEL)
    scans = semantic(home, queries, embedder=MODEL)["scans"]
    assert [row["recall"] for row in scans if row["scan"] == "exact"] == [1.0, 1.0]
    # The 48 bits of this model tell less than the 384 of a real one.
    assert min(row["recall"] for row in scans) > 0.35
