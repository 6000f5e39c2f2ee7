"""A palace of many users is filled, measured and asked; a copied user is a user like any other."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from bench.scale import measure
from bench.scale.corpus import Messages, synthetic_conversations, write_export
from bench.scale.million.copying import Noise, copy_user, owned
from bench.scale.million.run import million
from bench.scale.million.size import Size
from bench.scale.report import Result, rows_table
from bench.scale.vectors import nearest_cosines
from palace import Palace
from palace.administration import Administration
from palace.embedding.protocol import Vectors
from palace.opened import OpenPalace
from palace.records import Verdict
from palace.settings import BUNDLED_MODEL, Settings
from palace.store.database import Database
from palace.store.users import ensure_user
from palace.tables import Base
from palace.testing import HashingEmbedder

MODEL = HashingEmbedder(56)
"""Of a dimension that no other test uses: the index that is built here is of its generation alone."""

SIZE = Size(users=5, largest=150, total=330, sample=7, origins=60, step=100, queries=10)


@pytest.fixture(scope="module")
def home(settings: Settings) -> Iterator[Settings]:
    """Settings of users of these tests' own, with a folder to write to."""
    with TemporaryDirectory() as folder:
        yield _as(settings, f"many-{uuid.uuid4()}").model_copy(update={"home": Path(folder)})


@pytest.fixture(scope="module")
def filled(home: Settings) -> dict[str, Any]:
    """What filling a small palace of many users came to."""
    return million(home, SIZE, model=MODEL)


@pytest.fixture
def template(settings: Settings, folder: Path) -> Iterator[Palace]:
    """The palace of a user who has mined what their tests call ``first.jsonl``."""
    with Palace.open(settings, user=f"template-{uuid.uuid4()}", embedder=MODEL) as palace:
        palace.mine(_export(folder / "first.jsonl", synthetic_conversations(), drawers=40))
        palace.note("The lathe stands in the shed.", wing="House")
        yield palace


@pytest.fixture
def copy(settings: Settings, database: Database, template: Palace) -> Iterator[Palace]:
    """The palace of a copy of that user."""
    name = f"copy-{uuid.uuid4()}"
    with owned(database) as owner:
        copy_user(owner, ensure_user(database, template.user), name, Noise.draw(MODEL.dimension, seed=1))
    with Palace.open(settings, user=name, embedder=MODEL) as palace:
        yield palace


def _export(path: Path, found: Iterator[Messages], *, drawers: int) -> Path:
    write_export(path, found, drawers=drawers, prefix=path.stem)
    return path


def _as(settings: Settings, name: str) -> Settings:
    # Another model than the palace's is refused before anybody looks for it.
    return settings.model_copy(update={"user": name, "embedding_model": BUNDLED_MODEL})


def problems(settings: Settings) -> list[str]:
    """What the doctor finds wrong with a user's palace; not its model, which only the tests have."""
    checks = Administration(settings).doctor()
    return [check.finding for check in checks if check.verdict is not Verdict.OK and check.name != "model"]


def vectors_of(settings: Settings, name: str) -> Vectors:
    """The vectors of a user's passages, in the order in which they were filed."""
    opened = OpenPalace.open(settings, user=name, embedder=MODEL)
    with opened.session() as session:
        query = "SELECT embedding::text FROM passage_embedding WHERE user_id = %s ORDER BY drawer_id, ordinal"
        rows = session.connection.exec_driver_sql(query, (session.user_id,)).scalars().all()
    opened.database.shared.close()
    return np.array([row.strip("[]").split(",") for row in rows], np.float32)


def test_all_users_together_have_what_was_asked_for(filled: dict[str, Any]) -> None:
    assert (filled["drawers"], filled["users"]) == (330, 5)
    assert filled["passages"] >= filled["drawers"]


def test_the_first_and_the_last_drawers_are_timed(filled: dict[str, Any], home: Settings) -> None:
    assert [(row["user"].removeprefix(f"{home.user}-"), row["drawers"], row["held"]) for row in filled["filing"]] == [
        ("large", 7, 7),
        ("middle", 7, SIZE.middle - 7),
        ("new", 7, 7),
        ("middle", 7, SIZE.middle),
        ("large", 7, 150),
    ]
    assert filled["filing"][0]["ratio"] == 1
    assert all(row["wal_mb"] > 0 for row in filled["filing"])


def test_what_the_server_works_on_is_seen_at_first_and_at_last(filled: dict[str, Any]) -> None:
    seen = [name for name in filled if name.startswith("server_at_")]
    assert seen == ["server_at_first", *(f"server_at_last_{row['user']}_{row['held']}" for row in filled["filing"][1:])]


def test_the_index_is_built_by_the_product_when_all_is_there(filled: dict[str, Any]) -> None:
    assert filled["hnsw"]["built_mb"] > 0
    assert set(filled["seconds"]) == {
        "mine_template", "mine_middle", "mine_large", "copy", "fill", "vacuum", "hnsw",
    }  # fmt: skip


def test_the_large_and_the_middle_user_are_asked_arm_by_arm(filled: dict[str, Any]) -> None:
    assert [row["held"] for row in filled["recall"]] == [150, SIZE.middle]
    for row in filled["recall"]:
        assert {"total_ms", "embed_ms", "keyword_ms", "semantic_ms", "load_ms"} <= set(row)
        assert row["hits_each"] > 0


def test_the_doctor_is_content_with_a_measured_palace(filled: dict[str, Any]) -> None:
    assert [problem for problem in filled["doctor"] if not problem.startswith("model ")] == []


def test_its_lists_can_be_written_as_tables(filled: dict[str, Any]) -> None:
    lists: list[list[Result]] = [filled["filing"], filled["recall"], filled["sizes"]]
    assert [len(rows_table(rows)) for rows in lists] == [2 + len(rows) for rows in lists]


def test_a_palace_that_is_filled_is_not_filled_again(filled: dict[str, Any], home: Settings) -> None:
    with pytest.raises(SystemExit, match="filled already"):
        million(home, SIZE, model=MODEL)


def test_a_copy_answers_as_the_palace_it_was_copied_from(template: Palace, copy: Palace, settings: Settings) -> None:
    assert (copy.status().drawers, copy.status().passages) == (template.status().drawers, template.status().passages)
    for query in measure.own_sentences(_as(settings, template.user), count=5, embedder=MODEL):
        hit, same = template.recall(query).hits[0], copy.recall(query).hits[0]
        assert (same.drawer.content, same.drawer.pointer) == (hit.drawer.content, hit.drawer.pointer)


def test_the_doctor_finds_nothing_wrong_with_a_copy(copy: Palace, settings: Settings) -> None:
    assert problems(_as(settings, copy.user)) == []


def test_a_copy_knows_what_it_has_and_mines_on(copy: Palace, folder: Path, settings: Settings) -> None:
    again = copy.mine(folder / "first.jsonl")
    assert (again.drawers_new, again.drawers_unchanged) == (0, 40)
    more = copy.mine(_export(folder / "more.jsonl", synthetic_conversations(seed=2), drawers=30), wing="House")
    assert more.drawers_new == 30
    assert problems(_as(settings, copy.user)) == []


def test_a_copy_has_ids_of_its_own(copy: Palace, template: Palace, database: Database) -> None:
    users = [ensure_user(database, palace.user) for palace in (template, copy)]
    with owned(database) as owner, owner.without_user() as connection:
        connection.exec_driver_sql("SET LOCAL ROLE NONE")
        for table in Base.metadata.sorted_tables:
            if {"id", "user_id"} <= set(table.columns.keys()):
                query = f"SELECT id FROM {table.name} WHERE user_id = %s"
                ids = [set(connection.exec_driver_sql(query, (user,)).scalars()) for user in users]
                assert len(ids[0]) == len(ids[1])
                assert not ids[0] & ids[1]


def test_a_copy_leaves_its_template_as_it_was(template: Palace, copy: Palace, folder: Path, settings: Settings) -> None:
    copy.mine(_export(folder / "more.jsonl", synthetic_conversations(seed=2), drawers=30))
    assert template.status().drawers == 41
    assert problems(_as(settings, template.user)) == []


def test_a_copys_vectors_are_others_but_as_near_to_each_other(
    template: Palace, copy: Palace, settings: Settings
) -> None:
    given, moved = vectors_of(settings, template.user), vectors_of(settings, copy.user)
    cosines = np.sum(given * moved, axis=1)
    assert 0.5 < cosines.min() < cosines.max() < 0.99
    assert np.allclose(np.linalg.norm(moved, axis=1), 1, atol=1e-3)
    near, same = (np.median(nearest_cosines(vectors, vectors)) for vectors in (given, moved))
    assert abs(near - same) < 0.1


def test_two_copies_have_different_noise() -> None:
    first, again, other = (Noise.draw(384, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.signs, again.signs)
    assert first.shift == again.shift
    assert not np.array_equal(np.sign(first.signs), np.sign(other.signs))


@pytest.mark.parametrize(
    "change",
    [{"users": 4}, {"total": 100}, {"sample": 0}, {"sample": 40}, {"largest": 0}],
    ids=["too few users", "too few drawers", "no sample", "a sample larger than the middle user", "nobody large"],
)
def test_a_size_that_leaves_somebody_with_too_little_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(SystemExit, match=r"at least|too few"):
        replace(SIZE, **change)


def test_a_million_over_a_hundred_users_comes_out_even() -> None:
    size = Size()
    parts = [size.largest, size.middle, size.sample, size.each * (1 + size.copies)]
    assert sum(parts) == 1_000_000
    assert 3 + 1 + size.copies == 100
    assert 10_000 <= size.middle < 10_100
