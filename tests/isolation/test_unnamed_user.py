"""A text that does not name its user is refused before it is sent; any other statement fails the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from palace import Palace, UserNotNamed, UserSession
from palace.db.binding import bound
from palace.db.tables import Base, Closet, Drawer, EmbeddingGeneration, PalaceUser, Room, Tombstone, Wing, aliased
from tests.statements import require_named

ME, OTHER = 5, 6
ROOT = Path(__file__).parents[2]
Statement = Callable[[], Any]

_room = Room.id == Drawer.room_id
_other = aliased(Drawer)
_light = sa.table("drawer", sa.column("id"), sa.column("user_id"))


def _mine() -> sa.Select[Any]:
    return sa.select(Drawer.id).where(Drawer.user_id == ME)


UNNAMED: dict[str, Statement] = {
    "no condition": lambda: sa.select(Drawer.id),
    "another condition": lambda: sa.select(Drawer.id).where(Drawer.number == ME),
    "either": lambda: sa.select(Drawer.id).where((Drawer.user_id == ME) | (Drawer.number == 1)),
    "not equal": lambda: sa.select(Drawer.id).where(Drawer.user_id != ME),
    "with itself": lambda: sa.select(Drawer.id).where(Drawer.user_id == Drawer.user_id),
    "the users": lambda: sa.select(PalaceUser.name),
    "a list": lambda: sa.select(Drawer.id).where(Drawer.user_id.in_([ME])),
    "a joined table": lambda: sa.select(Drawer.id).join(Room, _room).where(Drawer.user_id == ME),
    "the kept side of an outer join": lambda: sa.select(Drawer.id).outerjoin(
        Room, sa.and_(_room, Room.user_id == ME, Drawer.user_id == ME)
    ),
    "a nested select": lambda: sa.select(Drawer.id).where(
        Drawer.user_id == ME, Drawer.room_id.in_(sa.select(Room.id).where(Room.number == 1))
    ),
    "a column that is a select": lambda: sa.select(
        Drawer.id, sa.select(sa.func.max(Wing.number)).scalar_subquery()
    ).where(Drawer.user_id == ME),
    "one part of a union": lambda: sa.union_all(
        sa.select(Drawer.id).where(Drawer.user_id == ME), sa.select(Room.id).where(Room.number == 1)
    ),
    "an update": lambda: sa.update(Drawer).values(number=1),
    "an update from another": lambda: sa.update(Drawer).where(Drawer.user_id == ME, _room).values(number=Room.number),
    "a delete": lambda: sa.delete(Closet).where(Closet.id == 1),
    "an insert": lambda: insert(Drawer).values(user_id=ME),
    "a selected insert": lambda: insert(Tombstone).from_select(["user_id"], sa.select(Drawer.user_id)),
    "an insert for all": lambda: insert(Tombstone).from_select(
        ["user_id"], sa.select(sa.literal(OTHER).label("user_id")).where(Drawer.user_id == ME)
    ),
    "a text within": lambda: sa.select(sa.text("content FROM drawer")),
    "a delete in a common table": lambda: sa.select(sa.literal(1)).add_cte(sa.delete(Drawer).cte("gone")),
    "a sample": lambda: sa.select(sa.tablesample(Drawer.__table__, 50).c.content),
    "a table by its name": lambda: sa.select(sa.table("drawer", sa.column("content")).c.content),
    "an update to another": lambda: sa.update(Drawer).where(Drawer.user_id == ME).values(user_id=OTHER),
    "an insert that updates to another": lambda: (
        insert(Tombstone)
        .from_select(["user_id"], sa.select(Drawer.user_id).where(Drawer.user_id == ME))
        .on_conflict_do_update(index_elements=["user_id"], set_={"user_id": OTHER})
    ),
    "a parameter in the place of another": lambda: (
        sa.select(Drawer.id).where(Drawer.user_id == sa.bindparam("u", value=ME)).params(u=OTHER)
    ),
    "a parameter that is computed": lambda: sa.select(Drawer.id).where(
        Drawer.user_id == sa.bindparam("u", callable_=lambda: ME)
    ),
    "a prefix": lambda: _mine().prefix_with("(SELECT 1),"),
    "a suffix": lambda: _mine().suffix_with("UNION SELECT 1"),
    "an operator": lambda: _mine().where(Drawer.content.op("|| (SELECT content FROM Drawer) =")("x")),
    "a text": lambda: sa.text("SELECT content FROM drawer"),
    "a text with a literal like a comment": lambda: sa.text("SELECT '--' || content FROM drawer"),
    "a text that asks in a comment": lambda: sa.text("SELECT content FROM drawer /* :user_id */"),
    "a text that is run": lambda: sa.text("SELECT query_to_xml('SELECT * FROM drawer', true, false, '')"),
    "a text that only mentions it": lambda: sa.text("SELECT content FROM drawer -- :user_id"),
}
NAMED: dict[str, Statement] = {
    "a table": lambda: sa.select(Drawer.id).where(Drawer.user_id == ME),
    "the user": lambda: sa.select(PalaceUser.name).where(PalaceUser.id == ME),
    "a join": lambda: (
        sa.select(Drawer.id).join(Room, sa.and_(Room.user_id == Drawer.user_id, _room)).where(Drawer.user_id == ME)
    ),
    "a nested select": lambda: sa.select(Drawer.id).where(
        Drawer.user_id == ME, sa.select(Room.id).where(Room.user_id == Drawer.user_id, _room).exists()
    ),
    "an update": lambda: sa.update(Drawer).where(Drawer.user_id == ME).values(number=1),
    "a delete": lambda: sa.delete(Drawer).where(Drawer.user_id == ME),
    "a selected insert": lambda: insert(Tombstone).from_select(
        ["user_id"], sa.select(Drawer.user_id).where(Drawer.user_id == ME)
    ),
    "a table by its name": lambda: sa.select(_light.c.id).where(_light.c.user_id == ME),
    "a parameter": lambda: sa.select(Drawer.id).where(Drawer.user_id == sa.bindparam("u", value=ME)),
    "what is no user's": lambda: sa.select(EmbeddingGeneration.id),
    "a setting": lambda: sa.text("SELECT set_config('work_mem', :size, true)"),
}


def refused(statement: Any, given: Any = None, user_id: int = ME) -> str:
    """Return why the session or the tests refuse a statement, or nothing."""
    try:
        bound(statement, given, user_id)
        if not isinstance(statement, sa.TextClause):
            require_named(statement, user_id)
    except UserNotNamed as problem:
        return str(problem)
    return ""


def test_a_statement_without_its_user_is_refused() -> None:
    # Twice: what is known of its kind does not let it through either.
    assert [name for name, make in UNNAMED.items() for _ in range(2) if not refused(make())] == []


def test_a_statement_with_its_user_is_not() -> None:
    assert [(name, refused(make())) for name, make in NAMED.items() for _ in range(2) if refused(make())] == []


def test_one_with_another_user_is_refused_though_its_kind_is_known() -> None:
    asking = {name: make for name, make in NAMED.items() if name not in ("what is no user's", "a setting")}
    assert [name for name, make in asking.items() if "another user" not in refused(make(), None, OTHER)] == []


def test_every_table_with_rows_of_users_has_to_be_named() -> None:
    tables = set(Base.metadata.tables) - {"embedding_generation"}
    told = {table: refused(sa.select(Base.metadata.tables[table])) for table in tables}
    assert [table for table in tables if f"a statement on {table} does not name its user" not in told[table]] == []


def test_a_caller_cannot_give_the_user_of_a_text(session: UserSession) -> None:
    query = sa.text("SELECT count(*) FROM drawer WHERE user_id = :user_id")
    assert session.execute(query).scalar_one() == 0
    for send in (session.execute, lambda text, given: session.ask(text, given, list)):
        with pytest.raises(UserNotNamed):
            send(query, {"user_id": session.user_id})
        with pytest.raises(UserNotNamed):
            send(sa.text("SELECT count(*) FROM drawer"), None)


GIVEN: tuple[Any, ...] = (
    *({"u": OTHER}, {"user_id_1": OTHER}, {"user_id": OTHER}, {"id": OTHER}, [{"u": OTHER}], [{"user_id": OTHER}]),
    ((OTHER,),),
)


def test_a_caller_cannot_give_parameters_in_the_place_of_the_user() -> None:
    statements = ("a table", "a parameter", "an update", "a delete")
    assert [(name, each) for name in statements for each in GIVEN if not refused(NAMED[name](), each)] == []
    taken = [each for each in GIVEN if not refused(NAMED["a setting"](), each)]
    assert taken == [{"u": OTHER}, {"user_id_1": OTHER}, {"id": OTHER}]


def test_a_text_is_bound_where_it_asks_outside_of_comments_and_literals() -> None:
    asking = sa.text("SELECT 'it''s --', \"/*\" /* ' */ FROM drawer -- '\nWHERE user_id = :user_id AND id = :id")
    assert bound(asking, {"id": 1}, ME) == {"id": 1, "user_id": ME}
    assert bound(sa.text("SELECT 1 -- of a drawer"), None, ME) is None


OWNED: dict[str, Statement] = {
    "sets the user": lambda: insert(Wing).on_conflict_do_update(index_elements=["id"], set_={"user_id": OTHER}),
    "sets by a select": lambda: insert(Wing).on_conflict_do_update(
        index_elements=["id"], set_={"name": sa.select(sa.func.max(_other.content)).scalar_subquery()}
    ),
    "gives back by a select": lambda: insert(Wing).returning(sa.select(sa.func.max(Drawer.content)).scalar_subquery()),
    "deletes in a common table": lambda: insert(Wing).add_cte(sa.delete(Drawer).cte("gone")),
    "has a prefix": lambda: insert(Wing).prefix_with("x"),
}


def test_an_insert_of_ones_own_reads_and_sets_nothing_of_others(session: UserSession) -> None:
    row = {"slug": "bees", "name": "Bees", "kind": "topic", "number": 1}
    for make in OWNED.values():
        for _ in range(2):
            with pytest.raises(UserNotNamed):
                session.insert(make(), row)


def test_a_caller_cannot_give_the_user_of_a_row(session: UserSession) -> None:
    row = {"slug": "bees", "name": "Bees", "kind": "topic", "number": 1}
    with pytest.raises(UserNotNamed):
        session.insert(insert(Wing), {**row, "user_id": session.user_id})
    session.insert(insert(Wing), [row, {**row, "slug": "ants", "number": 2}])
    whose = sa.select(Wing.user_id).where(Wing.user_id == session.user_id)
    assert session.execute(whose).scalars().all() == [session.user_id] * 2


def test_a_row_that_reads_other_rows_is_refused(session: UserSession) -> None:
    theirs = sa.select(sa.func.max(Wing.name)).scalar_subquery()
    with pytest.raises(UserNotNamed):
        session.insert(insert(Wing), {"slug": "bees", "name": theirs, "kind": "topic", "number": 1})


def test_without_a_user_only_the_one_that_is_asked_for_is_seen(palace: Palace) -> None:
    users, database = sa.select(PalaceUser.name), palace._opened.database.shared
    with database.without_user() as connection:
        assert connection.execute(users).all() == []
    with database.without_user(user_name=palace.user) as connection:
        assert connection.execute(users).scalars().all() == [palace.user]


def test_the_library_sends_nothing_past_the_session() -> None:
    past = [
        path for path in (ROOT / "palace").rglob("*.py") if "session.connection" in path.read_text(encoding="utf-8")
    ]
    assert past == []
