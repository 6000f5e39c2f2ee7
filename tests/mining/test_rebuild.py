"""Rebuilding: the same index as before, whatever was amiss, and nothing of what is no index."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palace import EmbeddingError, Palace, Phase, Progress, Settings
from palace.testing import HashingEmbedder
from tests.held import execute, findings, rows

LONG = " ".join(f"The keel of boat {number} is laid in yard {number * 7}." for number in range(60))
TURNS = [
    ("user", "The 12-AWG silicone wire overheated after ten minutes."),
    ("assistant", LONG),
    ("tool", '{"amps": 60, "wire": "8 AWG"}'),
    ("user", " \n\t\u00a0"),
    ("assistant", "Use an 8-AWG wire between the battery and the motor controller."),
    ("user", "Our holiday in Lisbon: which hotel is near the river?"),
    ("assistant", "The hotel at the river in Lisbon has rooms in September."),
]

# What is an index, row by row, by what it says.
INDEX = {
    "passages": "SELECT drawer_id, ordinal, char_start, char_end, kind, tsv::text, room_id, is_person,"
    " is_standing FROM passage ORDER BY 1, 2",
    "times": "SELECT id, spoken_of::text FROM drawer ORDER BY 1",
    "closets": "SELECT d.id, d.room_id, k.slug, k.name FROM drawer d LEFT JOIN closet k ON k.id = d.closet_id"
    " AND k.user_id = d.user_id ORDER BY 1",
    "closet": "SELECT room_id, slug, name FROM closet ORDER BY 1, 2",
    "counts": "SELECT counted, sum(amount)::int FROM count_delta GROUP BY 1 ORDER BY 1",
    "entities": "SELECT id, key, name, type, is_named FROM entity ORDER BY 1",
    "aliases": "SELECT conversation_id, folded, name, type, is_named, count, family, entity_id FROM alias"
    " ORDER BY 1, 2",
    "mentions": "SELECT drawer_id, char_start, char_end, folded FROM mention ORDER BY 1, 2",
    "assertions": "SELECT drawer_id, ordinal, subject, predicate, object, object_folded, action, until, superseded_by"
    " FROM assertion ORDER BY 1, 2",
    "relations": "SELECT subject_id, predicate, ordinal, object, object_id, valid::text, recorded_at, superseded_at"
    " FROM relation ORDER BY 1, 2, 3",
    "steps": "SELECT conversation_id, step, version, attempts, failure FROM index_step ORDER BY 1, 2",
}
# What is none: a rebuild does not touch it.
KEPT = {
    "drawers": "SELECT id, room_id, number, conversation_id, run_id, identity, position, role, content, filed_at"
    " FROM drawer ORDER BY id",
    "conversations": "SELECT id, identity, title, run_id, filed_at FROM conversation ORDER BY id",
    **{
        table: f"SELECT t::text FROM {table} AS t ORDER BY 1"
        for table in ("wing", "wing_alias", "room", "room_alias", "tombstone", "mining_run", "run_basis")
    },
}
VECTORS = "SELECT drawer_id, ordinal, generation_id, embedding::text FROM passage_embedding ORDER BY 1, 2, 3"


class Snapshot:
    """A user's palace at one moment."""

    def __init__(self, palace: Palace) -> None:
        self.index = {name: rows(palace, query) for name, query in INDEX.items()}
        self.kept = {name: rows(palace, query) for name, query in KEPT.items()}
        self.vectors = {tuple(key): json.loads(vector) for *key, vector in rows(palace, VECTORS) if vector}

    def assert_same(self, other: Snapshot, *, but: str = "") -> None:
        assert other.index | {but: None} == self.index | {but: None}
        assert other.kept == self.kept
        assert other.vectors.keys() == self.vectors.keys()
        for key, vector in self.vectors.items():
            np.testing.assert_allclose(other.vectors[key], vector, atol=1e-3)


def write(path: Path, name: str, turns: list[tuple[str, str]]) -> Path:
    messages = [{"role": role, "content": content} for role, content in turns]
    path.write_text(json.dumps({"id": name, "messages": messages}), encoding="utf-8")
    return path


@pytest.fixture
def mined(palace: Palace, tmp_path: Path) -> Palace:
    """Four conversations in two wings."""
    paths = [
        write(tmp_path / f"{number}.json", str(number), [*TURNS, ("user", f"This was talk number {number}.")])
        for number in range(4)
    ]
    palace.mine(*paths[:3], wing="Boats")
    palace.mine(paths[3], wing="Travel")
    return palace


def again(settings: Settings, palace: Palace, embedder: HashingEmbedder) -> Palace:
    return Palace.open(settings, user=palace.user, embedder=embedder)


class Meddling(HashingEmbedder):
    """An embedder that lets something else happen while it embeds, once."""

    def __init__(self, meddle: Callable[[], object]) -> None:
        super().__init__()
        self.meddle: Callable[[], object] | None = meddle

    def embed_passages(self, texts: Any) -> Any:
        if self.meddle is not None:
            meddle, self.meddle = self.meddle, None
            meddle()
        return super().embed_passages(texts)


def test_a_rebuilt_palace_is_the_same_as_before(mined: Palace) -> None:
    execute(
        mined,
        "UPDATE wing SET name = 'Ships' WHERE slug = 'boats'",
        "UPDATE room SET name = 'Renamed' WHERE number = 2",
        "INSERT INTO room_alias (user_id, wing_number, room_number, room_id) SELECT user_id, 90, id, id FROM room",
        "INSERT INTO tombstone (user_id, identity, conversation_id, position)"
        " SELECT user_id, 'forgotten', min(id), 9 FROM conversation GROUP BY user_id",
    )
    before = Snapshot(mined)
    old = rows(mined, "SELECT max(done_at) FROM index_step")
    told: list[Progress] = []
    summary = mined.rebuild(progress=told.append)
    # How much there is to do is known before the first of it is done.
    assert {now.total for now in told if now.phase is Phase.CUT} == {32}
    assert told[-1] == Progress(Phase.INDEX, 1, 1, "indexes", "testing/hashing-384")
    before.assert_same(Snapshot(mined))
    assert findings(mined) == set()
    assert rows(mined, "SELECT min(done_at) FROM index_step") > old
    assert (summary.conversations, summary.conversations_left, summary.drawers) == (4, 0, 32)
    assert summary.passages == mined.status().passages
    assert summary.passages_embedded == len(before.vectors) == summary.passages - 4
    assert (summary.wing, summary.resumed, summary.warnings) == (None, False, ())


@pytest.mark.nightly
def test_a_rebuilt_wing_is_the_same_as_before_and_the_others_are_left_alone(mined: Palace) -> None:
    before = Snapshot(mined)
    untouched = "SELECT p.drawer_id, p.ordinal, p.xmin::text FROM passage p JOIN drawer d ON d.id = p.drawer_id"
    untouched += " JOIN room r ON r.id = d.room_id JOIN wing w ON w.id = r.wing_id WHERE w.slug = :slug ORDER BY 1, 2"
    boats, travel = rows(mined, untouched, slug="boats"), rows(mined, untouched, slug="travel")
    summary = mined.rebuild(wing="Travel")
    before.assert_same(Snapshot(mined))
    assert (summary.wing, summary.conversations, summary.drawers) == ("Travel", 1, 8)
    assert rows(mined, untouched, slug="boats") == boats
    assert rows(mined, untouched, slug="travel") != travel


DAMAGE = {
    "all passages deleted": ("DELETE FROM passage", {"counts", "passages"}),
    "spans beyond their drawers": ("UPDATE passage SET char_end = char_end + 100000", {"passages"}),
    "passages too many": (
        "INSERT INTO passage (user_id, drawer_id, ordinal, char_start, char_end, tsv, room_id, is_person, kind)"
        " SELECT user_id, id, 7, 0, 5, 'zebra', room_id, false, 'whole' FROM drawer",
        {"counts", "passages", "orphans"},
    ),
    "garbage keywords": ("UPDATE passage SET tsv = 'zebra'", set()),
    "garbage vectors": (
        "UPDATE passage_embedding SET embedding = (SELECT array_agg(0.05)::vector FROM generate_series(1, 384))",
        set(),
    ),
    "embeddings emptied": ("UPDATE passage_embedding SET embedding = NULL", {"pending"}),
    "wrong counts": (
        "INSERT INTO count_delta (user_id, counted, amount) SELECT id, 'drawer', 5 FROM palace_user",
        {"counts"},
    ),
    "no counts": ("DELETE FROM count_delta", {"counts"}),
    "closets removed": ("DELETE FROM closet", {"closets"}),
    "an entity that nothing names": (
        "INSERT INTO entity (user_id, key, name, type, is_named) SELECT id, 'zebra', 'Zebra', 'item', true"
        " FROM palace_user",
        {"graph"},
    ),
    "a relation that nothing says": (
        "WITH named AS (INSERT INTO entity (user_id, key, name, type, is_named)"
        " SELECT id, 'zebra', 'Zebra', 'item', true FROM palace_user RETURNING user_id, id)"
        " INSERT INTO relation"
        " (user_id, subject_id, predicate, ordinal, object, is_single, from_precision, recorded_at)"
        " SELECT user_id, id, 'is', 0, 'a horse', true, 'day', now() FROM named",
        {"graph"},
    ),
    "tools embedded": ("UPDATE passage SET kind = 'whole' WHERE kind IN ('tool', 'keywords')", {"orphans"}),
}


@pytest.mark.nightly
@pytest.mark.parametrize(
    "damages",
    [
        ["garbage vectors", "wrong counts", "closets removed", "passages too many"],
        *(pytest.param([each], marks=pytest.mark.nightly) for each in DAMAGE),
    ],
)
def test_a_damaged_index_is_found_and_mended(mined: Palace, damages: list[str]) -> None:
    before = Snapshot(mined)
    for damage in damages:
        execute(mined, DAMAGE[damage][0])
    assert findings(mined) >= {found for damage in damages for found in DAMAGE[damage][1]}
    mined.rebuild()
    before.assert_same(Snapshot(mined))
    assert findings(mined) == set()


@pytest.mark.nightly
def test_a_conversation_longer_than_a_portion_is_rebuilt_whole(palace: Palace, tmp_path: Path) -> None:
    turns = [("user" if n % 2 else "assistant", f"Turn {n} speaks of harbour {n % 5}.") for n in range(300)]
    palace.mine(write(tmp_path / "long.json", "long", turns))
    before = Snapshot(palace)
    execute(palace, "DELETE FROM passage")
    assert palace.rebuild().drawers == 300
    before.assert_same(Snapshot(palace))


def test_an_empty_palace_has_nothing_to_rebuild(palace: Palace) -> None:
    summary = palace.rebuild()
    assert (summary.conversations, summary.conversations_left, summary.warnings) == (0, 0, ())
    assert palace.embeddings.status() == ()


@pytest.mark.nightly
def test_a_model_that_fails_is_a_warning_and_the_same_call_goes_on(
    settings: Settings, palace: Palace, tmp_path: Path
) -> None:
    for talk in range(4):
        turns = [("user", f"The boat in berth {talk}-{number} is at sea.") for number in range(100)]
        palace.mine(write(tmp_path / f"{talk}.json", str(talk), turns))
    before = Snapshot(palace)
    failing = HashingEmbedder(fail_on=lambda text: "berth 3-50 " in text)
    with again(settings, palace, failing) as stopped:
        first = stopped.rebuild()
        assert (first.conversations, first.conversations_left) == (3, 1)
        assert "run the same command again" in first.warnings[0]
        before.assert_same(Snapshot(palace), but="steps")
        assert [(step.name, step.pending, step.failed) for step in palace.status().steps if step.pending] == [
            ("passages", 1, 1)
        ]
    second = palace.rebuild()
    assert (second.resumed, second.conversations, second.conversations_before) == (True, 1, 3)
    before.assert_same(Snapshot(palace))
    assert palace.rebuild().resumed is False


def test_another_model_in_the_settings_is_refused_before_anything_is_done(settings: Settings, palace: Palace) -> None:
    palace.note("The keel of the boat is laid.")
    with again(settings, palace, HashingEmbedder(dimension=64)) as other, pytest.raises(EmbeddingError, match="switch"):
        other.rebuild()
    assert rows(palace, "SELECT count(*) FROM rebuild") == [(0,)]


@pytest.mark.nightly
def test_a_miner_that_adds_to_the_conversation_meanwhile_loses_nothing(
    settings: Settings, mined: Palace, tmp_path: Path
) -> None:
    grown = write(tmp_path / "0.json", "0", [*TURNS, ("user", "This was talk number 0."), ("user", "And one more.")])
    with again(settings, mined, Meddling(lambda: mined.mine(grown))) as rebuilding:
        rebuilding.rebuild()
    after = Snapshot(mined)
    assert len(after.kept["drawers"]) == 33
    assert findings(mined) == set()
    assert mined.recall("one more").hits[0].drawer.content == "And one more."
    mined.rebuild()
    after.assert_same(Snapshot(mined))


@pytest.mark.nightly
def test_what_is_forgotten_meanwhile_does_not_come_back(settings: Settings, mined: Palace) -> None:
    with again(settings, mined, Meddling(lambda: mined.forget("§ W-001/R-01/D-002"))) as rebuilding:
        summary = rebuilding.rebuild()
    assert (summary.drawers, summary.conversations_left) == (31, 0)
    assert len(rows(mined, "SELECT id FROM drawer")) == 31
    assert findings(mined) == set()


@pytest.mark.nightly
def test_another_users_rows_are_not_touched(settings: Settings, mined: Palace) -> None:
    with Palace.open(settings, user=f"other-{uuid.uuid4()}", embedder=HashingEmbedder()) as other:
        other.note("The vault code is 4711.")
        tables = ("passage", "passage_embedding", "closet", "count_delta", "conversation", "drawer")
        queries = [f"SELECT t::text, xmin::text FROM {table} AS t" for table in tables]
        before = [rows(other, query) for query in queries]
        mined.rebuild()
        assert [rows(other, query) for query in queries] == before
