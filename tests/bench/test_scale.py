"""Measuring size and speed: the command line, the texts, palaces that are grown, HNSW against the exact scan."""

from __future__ import annotations

import random
import re
import uuid
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.scale import corpus, measure
from bench.scale.__main__ import main
from bench.scale.grow import Growth, grow
from bench.scale.million import Size, million
from bench.scale.semantic import recall_at, semantic
from palace import PassageKey, Strategy
from palace.config.settings import BUNDLED_MODEL, Settings
from palace.testing import HashingEmbedder


def test_a_shared_server_in_the_settings_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_DATABASE_URL", "postgresql://derek@nowhere.invalid/memory")
    with pytest.raises(SystemExit) as ending:
        main(["semantic", "--home", str(tmp_path / "home")])
    assert ending.value.code == "bench.scale measures an embedded server of its own: unset PALACE_DATABASE_URL"


CHAT = [
    {"role": "user", "content": "Which wire should carry the motor current?"},
    {"role": "assistant", "content": "Take a thick silicone wire.\nShort ones stay cool."},
]


def test_made_up_conversations_are_the_same_each_time() -> None:
    first, second = (list(islice(corpus.synthetic_conversations(), 3)) for _ in range(2))
    assert first == second


@given(st.text(alphabet=" .-aZ7äß", max_size=30))
def test_varying_a_text_keeps_all_but_its_longer_words(text: str) -> None:
    longer = re.compile(r"[^\W\d_]{4,}")
    varied = corpus.vary(text, ["other"], random.Random(1))
    assert longer.sub("word", varied) == longer.sub("word", text)


def test_an_export_holds_as_many_turns_as_were_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    assert corpus.write_export(path, iter([CHAT, CHAT, CHAT]), drawers=3) == 3
    assert corpus.read_export(path) == [CHAT, CHAT[:1]]


def test_a_sentence_is_taken_of_each_content_that_has_one() -> None:
    contents = ["Thanks!", "Take the thick silicone wire. Yes.", "one two three four " * 20]
    assert corpus.sentences(contents) == ["Take the thick silicone wire.", " ".join(["one two three four"] * 6)]


def passages(*ordinals: int) -> list[PassageKey]:
    """Passages of one drawer."""
    return [PassageKey(1, ordinal) for ordinal in ordinals]


def test_recall_is_the_share_of_the_nearest_that_was_found() -> None:
    there = passages(1, 2, 3, 4)
    assert recall_at(4, passages(4, 3, 2, 1), there) == 1.0
    assert recall_at(4, passages(1, 2, 9, 8), there) == 0.5
    assert recall_at(4, passages(1), there) == 0.25
    assert recall_at(2, passages(9, 1, 2), there) == 0.5
    assert recall_at(9, there, there) == 1.0  # fewer than were asked for
    assert recall_at(20, [], []) == 1.0


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


def test_sizes_come_out_even_and_leave_nobody_with_too_little() -> None:
    size = Size()
    assert size.largest + size.middle + size.sample + size.each * size.others == 1_000_000
    assert 3 + size.others == 100
    changes: list[dict[str, Any]] = [{"users": 4}, {"total": 100}, {"sample": 0}, {"sample": 40}, {"largest": 0}]
    for change in changes:
        with pytest.raises(SystemExit, match=r"at least|too few"):
            replace(SIZE, **change)
