"""One connection serves many users, one after the other: what a transaction was told ends with it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from palace import NotFound, Palace, PalaceError, UserSession
from tests.hosts import Host, SharedHost
from tests.isolation.conftest import both_layers
from tests.isolation.world import TABLES, World

pytestmark = both_layers


def visible(connection: sa.Connection) -> dict[str, int]:
    """Count what a bare statement shows of each table."""
    return {name: connection.execute(sa.text(f"SELECT count(*) FROM {name}")).scalar_one() for name in TABLES}


def driver_of(connection: sa.Connection) -> object:
    """Give the driver's own connection, which the pool hands from user to user."""
    return connection.connection.driver_connection


def test_an_error_on_the_way_leaves_no_user_behind(unharmed: World, stranger: Palace) -> None:
    database = stranger._opened.database.shared
    for mishap in ("SELECT 1 / 0", "SELECT * FROM nothing", "UPDATE wing SET kind = 'x'", "ROLLBACK"):
        used: list[object] = []

        def work(session: UserSession, used: list[object] = used, mishap: str = mishap) -> None:
            used.append(driver_of(session.connection))
            session.connection.execute(sa.text(mishap))
            raise NotFound("on the way")

        with pytest.raises((sa.exc.SQLAlchemyError, PalaceError)):
            database.of(unharmed.victim.user_id).run(work)
        with database.without_user() as connection:
            assert [driver_of(connection)] == used, mishap
            left = connection.execute(sa.text("SELECT current_setting('palace.user_id')")).scalar_one()
            assert (left, set(visible(connection).values())) == ("", {0}), mishap


SETTINGS = (
    "SELECT set_config('palace.user_id', '{id}', false)",
    "SET palace.user_id = '{id}'",
    "SET SESSION palace.user_name = '{user}'",
    "SET LOCAL palace.user_id = '{id}'",
    "RESET palace.user_id",
    "RESET ALL",
)


def test_what_a_transaction_sets_has_no_effect_on_the_next(unharmed: World, stranger: Palace, host: Host) -> None:
    # Straight to the server: a pooler would hand what is left here to the other tests.
    straight = SharedHost.runtime_url(host, unharmed.name) if isinstance(host, SharedHost) else None
    update = {"database_url": SecretStr(straight)} if straight else {}
    shared, own = type(stranger._opened.database.shared), stranger._opened.database.user_id
    for setting in SETTINGS:
        database = shared(unharmed.settings.model_copy(update=update))
        database.open()
        with database.of(own).transaction() as session:
            connection = driver_of(session.connection)
            said = setting.format(id=unharmed.victim.user_id, user=unharmed.victim.user)
            session.connection.execute(sa.text(said))
        with database.of(own).transaction() as session:
            assert driver_of(session.connection) is connection
            assert visible(session.connection)["drawer"] == 1, setting
        with database.without_user() as nobodys:
            assert set(visible(nobodys).values()) == {0}, setting
        database.close()


def test_without_a_transaction_of_ours_a_connection_shows_nothing(unharmed: World, stranger: Palace) -> None:
    engine = stranger._opened.database.shared._engine
    assert engine is not None
    stranger.recall("bees")
    with engine.connect() as connection:
        connection.execute(sa.text("SELECT set_config('role', 'palace_app', true)"))
        for table in TABLES:
            assert connection.execute(sa.text(f"SELECT count(*) FROM palace.{table}")).scalar_one() == 0


def test_two_users_at_once_on_one_database_never_see_each_other(unharmed: World, stranger: Palace) -> None:
    opened = stranger._opened
    victim = unharmed.victim
    start = threading.Barrier(4)

    def work(user: str, user_id: int, wings: list[str], query: str) -> None:
        palace = Palace(replace(opened, database=opened.database.shared.of(user_id), user=user))
        start.wait()
        for _ in range(15):
            assert [wing.name for wing in palace.tree.wings()] == wings
            assert {hit.drawer.wing_name for hit in palace.recall(query).hits} == set(wings)
            with palace._opened.session() as session:
                seen = session.connection.execute(sa.text("SELECT DISTINCT user_id FROM drawer")).scalars().all()
                assert seen == [user_id]

    with ThreadPoolExecutor(4) as pool:
        calls = [
            pool.submit(work, *call)
            for call in 2
            * (
                (victim.user, victim.user_id, [victim.cast.wing], victim.cast.query),
                (stranger.user, opened.database.user_id, ["Bees"], "bees"),
            )
        ]
        for call in calls:
            call.result()
