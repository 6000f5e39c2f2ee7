"""Measuring size and speed: the command line, the texts, palaces that are grown, HNSW against the exact scan."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import pytest

from bench.scale import measure
from bench.scale.__main__ import main
from bench.scale.grow import Growth, grow
from bench.scale.million import Size, million
from bench.scale.semantic import semantic
from bench.speed.__main__ import main as measure_speed
from palace import Strategy
from palace.config.settings import BUNDLED_MODEL, Settings
from palace.testing import HashingEmbedder


def test_a_shared_server_in_the_settings_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_DATABASE_URL", "postgresql://derek@nowhere.invalid/memory")
    with pytest.raises(SystemExit) as ending:
        main(["semantic", "--home", str(tmp_path / "home")])
    assert ending.value.code == "bench.scale measures an embedded server of its own: unset PALACE_DATABASE_URL"


GROWN_MODEL = HashingEmbedder(48)
"""Of a dimension that no other test uses: the index that is built here is of its generation alone."""


@pytest.fixture
def home(settings: Settings, folder: Path) -> Settings:
    return settings.model_copy(update={"home": folder, "user": f"large-{uuid.uuid4()}"})


@pytest.mark.nightly
def test_a_palace_grows_in_steps_and_is_asked(home: Settings) -> None:
    strategy = Strategy.of({"scan": {"quantised_up_to": 100 * GROWN_MODEL.dimension // 384}})
    users = {home.user: 150, f"small-{home.user}": 20}
    grown = grow(home, Growth(users, origins=60, step=100, rebuild=True, strategy=strategy), model=GROWN_MODEL)
    assert [row["held"] for row in grown["steps"]] == [100, 150, 20]
    assert {"drawer", "passage", "passage_embedding"} <= {row["name"] for row in grown["sizes"]}
    assert grown["total_mb"] > sum(row["mb"] for row in grown["sizes"]) > grown["hnsw_mb"] > 0
    queries = measure.own_sentences(home, count=10, embedder=GROWN_MODEL)
    scans = semantic(home, queries, embedder=GROWN_MODEL)["scans"]
    assert [row["recall"] for row in scans if row["scan"] == "exact"] == [1.0, 1.0]
    # The 48 bits of this model tell less than the 384 of a real one.
    assert min(row["recall"] for row in scans) > 0.35


MODEL = HashingEmbedder(56)
"""Of a dimension that no other test uses: the index that is built here is of its generation alone."""

SIZE = Size(users=5, largest=150, total=330, sample=7, origins=60, step=100, queries=10)


@pytest.mark.nightly
def test_a_small_palace_of_many_users_is_filled_timed_and_asked(settings: Settings, folder: Path) -> None:
    # Another model than the palace's is refused before anybody looks for it.
    home = settings.model_copy(
        update={"user": f"many-{uuid.uuid4()}", "embedding_model": BUNDLED_MODEL, "home": folder}
    )
    filled = million(home, SIZE, model=MODEL)
    assert (filled["drawers"], filled["users"]) == (330, 5)
    held = [row["held"] for row in filled["filing"]]
    assert held == [7, SIZE.middle - 7, 7, SIZE.middle, 150]
    assert all(row["wal_mb"] > 0 for row in filled["filing"])
    assert filled["hnsw"]["built_mb"] > 0
    assert [row["held"] for row in filled["recall"]] == [150, SIZE.middle]
    assert all(row["hits_each"] > 0 for row in filled["recall"])
    assert [problem for problem in filled["doctor"] if not problem.startswith("model ")] == []


@pytest.mark.nightly
def test_each_part_gives_its_ratios(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert measure_speed(["--sizes", "20", "--queries", "3", "--chats", "2", "--runs", "1", "--out", str(out)]) == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["part"] for line in lines] == ["recall", "mining", "start", "start"]
    assert [line["drawers"] for line in lines[:2]] == [20, 24]
    ratios = {name: value for line in lines for name, value in line.items() if " / " in name}
    assert (len(ratios), min(ratios.values()) > 0) == (15, True)
