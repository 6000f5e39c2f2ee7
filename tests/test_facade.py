"""The façade: recall as a person gets it, the model and its change, the doctor, the server."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from palace import Administration, Palace, Settings
from palace.errors import BadRequest, DatabaseUnavailable, EmbeddingError, NotFound, SchemaMismatch
from palace.models import Verdict
from palace.testing import HashingEmbedder

SAID = [
    "The silicone wire of the battery overheated on the water.",
    "Take a thicker wire and a shorter run to the controller.",
    "For the holiday we booked a hotel in Lisbon near the river.",
    "The hotel in Lisbon has breakfast until eleven.",
    "  THE SILICONE wire of the battery overheated on the water. ",
]


@pytest.fixture
def mined(palace: Palace, tmp_path: Path) -> Palace:
    talk = [{"role": "user", "content": content} for content in SAID]
    path = tmp_path / "talk.json"
    path.write_text(json.dumps({"id": "t", "title": "Boats", "messages": talk}), encoding="utf-8")
    palace.mine(path, wing="Efoil")
    return palace


def test_a_hit_says_what_where_and_why(mined: Palace) -> None:
    hit = mined.recall("which wire overheated?").hits[0]
    assert "overheated" in hit.drawer.content
    assert (hit.drawer.wing_name, hit.drawer.room_name) == ("Efoil", "Boats")
    assert hit.drawer.closet_name
    assert [score.arm for score in hit.arms] == ["semantic", "keyword", "room"]
    assert hit.drawer.content[slice(*hit.passage)].strip() == hit.drawer.content.strip()


def test_what_was_said_in_two_conversations_is_one_hit_that_names_both(mined: Palace, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(json.dumps({"id": "o", "messages": [{"role": "user", "content": SAID[3].upper()}]}))
    mined.mine(path, wing="Travel")
    (hit, *others) = mined.recall("hotel breakfast until eleven").hits
    assert {str(drawer.pointer) for drawer in (hit.drawer, *hit.again)} == {"§ W-001/R-01/D-004", "§ W-002/R-01/D-001"}
    assert not any(hit.drawer.content == other.drawer.content for other in others)
    assert [hit.again for hit in mined.recall("silicone battery", top_k=1).hits if hit.drawer.content == SAID[2]] == []


def test_who_said_it_is_found_by_name(palace: Palace, tmp_path: Path) -> None:
    said = [("Ana", "Mine leak a little."), ("Derek", "Boats are what I like."), ("Ana", "Boats are too slow for me.")]
    talk = [{"role": "user", "name": name, "content": content} for name, content in said]
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(talk), encoding="utf-8")
    palace.mine(path)
    assert palace.recall("what did Ana say about boats?").hits[0].drawer.content == said[2][1]
    assert palace.recall("what did Derek say about boats?").hits[0].drawer.content == said[1][1]


def test_neighbours_come_in_order_when_asked_for(mined: Palace) -> None:
    hit = next(hit for hit in mined.recall("hotel Lisbon", context=2).hits if hit.drawer.content == SAID[2])
    assert [drawer.content for drawer in hit.before] == SAID[0:2]
    assert [drawer.content for drawer in hit.after] == SAID[3:5]
    assert mined.recall("hotel Lisbon").hits[0].before == ()


def test_nothing_relevant_gives_no_hit_and_no_block(mined: Palace) -> None:
    recalled = mined.recall("zeppelin dentist quarterly")
    assert recalled.hits == ()
    assert mined.context_block(recalled) == ""


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"query": "q", "context": -1}, "context must be from 0 to 100"),
    ({"query": "q", "context": 10**12}, "context must be from 0 to 100"),
    ({"query": "q", "wing": "Efoyl"}, "there is no wing 'Efoyl'"),
    ({"query": "q", "since": datetime(2026, 2, 1), "until": datetime(2026, 1, 1)}, "since must be earlier"),  # noqa: DTZ001
)


def test_a_request_that_makes_no_sense_is_refused_in_one_line(palace: Palace) -> None:
    for options, message in WRONG:
        with pytest.raises(BadRequest, match=message) as problem:
            palace.recall(**options)
        assert "\n" not in str(problem.value)


def test_a_pointer_gives_its_drawer_back_and_a_wrong_one_a_line(mined: Palace) -> None:
    hit = mined.recall("hotel breakfast").hits[0]
    shown = mined.show(str(hit.drawer.pointer), context=1)
    assert shown.drawer == hit.drawer
    assert len(shown.before) == 1
    with pytest.raises(NotFound, match="palace ls"):
        mined.show("§ W-001/R-01/D-999")
    with pytest.raises(BadRequest, match="no pointer"):
        mined.show("nonsense")


def test_a_scope_of_time_takes_undated_drawers_at_their_filing(mined: Palace) -> None:
    soon = datetime.now(UTC) + timedelta(minutes=5)
    assert mined.recall("wire overheated", until=soon).hits
    assert not mined.recall("wire overheated", since=soon).hits


def test_another_model_than_the_palaces_is_refused_until_it_is_switched_to(settings: Settings, mined: Palace) -> None:
    wide = HashingEmbedder(dimension=128)
    with Palace.open(settings, user=mined.user, embedder=wide) as other:
        with pytest.raises(EmbeddingError, match="palace embeddings switch"):
            other.recall("wire")
        status = other.embeddings.switch(wide.model)
        assert (status.generation.dimension, status.embedded, status.pending) == (128, len(SAID), 0)
        assert other.recall("which wire overheated?").hits[0].arms[0].arm == "semantic"
        assert len(other.embeddings.status()) == 1
    with pytest.raises(EmbeddingError, match="palace embeddings switch"):
        mined.recall("wire")


def test_a_switch_that_fails_halfway_leaves_recall_as_it_was_and_goes_on_later(
    settings: Settings, mined: Palace
) -> None:
    failing = HashingEmbedder(dimension=128, fail_on=lambda text: "breakfast" in text)
    expected = pytest.raises(EmbeddingError, match="run the same command again")
    with Palace.open(settings, user=mined.user, embedder=failing) as other, expected:
        other.embeddings.switch(failing.model)
    assert [status.state for status in mined.embeddings.status()] == ["active", "filling"]
    assert mined.recall("which wire overheated?").hits
    mined.note("A later note about anchors.")
    healthy = HashingEmbedder(dimension=128)
    with Palace.open(settings, user=mined.user, embedder=healthy) as other:
        assert other.embeddings.switch(healthy.model).embedded == len(SAID) + 1
        assert other.recall("anchors note").hits[0].drawer.content == "A later note about anchors."


def test_the_doctor_finds_a_sound_palace_sound_and_a_sick_one_sick(settings: Settings) -> None:
    named = settings.model_copy(update={"user": f"user-{uuid.uuid4()}"})
    with Palace.open(named) as palace:
        palace.note("A note about anchors.")
        checks = {check.name: check for check in Administration(named).doctor()}
        assert set(checks) >= {"server", "extension", "schema", "role", "indexes", "counts", "orphans", "model"}
        assert all(check.verdict is Verdict.OK for check in checks.values()), checks
        with palace._opened.session() as session:
            session.connection.execute(sa.text("UPDATE passage_embedding SET embedding = NULL"))
            more = "INSERT INTO count_delta (user_id, counted, amount) SELECT id, 'drawer', 5 FROM palace_user"
            session.connection.execute(sa.text(more))
            gone = "INSERT INTO embedding_generation (model, dimension, normalised) VALUES ('gone', 384, true)"
            gone += " RETURNING id"
            generation = session.connection.execute(sa.text(gone)).scalar_one()
            left = "INSERT INTO passage_embedding (user_id, drawer_id, ordinal, generation_id, embedding)"
            left += " SELECT user_id, drawer_id, ordinal, :generation, embedding FROM passage_embedding"
            session.connection.execute(sa.text(left), {"generation": generation})
    checks = {check.name: check for check in Administration(named).doctor()}
    assert checks["counts"].verdict is Verdict.PROBLEM
    assert "1 embeddings" in checks["orphans"].finding
    assert checks["pending"].remedy == "palace embeddings backfill"


def test_the_doctor_says_what_to_do_when_no_server_answers(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, database_url="postgresql://nobody@127.0.0.1:9/nothing")  # type: ignore[arg-type]
    checks = Administration(settings).doctor()
    assert checks[0].verdict is Verdict.PROBLEM
    assert "127.0.0.1:9/nothing does not answer" in checks[0].finding
    with pytest.raises(DatabaseUnavailable, match=r"127\.0\.0\.1:9/nothing"):
        Palace.open(settings)


def test_a_shared_server_without_a_schema_names_the_command(settings: Settings) -> None:
    bare = settings.model_copy(update={"database_schema": "not_there"})
    with pytest.raises(SchemaMismatch, match="palace db upgrade"):
        Palace.open(bare)
    with pytest.raises(BadRequest, match="shared server"):
        Administration(settings).stop()


@pytest.mark.process
def test_a_palace_in_a_home_of_its_own_survives_a_stop(folder: Path) -> None:
    home = folder / "Umläute und Leerzeichen"
    settings = Settings(home=home, server_idle_minutes=0)
    administration = Administration(settings)
    try:
        with Palace.open(settings, user="a", embedder=HashingEmbedder()) as palace:
            palace.note("A note about anchors.")
            assert administration.stop()
            assert palace.recall("note anchors").hits[0].drawer.content == "A note about anchors."
        assert administration.status().running
    finally:
        administration.stop()
        shutil.rmtree(home, ignore_errors=True)


def test_names_and_modules_are_listed_and_imported_when_used() -> None:
    names = "{'Drawer', 'Hit'} <= {*dir(m)}, 'Palace' in dir(palace), m.graph.Entity"
    look = f"import palace, palace.models as m; print({names})"
    found = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True).stdout
    assert found == "True True <class 'palace.models.graph.Entity'>\n"
