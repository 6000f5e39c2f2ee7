"""A statement that does not name its user is refused before it is sent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased

from palace.errors import UserNotNamed
from palace.store.database import Database, UserSession
from palace.store.sql import named
from palace.store.sql.named import KEYS, bound
from palace.store.users import ensure_user
from palace.tables import Base, Closet, Drawer, EmbeddingGeneration, PalaceUser, Room, Tombstone, Wing

ME, OTHER = 5, 6
ROOT = Path(__file__).parents[2]
Statement = Callable[[], Any]

_room = Room.id == Drawer.room_id
_other = aliased(Drawer)

UNNAMED: dict[str, Statement] = {
    "no condition": lambda: sa.select(Drawer.id),
    "a count": lambda: sa.select(sa.func.count()).select_from(Drawer),
    "another condition": lambda: sa.select(Drawer.id).where(Drawer.number == ME),
    "either": lambda: sa.select(Drawer.id).where((Drawer.user_id == ME) | (Drawer.number == 1)),
    "not": lambda: sa.select(Drawer.id).where(~(Drawer.user_id == ME)),
    "not equal": lambda: sa.select(Drawer.id).where(Drawer.user_id != ME),
    "a list": lambda: sa.select(Drawer.id).where(Drawer.user_id.in_([ME])),
    "by a name": lambda: sa.select(Drawer.id).where(Drawer.user_id == sa.bindparam("user")),
    "with itself": lambda: sa.select(Drawer.id).where(Drawer.user_id == Drawer.user_id),
    "a joined table": lambda: sa.select(Drawer.id).join(Room, _room).where(Drawer.user_id == ME),
    "a table beside": lambda: sa.select(Drawer.id, Room.id).where(Drawer.user_id == ME),
    "the kept side of an outer join": lambda: sa.select(Drawer.id).outerjoin(
        Room, sa.and_(_room, Room.user_id == ME, Drawer.user_id == ME)
    ),
    "an alias": lambda: sa.select(_other.id).where(Drawer.user_id == ME),
    "a nested select": lambda: sa.select(Drawer.id).where(
        Drawer.user_id == ME, Drawer.room_id.in_(sa.select(Room.id).where(Room.number == 1))
    ),
    "a nested select of the same": lambda: sa.select(Drawer.id).where(
        Drawer.user_id == ME, Drawer.room_id.in_(sa.select(Drawer.room_id).where(Drawer.number == 1))
    ),
    "a derived table": lambda: sa.select(sa.select(Drawer.id).subquery()),
    "a common table": lambda: sa.select(sa.select(Drawer.id).cte()),
    "a column that is a select": lambda: sa.select(
        Drawer.id, sa.select(sa.func.max(Wing.number)).scalar_subquery()
    ).where(Drawer.user_id == ME),
    "one part of a union": lambda: sa.union_all(
        sa.select(Drawer.id).where(Drawer.user_id == ME), sa.select(Room.id).where(Room.number == 1)
    ),
    "an order": lambda: (
        sa.select(Drawer.id).where(Drawer.user_id == ME).order_by(sa.select(Room.number).where(_room).scalar_subquery())
    ),
    "an update": lambda: sa.update(Drawer).values(number=1),
    "an update from another": lambda: sa.update(Drawer).where(Drawer.user_id == ME, _room).values(number=Room.number),
    "a delete": lambda: sa.delete(Closet).where(Closet.id == 1),
    "a delete by another": lambda: sa.delete(Closet).where(Closet.user_id == ME, Closet.room_id == Room.id),
    "the users": lambda: sa.select(PalaceUser.name),
    "an insert": lambda: insert(Drawer).values(user_id=ME),
    "a selected insert": lambda: insert(Tombstone).from_select(["user_id"], sa.select(Drawer.user_id)),
    "an insert for all": lambda: insert(Tombstone).from_select(
        ["user_id"], sa.select(sa.literal(OTHER).label("user_id")).where(Drawer.user_id == ME)
    ),
    "a text within": lambda: sa.select(sa.text("content FROM drawer")),
    "a literal column": lambda: sa.select(sa.literal_column("(SELECT max(content) FROM drawer)")),
    "a text": lambda: sa.text("SELECT content FROM drawer"),
    "a text that only mentions it": lambda: sa.text("SELECT content FROM drawer -- :user_id"),
}
NAMED: dict[str, Statement] = {
    "a table": lambda: sa.select(Drawer.id).where(Drawer.user_id == ME),
    "the user": lambda: sa.select(PalaceUser.name).where(PalaceUser.id == ME),
    "a join": lambda: (
        sa.select(Drawer.id).join(Room, sa.and_(Room.user_id == Drawer.user_id, _room)).where(Drawer.user_id == ME)
    ),
    "a chain": lambda: (
        sa.select(Drawer.id)
        .join(Room, sa.and_(Room.user_id == Drawer.user_id, _room))
        .outerjoin(Wing, sa.and_(Wing.user_id == Room.user_id, Wing.id == Room.wing_id))
        .where(Drawer.user_id == ME)
    ),
    "a nested select": lambda: sa.select(Drawer.id).where(
        Drawer.user_id == ME, sa.select(Room.id).where(Room.user_id == Drawer.user_id, _room).exists()
    ),
    "a derived table": lambda: sa.select(sa.select(Drawer.id).where(Drawer.user_id == ME).subquery()),
    "an update": lambda: sa.update(Drawer).where(Drawer.user_id == ME).values(number=1),
    "a delete": lambda: sa.delete(Drawer).where(Drawer.user_id == ME),
    "a selected insert": lambda: insert(Tombstone).from_select(
        ["user_id"], sa.select(Drawer.user_id).where(Drawer.user_id == ME)
    ),
    "what is no user's": lambda: sa.select(EmbeddingGeneration.id),
    "a setting": lambda: sa.text("SELECT set_config('work_mem', :size, true)"),
}


@pytest.mark.parametrize("name", UNNAMED)
def test_a_statement_without_its_user_is_refused(name: str) -> None:
    for _ in range(2):  # what is known of its kind does not let it through either
        with pytest.raises(UserNotNamed):
            bound(UNNAMED[name](), None, ME)


@pytest.mark.parametrize("name", NAMED)
def test_a_statement_with_its_user_is_not(name: str) -> None:
    for _ in range(2):
        assert bound(NAMED[name](), None, ME) is None


@pytest.mark.parametrize("name", [name for name in NAMED if name not in ("what is no user's", "a setting")])
def test_one_with_another_user_is_refused_though_its_kind_is_known(name: str) -> None:
    bound(NAMED[name](), None, ME)
    with pytest.raises(UserNotNamed, match="another user"):
        bound(NAMED[name](), None, OTHER)


@pytest.mark.parametrize("table", sorted(set(Base.metadata.tables) - {"embedding_generation"}))
def test_every_table_with_rows_of_users_has_to_be_named(table: str) -> None:
    with pytest.raises(UserNotNamed, match=rf"a statement on {table} does not name its user"):
        bound(sa.select(Base.metadata.tables[table]), None, ME)
    assert table in KEYS


def test_a_kind_of_statement_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    examine = Mock(wraps=named._examine)
    monkeypatch.setattr(named, "_examine", examine)
    for number in range(3):
        bound(sa.select(Drawer.identity).where(Drawer.user_id == ME, Drawer.number == number), None, ME)
    examine.assert_called_once()


def test_a_caller_cannot_give_the_user_of_a_text(session: UserSession) -> None:
    query = sa.text("SELECT count(*) FROM drawer WHERE user_id = :user_id")
    assert session.execute(query).scalar_one() == 0
    with pytest.raises(UserNotNamed):
        session.execute(query, {"user_id": session.user_id})


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


def test_without_a_user_only_the_one_that_is_asked_for_is_seen(database: Database, user_id: int) -> None:
    ensure_user(database, "somebody")
    users = sa.select(PalaceUser.name)
    with database.without_user() as connection:
        assert connection.execute(users).all() == []
    with database.without_user(user_name="somebody") as connection:
        assert connection.execute(users).scalars().all() == ["somebody"]


def test_the_library_sends_nothing_past_the_session() -> None:
    past = [
        path for path in (ROOT / "palace").rglob("*.py") if "session.connection" in path.read_text(encoding="utf-8")
    ]
    assert past == []
