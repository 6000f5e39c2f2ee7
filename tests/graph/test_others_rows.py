"""What somebody with a login of the database, and no right to more than their own, learns of another's graph."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from palace import Palace, Palaces, Settings
from palace.db.graph.naming import ask_naming, find_named
from palace.db.graph.tags import list_about
from palace.models.claims import Action, Claim
from tests.conftest import server_kind
from tests.graph.mined import tell
from tests.hosts.reach import execute

SECRET = "kestrel-4417"
TABLES = ("entity", "alias", "mention", "assertion", "relation", "evidence", "entity_decision", "extraction_reply")
_RELATION = (
    "INSERT INTO relation (user_id, subject_id, predicate, ordinal, object, is_single, from_precision, recorded_at)"
    " VALUES (:user, :subject, 'has_code', 7, 'guess', true, 'day', '2026-01-01')"
)


@pytest.fixture(scope="module")
def stranger(palaces: Palaces) -> Palace:
    made = palaces.palace(f"stranger-{uuid.uuid4()}")
    tell(made, "mine", "Xenia", claims=[Claim("Xenia", "has_code", "1234", Action.HOLDS, 0, 1)])
    return made


@pytest.fixture(scope="module")
def victim(palaces: Palaces) -> Palace:
    made = palaces.palace(f"victim-{uuid.uuid4()}")
    tell(made, "one", "Rose", "Anna", claims=[Claim("Rose", "has_code", SECRET, Action.HOLDS, 0, 1)])
    made.entities.merge("Anna", "Rose")
    return made


def one(session: Any, query: str) -> int:
    return int(session.connection.execute(sa.text(query)).scalar_one())


def test_a_query_that_names_nobody_shows_ones_own_rows(victim: Palace, stranger: Palace) -> None:
    for table in TABLES:
        with stranger._opened.session() as session:
            rows = session.connection.execute(sa.text(f"SELECT * FROM {table}")).mappings().all()
            assert {row["user_id"] for row in rows} <= {session.user_id}, table
            assert SECRET not in str(rows), table


def test_a_row_about_what_is_anothers_is_refused_without_a_word_of_theirs(victim: Palace, stranger: Palace) -> None:
    with victim._opened.session() as theirs:
        subject = one(theirs, "SELECT id FROM entity WHERE key = 'rose'")
        victim_id = theirs.user_id
    for whose in ("mine", "theirs"):
        with stranger._opened.session() as session:
            user = session.user_id if whose == "mine" else victim_id
            with pytest.raises(DBAPIError) as refused, session.connection.begin_nested():
                session.connection.execute(sa.text(_RELATION), {"user": user, "subject": subject})
        assert SECRET not in str(refused.value)
        assert "rose" not in str(refused.value).lower()
    assert [each.object for each in victim.relations("Rose")] == [SECRET]


def test_two_values_at_once_are_refused_without_telling_the_other(victim: Palace, stranger: Palace) -> None:
    with stranger._opened.session() as session:
        subject = one(session, "SELECT id FROM entity WHERE key = 'xenia'")
        session.connection.execute(sa.text("UPDATE relation SET is_single = true WHERE predicate = 'has_code'"))
        session.connection.execute(sa.text("SET CONSTRAINTS ALL IMMEDIATE"))
        with pytest.raises(DBAPIError) as refused, session.connection.begin_nested():
            session.connection.execute(sa.text(_RELATION), {"user": session.user_id, "subject": subject})
    assert "exclusion constraint" in str(refused.value)
    assert SECRET not in str(refused.value)


def test_a_decision_of_anothers_is_not_there(victim: Palace, stranger: Palace) -> None:
    with victim._opened.session() as theirs:
        (number,) = theirs.connection.execute(sa.text("SELECT id FROM entity_decision")).scalars()
    with stranger._opened.session() as session:
        taken = sa.text("UPDATE entity_decision SET undone_at = now() WHERE id = :id")
        assert session.connection.execute(taken, {"id": number}).rowcount == 0
    assert [each.undone_at for each in victim.entities.decisions()] == [None]


@pytest.mark.nightly
def test_somebody_new_is_answered_at_once_beside_somebody_with_many_names(palaces: Palaces, settings: Settings) -> None:
    def fill(user: int, most: int) -> tuple[str, ...]:
        each = f"FROM generate_series(1, {most}) AS n"
        return (
            "INSERT INTO palace.entity (user_id, id, key, name, type, is_named) OVERRIDING SYSTEM VALUE"
            f" SELECT {user}, n, 'p' || n, 'Name ' || n, 'person', true {each}",
            "INSERT INTO palace.alias (user_id, conversation_id, folded, entity_id, name, type, is_named, count,"
            f" family) SELECT {user}, n / 30, 'name ' || n, n, 'Name ' || n, 'person', true, 1, 'name' {each}",
            "INSERT INTO palace.mention (user_id, drawer_id, char_start, char_end, conversation_id, folded)"
            f" SELECT {user}, n / 3, n % 3 * 5, n % 3 * 5 + 4, n / 30, 'name ' || n {each}",
        )

    if server_kind() != "embedded" or settings.database_owner_url is None:
        pytest.skip("rows without what they lead to are for the owner of an embedded server to write")
    many, new = (palaces.palace(f"user-{uuid.uuid4()}")._opened for _ in range(2))
    tables = ("entity", "alias", "mention")
    filled = fill(many.database.user_id, 20_000), fill(new.database.user_id, 3_000)
    told = "ANALYZE " + ", ".join(f"palace.{table}" for table in tables)
    owner = settings.database_owner_url.get_secret_value()
    execute(owner, "SET session_replication_role = replica", *filled[0], told, *filled[1])
    try:
        with new.session() as session:
            session.connection.execute(sa.text("SET LOCAL statement_timeout = '5s'"))
            asked = {"drawer_ids": list(range(10, 40)), "self": "", "most": 5, "as_said": False}
            assert len(session.run("tags_of", asked).all()) == 90
            ids = range(1, 3001)
            assert len(find_named(session, [f"name {n}" for n in ids], self_key="")) == len(ids)
            assert len(ask_naming(session, ids, most=5).get()) == len(ids)
            assert len(list_about(session, ids, ids)) == 1000
    finally:
        users = f"{many.database.user_id}, {new.database.user_id}"
        execute(owner, *(f"DELETE FROM palace.{table} WHERE user_id IN ({users})" for table in reversed(tables)))
