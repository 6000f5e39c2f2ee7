"""A small palace is grown, measured and asked."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from bench.scale import measure
from bench.scale.corpus import synthetic_conversations, write_export
from bench.scale.grow import Growth, grow
from bench.scale.profile import profile
from bench.scale.semantic import semantic
from palace import Strategy
from palace.settings import Settings
from palace.testing import HashingEmbedder

MODEL = HashingEmbedder(48)
"""Of a dimension that no other test uses: the index that is built here is of its generation alone."""


@pytest.fixture(scope="module")
def home(settings: Settings) -> Iterator[Settings]:
    """Settings of a user of these tests' own, with a folder to write to."""
    with TemporaryDirectory() as folder:
        yield settings.model_copy(update={"home": Path(folder), "user": f"large-{uuid.uuid4()}"})


@pytest.fixture(scope="module")
def grown(home: Settings) -> dict[str, Any]:
    """What growing two palaces came to, one large enough for an index, one not."""
    strategy = Strategy.of({"scan": {"quantised_up_to": 100 * MODEL.dimension // 384}})
    users = {home.user: 150, f"small-{home.user}": 20}
    return grow(home, Growth(users, origins=60, step=100, rebuild=True, strategy=strategy), model=MODEL)


def test_a_palace_grows_to_its_size_in_steps(grown: dict[str, Any]) -> None:
    assert grown["drawers"] == 170
    assert [row["held"] for row in grown["steps"]] == [100, 150, 20]
    assert all(row["passages"] >= row["drawers"] for row in grown["steps"])


def test_sizes_list_the_tables_and_the_index(grown: dict[str, Any]) -> None:
    assert {"drawer", "passage", "passage_embedding"} <= {row["name"] for row in grown["sizes"]}
    assert grown["total_mb"] > sum(row["mb"] for row in grown["sizes"]) > grown["hnsw_mb"]
    assert grown["hnsw_mb"] > 0
    assert grown["hnsw_build_seconds"] > 0


def test_growing_again_adds_nothing(grown: dict[str, Any], home: Settings) -> None:
    assert grow(home, Growth({home.user: 150}, origins=60), model=MODEL)["drawers"] == 0


def test_hnsw_finds_nearly_everything_in_a_small_palace(grown: dict[str, Any], home: Settings) -> None:
    queries = measure.own_sentences(home, count=10, embedder=MODEL)
    scans = semantic(home, queries, embedder=MODEL)["scans"]
    assert [row["recall"] for row in scans if row["scan"] == "exact"] == [1.0, 1.0]
    # The 48 bits of this model tell less than the 384 of a real one.
    assert min(row["recall"] for row in scans) > 0.35


def test_recall_is_measured_by_set_and_step(grown: dict[str, Any], home: Settings) -> None:
    queries = measure.own_sentences(home, count=5, embedder=MODEL)
    result = measure.recall(home, {"sentences": queries}, embedder=MODEL)
    assert result["drawers"] == 150
    assert {"total_ms", "embed_ms", "keyword_ms", "semantic_ms"} <= set(result["sentences"])
    assert result["sentences"]["hits_each"] > 0


def test_an_empty_palace_is_not_measured(home: Settings) -> None:
    empty = home.model_copy(update={"user": f"empty-{home.user}"})
    with pytest.raises(SystemExit, match="has no drawers"):
        measure.own_sentences(empty, count=5, embedder=MODEL)


def test_a_profile_sees_the_mine_and_the_recalls(home: Settings) -> None:
    newcomer = home.model_copy(update={"user": f"newcomer-{home.user}"})
    export = home.home / "export.jsonl"
    write_export(export, synthetic_conversations(), drawers=60)
    result = profile(newcomer, export, ["which wire"] * 60, embedder=MODEL)
    assert result["drawers"] == 60
    assert any(row["step"].startswith("main: mining.") for row in result["mine"])
    assert any("keyword" in row["step"] for row in result["recall"])
