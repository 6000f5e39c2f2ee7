"""A palace of many users is filled, measured and asked; a copied user is a user like any other."""

from __future__ import annotations

import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.scale.corpus import synthetic_conversations, write_export
from bench.scale.million.copying import Noise, copy_user, owned
from bench.scale.million.run import million
from bench.scale.million.size import Size
from palace import Palace
from palace.settings import BUNDLED_MODEL, Settings
from palace.testing import HashingEmbedder

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
def test_a_copy_answers_as_its_template_and_mines_on(settings: Settings, folder: Path) -> None:
    first, more = folder / "first.jsonl", folder / "more.jsonl"
    write_export(first, synthetic_conversations(), drawers=40, prefix="first")
    write_export(more, synthetic_conversations(seed=2), drawers=30, prefix="more")
    name = f"copy-{uuid.uuid4()}"
    with Palace.open(settings, user=f"template-{uuid.uuid4()}", embedder=MODEL) as template:
        template.mine(first)
        template.note("The lathe stands in the shed.", wing="House")
        opened = template._opened.database
        with owned(opened.shared) as owner:
            copy_user(owner, opened.user_id, name, Noise.draw(MODEL.dimension, seed=1))
        with Palace.open(settings, user=name, embedder=MODEL) as copy:
            assert copy.status().drawers == template.status().drawers == 41
            assert copy.recall("the lathe").hits[0].drawer.content == "The lathe stands in the shed."
            again = copy.mine(first)
            assert (again.drawers_new, again.drawers_unchanged) == (0, 40)
            assert copy.mine(more, wing="House").drawers_new == 30
            assert template.status().drawers == 41


def test_two_copies_have_different_noise() -> None:
    first, again, other = (Noise.draw(384, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.signs, again.signs)
    assert first.shift == again.shift
    assert not np.array_equal(np.sign(first.signs), np.sign(other.signs))


def test_sizes_come_out_even_and_leave_nobody_with_too_little() -> None:
    size = Size()
    assert size.largest + size.middle + size.sample + size.each * (1 + size.copies) == 1_000_000
    assert 3 + 1 + size.copies == 100
    changes: list[dict[str, Any]] = [{"users": 4}, {"total": 100}, {"sample": 0}, {"sample": 40}, {"largest": 0}]
    for change in changes:
        with pytest.raises(SystemExit, match=r"at least|too few"):
            replace(SIZE, **change)
