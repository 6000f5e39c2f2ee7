"""A hostile second user tries every table; what holds them off is the policies alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import ProgrammingError

from palace import DatabaseRefused, NotFound, Palace, UserSession
from palace.settings import Settings
from palace.tables import Base
from tests.isolation.victim import GONE, Victim

TABLES = sorted(set(Base.metadata.tables) - {"embedding_generation"})


@pytest.fixture(scope="module")
def victim(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    """Somebody with something in every table."""
    made = Victim(settings, tmp_path_factory.mktemp("victim"))
    yield made
    made.palace.close()


@pytest.fixture(scope="module")
def giver(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    """Somebody else, with as much."""
    made = Victim(settings, tmp_path_factory.mktemp("giver"), GONE)
    yield made
    made.palace.close()


def test_a_table_shows_a_stranger_nothing_and_takes_nothing(victim: Victim, session: UserSession) -> None:
    before = {table: victim.count(table) for table in TABLES}
    assert [table for table in TABLES if not before[table]] == []
    run, theirs, touched = session.connection.execute, {"id": victim.user_id}, {}
    for table in TABLES:
        key = "id" if table == "palace_user" else "user_id"
        touched[table] = (
            run(sa.text(f"SELECT count(*) FROM {table} WHERE {key} = :id"), theirs).scalar_one(),
            run(sa.text(f"UPDATE {table} SET {key} = {key} WHERE {key} = :id"), theirs).rowcount,
            run(sa.text(f"DELETE FROM {table} WHERE {key} = :id"), theirs).rowcount,
        )
    assert {table: done for table, done in touched.items() if any(done)} == {}
    assert {table: victim.count(table) for table in TABLES} == before


def test_a_stranger_cannot_give_a_row_to_somebody_else(victim: Victim, giver: Victim) -> None:
    taken = []
    with giver.palace._opened.session() as session:
        for table in TABLES:
            key = "id" if table == "palace_user" else "user_id"
            try:
                with session.connection.begin_nested():
                    given = session.connection.execute(sa.text(f"UPDATE {table} SET {key} = {victim.user_id}"))
                    taken.append((table, given.rowcount))
            except ProgrammingError as refused:
                assert "row-level security" in str(refused)  # noqa: PT017 — what is let through is told below
        session.connection.rollback()
    assert taken == []


def _search(words: str, whose: int | str) -> str:
    terms = f"ARRAY[CAST('{words}' AS tsquery)], ARRAY[1.0]"
    return f"keyword_candidates({whose}, {terms}, 100, 100, true, NULL, NULL, NULL, NULL, NULL, NULL)"


def test_without_a_user_nothing_is_visible_and_keyword_search_refuses(victim: Victim) -> None:
    database = victim.palace._opened.database.shared
    with database.without_user() as connection:
        counts = [connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one() for table in TABLES]
    assert set(counts) == {0}
    for whose in ("NULL", "0", victim.user_id):
        with (
            pytest.raises(DatabaseRefused, match=r"own user alone\); which is our fault"),
            database.without_user() as connection,
        ):
            connection.execute(sa.text(f"SELECT * FROM {_search('vault', whose)}"))


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
    assert (palace.recall("vault code").hits, palace.tree.wings(), palace.costs()) == ((), (), ())


def test_losing_the_right_to_a_table_is_told_in_one_line(palace: Palace) -> None:
    with (
        pytest.raises(DatabaseRefused, match="lacks a right"),
        palace._opened.database.shared.without_user() as connection,
    ):
        connection.execute(sa.text("CREATE TABLE palace.mine (id int)"))
