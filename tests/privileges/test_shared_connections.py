"""What a client leaves on a connection that a pooler hands on does not reach whoever has it next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from palace import Palace
from palace.db.database import Database
from palace.testing import HashingEmbedder
from tests.privileges.conftest import SECRET, Careless
from tests.privileges.shadows import SPY, Definer, types, views

LEFT = (
    "CREATE DOMAIN pg_temp.vector AS public.vector CHECK (pg_temp.spy())",
    "CREATE DOMAIN pg_temp.halfvec AS public.halfvec CHECK (pg_temp.spy())",
)
NOTHING = Definer(name="", arguments=(), body="", owner="", path="")


@pytest.fixture
def database(careless: Careless) -> Iterator[Database]:
    """The victim's database, on each connection to which another client has left what bears the palace's names."""
    made = Database(careless.settings.model_copy(update={"database_url": SecretStr(careless.straight_url)}))
    made.open()
    engine = made._engine
    assert engine is not None
    engine.dispose()
    sa.event.listen(engine, "connect", _leave)
    yield made
    made.close()


@pytest.fixture
def heard(database: Database) -> list[str]:
    """What the spies say from now on."""
    found: list[str] = []

    def listen(connection: psycopg.Connection[Any], _record: object) -> None:
        connection.add_notice_handler(lambda notice: found.append(notice.message_primary or ""))

    sa.event.listen(database._engine, "connect", listen)
    return found


def _leave(connection: psycopg.Connection[Any], _record: object) -> None:
    with connection.transaction():
        connection.execute(b"SET LOCAL ROLE palace_app")
        for statement in (SPY, *LEFT, *views(connection, NOTHING), *types(connection, NOTHING)):
            connection.execute(statement.encode())
    connection.commit()


@pytest.mark.nightly
def test_a_palace_works_as_ever(careless: Careless, database: Database, heard: list[str]) -> None:
    with _palace(careless, database) as palace:
        assert palace.recall("lantern vault").hits[0].drawer.content == SECRET
        noted = palace.note("A second lantern, of brass.")
        assert palace.show(str(noted.pointer)).drawer == noted
        assert [wing.name for wing in palace.tree.wings()] == ["Notes"]
        palace.rebuild()
        palace.forget(str(noted.pointer))
    assert heard == []


def _palace(careless: Careless, database: Database) -> Palace:
    opened = Palace.open(careless.settings, user="victim", embedder=HashingEmbedder())._opened
    opened.database.shared.close()
    return Palace(replace(opened, database=database.of(opened.database.user_id)))
