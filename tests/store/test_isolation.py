"""A hostile second user tries every table and every statement."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import ProgrammingError

from palace import Palace
from palace.errors import DatabaseRefused, NotFound
from palace.settings import Settings
from palace.store.database import Database, UserSession
from palace.store.sql import statement
from palace.tables import Base
from palace.tables.objects import RUNTIME_ROLE
from palace.testing import HashingEmbedder
from tests.isolation.victim import Victim

SHARED_TABLES = {"embedding_generation"}
TABLES = sorted(set(Base.metadata.tables) - SHARED_TABLES)
STATEMENTS = sorted(path.stem for path in Path("palace/store/sql").glob("*.sql"))

# What each statement is given; every name that a statement binds is here.
PARAMETERS: dict[str, Any] = {
    "limit": 10,
    "shortlist": 40,
    "questions": "[?]$",
    "signs": ["%?%"],
    "ending": "[?]$",
    "breaks": "[.]",
    "now": datetime(2026, 1, 1, tzinfo=UTC),
    "known": None,
    "entities": [1],
    "self": "i",
    "predicates": ["lives_in"],
    "asked_from": None,
    "own": None,
    "asked_to": None,
    "events": [],
    "scanned": 100,
    "most": 100,
    "names": ["vault"],
    "folded": ["vault"],
    "entity_ids": [1],
    "begun_by": "infinity",
    "over_after": "-infinity",
    "believed": "infinity",
    "most_ahead": 100,
    "longest": 2000,
    "least": -1.0,
    "newest": 10,
    "count": 5,
    "after": 0,
    "behind": 0,
    "behind_at": None,
    "wing_ids": [1],
    "within": [1],
    "readers": ["none"],
    "as_said": False,
    "drawer_id": -1,
    "ordinal": -1,
    "vector": str([0.1] * 384),
    "conversations": None,
    "wing_id": None,
    "since": None,
    "until": None,
    "role": None,
    "speaker": None,
    "language": None,
    "turns": 0,
    "generations": [1],
    "starts": [0],
    "ends": [5],
    "kinds": ["whole"],
    "preferences": [False],
    "standing": [False],
    "words": ["'vault'"],
    "idfs": [1.0],
    "lexemes": ["vault"],
    "any_word": "'vault'",
    "heads": ["v"],
    "spelled": ["vault"],
    "rare": 9,
    "named": "vault",
    "letter": "v",
    "next_letter": "w",
    "fewest_letters": 1,
    "most_letters": 9,
    "rooms": [1],
    "closets": [1],
    "wings": [1],
    "small": 9,
    "looked_at": 9,
    "places": [1],
    "terms": [1],
    "patterns": ["%"],
    "pairs": ["'vault' <-> 'code'"],
    "pair_idfs": [1.0],
    "elsewhere": [1.0],
    "pairs_elsewhere": [1.0],
    "edges": ["2000-01-01", "2100-01-01"],
    "windows": "{[2000-01-01,2100-01-01)}",
    "around": "{[2000-01-01,2100-01-01)}",
    "first": "2000-01-01",
    "last": "2100-01-01",
    "meant": "{[2000-01-01,2100-01-01)}",
    "told_first": "2000-01-01",
    "told_last": "2100-01-01",
    "slices": 48,
    "each": 10,
    "sampled": 300,
    "many": 20_000,
    "worths": [1.0],
    "match_limit": 100,
    "tools": True,
    "spoken_of": ["{[2026-01-01,2026-02-01)}"],
    "texts": ["stolen"],
    "configurations": ["english"],
    "further": [""],
    "languages": ["en"],
    "stemmers": ["english_stem"],
    "text": "vault code",
    "digest": b"0123456789abcdef",
    "ordinals": [0],
    "closet_ids": [1],
    "vectors": [str([0.5] * 384)],
    "room_ids": [1],
    "numbers": [999],
    "filed_at": [None],
    "identities": [b"0123456789abcdef"],
    "positions": [0],
    "roles": ["user"],
    "speakers": [None],
    "times": [datetime(2026, 1, 1, tzinfo=UTC)],
    "contents": ["planted"],
    "said": [None],
    "hidden": b"0123456789abcdef0123",
    "redacted": [None],
    "revisions": [False],
    "repairs": [False],
    "offsets": [None],
    "readings": [2],
    "old": [b"0123456789abcdef"],
    "new": [None],
    "run_ids": [1],
    "replies": [b"0123456789abcdef"],
    "answered": [b"fedcba9876543210"],
    "white_space": " ",
    "job": None,
    "status": None,
    "typed": "%",
    "wing": 1,
    "room": 1,
    "reader": "openai:",
}


@pytest.fixture
def victim(settings: Settings, folder: Path) -> Iterator[Victim]:
    made = Victim(settings, folder)
    yield made
    made.palace.close()


@pytest.mark.parametrize("table", TABLES)
def test_a_table_shows_a_stranger_nothing_and_takes_nothing(table: str, victim: Victim, session: UserSession) -> None:
    key = "id" if table == "palace_user" else "user_id"
    before = victim.count(table)
    assert before > 0
    theirs = {"id": victim.user_id}
    assert (
        session.connection.execute(sa.text(f"SELECT count(*) FROM {table} WHERE {key} = :id"), theirs).scalar_one() == 0
    )
    assert (
        session.connection.execute(sa.text(f"UPDATE {table} SET {key} = {key} WHERE {key} = :id"), theirs).rowcount == 0
    )
    assert session.connection.execute(sa.text(f"DELETE FROM {table} WHERE {key} = :id"), theirs).rowcount == 0
    assert victim.count(table) == before


@pytest.mark.parametrize("table", [table for table in TABLES if table != "palace_user"])
def test_a_stranger_cannot_give_a_row_to_somebody_else(
    table: str, victim: Victim, database: Database, settings: Settings
) -> None:
    with Palace.open(settings, user=f"giver-{uuid.uuid4()}", embedder=HashingEmbedder()) as giver:
        giver.note("A note of mine")
        giver_id = giver._opened.database.user_id
        with (
            database.of(giver_id).transaction() as session,
            pytest.raises(ProgrammingError, match="row-level security"),
        ):
            _give_away(session, table, victim.user_id)


def _give_away(session: UserSession, table: str, user_id: int) -> None:
    if session.connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one():
        session.connection.execute(sa.text(f"UPDATE {table} SET user_id = :id"), {"id": user_id})
    else:
        _insert_for(session, table, user_id)


COLUMNS = {
    "wing_alias": "slug, name, wing_id",
    "room_alias": "wing_number, room_number, room_id",
    "run_basis": "run_id, basis_id",
    "conversation_edge": "conversation_id, line_hash",
    "rebuild": "wing_id",
    "term_count": "lexeme, passage_count",
    "term_delta": "lexemes, amounts",
    "tombstone": "identity, conversation_id, position",
    "cost_entry": "purpose, model, tokens, cost_usd, seconds, outcome",
    "entity": "key, name, type, is_named",
    "alias": "conversation_id, folded, name, type, is_named, count, family",
    "mention": "drawer_id, char_start, char_end, conversation_id, folded",
    "known_name": "drawer_id, folded",
    "injection": "key, block, cited_count, expires_at",
    "injection_citation": "key, drawer_id",
    "assertion": "drawer_id, conversation_id, ordinal, subject, predicate, object, action, char_start, char_end",
    "relation": "subject_id, predicate, ordinal, object, is_single, from_precision, recorded_at",
    "evidence": "relation_id, assertion_id, closes",
    "entity_decision": "verb, decided",
    "setting": "agent, name, value",
    "hidden_drawer": "identity, wing_number, room_number, number, due_at, parts",
    "working_summary": "identity, agent, summary, covered, stays, covers, failures, tried, revision, expires_at",
    "review_mark": "kind, item, by",
    "project": "key, wing_id",
    "project_wing": "key, wing_id",
    "extraction_reply": "conversation_id, digest, model, prompt, drawers, reply",
}
VALUES = {
    "wing_alias": "'a', 'a', 1",
    "room_alias": "1, 1, 1",
    "run_basis": "1, 1",
    "conversation_edge": "1, 1",
    "rebuild": "NULL",
    "term_count": "'a', 1",
    "term_delta": "ARRAY['a'], ARRAY[1]",
    "tombstone": "'a', 1, 0",
    "cost_entry": "'p', 'm', 1, 1, 1, 'ok'",
    "entity": "'a', 'a', 'item', true",
    "alias": "1, 'a', 'a', 'item', true, 1, 'a'",
    "mention": "1, 0, 1, 1, 'a'",
    "known_name": "1, 'a'",
    "injection": "'k', 'b', 0, '2999-01-01'",
    "injection_citation": "'k', 1",
    "assertion": "1, 1, 0, 'a', 'is', 'b', 'holds', 0, 1",
    "relation": "1, 'is', 0, 'b', false, 'day', '2026-01-01'",
    "evidence": "1, 1, false",
    "entity_decision": "'rename', '{}'",
    "setting": "'', 'top_k', '3'",
    "hidden_drawer": "'a', 1, 1, 1, now(), '{}'",
    "working_summary": "'a', '', 's', 1, '{}', '{}', 0, 0, 1, '2999-01-01'",
    "review_mark": "'filed', 1, 0",
    "project": "'work/api', 1",
    "project_wing": "'work/api', 1",
    "extraction_reply": "1, 'd', 'm', 1, ARRAY[1], '{}'",
}


def _insert_for(session: UserSession, table: str, user_id: int) -> None:
    session.connection.execute(
        sa.text(f"INSERT INTO {table} (user_id, {COLUMNS[table]}) VALUES ({user_id}, {VALUES[table]})")
    )


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_given_somebody_elses_id_finds_and_changes_nothing(
    name: str, victim: Victim, session: UserSession
) -> None:
    before = {table: victim.count(table) for table in TABLES}
    bound = set(re.findall(r"(?<!:):(\w+)", _without_comments(name)))
    parameters = PARAMETERS | {
        "user_id": victim.user_id,
        "generation_id": 1,
        "conversation_id": victim.conversation_id,
        "run_id": victim.run_id,
        "run_ids": [victim.run_id],
        "drawer_ids": [victim.drawer_id],
        "drawers": [victim.drawer_id],
    }
    text = statement(name, generation=1, dimension=384, user=victim.user_id, longest=800, farthest=5, lead=60)
    try:
        with session.connection.begin_nested():
            result = session.connection.execute(text, {key: parameters[key] for key in bound})
            found = [row for row in result if any(row)] if result.returns_rows else result.rowcount
            assert not found
    except ProgrammingError as refused:
        assert re.search("row-level security|own user alone", str(refused))  # noqa: PT017 — either outcome keeps the stranger out
    assert {table: victim.count(table) for table in TABLES} == before


def _without_comments(name: str) -> str:
    text = Path("palace/store/sql", f"{name}.sql").read_text(encoding="utf-8")
    return "\n".join(line for line in text.splitlines() if not line.startswith("--"))


def _search(words: str, whose: int | str) -> str:
    terms = f"ARRAY[CAST('{words}' AS tsquery)], ARRAY[1.0]"
    return f"keyword_candidates({whose}, {terms}, 100, 100, true, NULL, NULL, NULL, NULL, NULL, NULL)"


def test_keyword_search_runs_as_owner_but_answers_for_its_caller_only(victim: Victim, session: UserSession) -> None:
    query = sa.text(f"SELECT count(drawer_id) FROM {_search('vault & code & 4711', ':whose')}")
    mine, theirs = {"whose": session.user_id}, {"whose": victim.user_id}
    assert session.connection.execute(query, mine).scalar_one() == 0
    with pytest.raises(ProgrammingError, match="own user alone"), session.connection.begin_nested():
        session.connection.execute(query, theirs)
    with victim.palace._opened.session() as own:
        assert own.connection.execute(query, theirs).scalar_one() == 1


def test_without_a_user_nothing_is_visible_and_keyword_search_refuses(victim: Victim, database: Database) -> None:
    with database.without_user() as connection:
        for table in TABLES:
            assert connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one() == 0
    for whose in ("NULL", "0", victim.user_id):
        with (
            pytest.raises(DatabaseRefused, match=r"own user alone\); which is our fault"),
            database.without_user() as connection,
        ):
            connection.execute(sa.text(f"SELECT * FROM {_search('vault', whose)}"))


def test_the_runtime_role_owns_nothing_and_cannot_bypass_policies(session: UserSession) -> None:
    role = sa.text("SELECT current_user, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user")
    assert session.connection.execute(role).one() == (RUNTIME_ROLE, False, False)
    owned = sa.text("SELECT count(*) FROM pg_class WHERE relowner = CAST(:role AS regrole)")
    assert session.connection.execute(owned, {"role": RUNTIME_ROLE}).scalar_one() == 0
    with pytest.raises(ProgrammingError, match="must be owner"):
        session.connection.execute(sa.text("ALTER TABLE drawer DISABLE ROW LEVEL SECURITY"))


def test_a_stranger_is_told_the_same_of_what_is_not_theirs_and_of_what_is_not_there(
    victim: Victim, palace: Palace
) -> None:
    (hit, *_) = victim.palace.recall("vault code").hits
    pointer = str(hit.drawer.pointer)
    with pytest.raises(NotFound) as theirs:
        palace.show(pointer)
    with pytest.raises(NotFound) as nowhere:
        palace.show("§ W-900/R-01/D-001")
    assert str(theirs.value).replace(pointer, "P") == str(nowhere.value).replace("§ W-900/R-01/D-001", "P")
    with pytest.raises(NotFound, match="there is no wing 'Quartzmine'"):
        palace.recall("vault code", wing=victim.cast.wing)
    assert palace.recall("vault code").hits == ()
    assert palace.tree.wings() == ()
    assert palace.costs() == ()


def test_losing_the_right_to_a_table_is_told_in_one_line(database: Database) -> None:
    with pytest.raises(DatabaseRefused, match="lacks a right"), database.without_user() as connection:
        connection.execute(sa.text("CREATE TABLE palace.mine (id int)"))
