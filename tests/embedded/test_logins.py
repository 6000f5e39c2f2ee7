"""As whom everyday work logs in to the embedded server, in a new home and in one of a former version."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from palace import Palace
from palace.administration import Administration
from palace.settings import Settings
from palace.store.embedded.home import LOGIN_ROLE, OWNER_ROLE
from palace.store.embedded.server import EmbeddedServer
from palace.store.schema import Schema
from palace.tables.objects import RUNTIME_ROLE, WORKER_ROLE
from palace.testing import HashingEmbedder

Query = Callable[..., list[tuple[Any, ...]]]
ROLES = "SELECT rolname, rolcanlogin, rolsuper FROM pg_roles WHERE rolname LIKE 'palace%' ORDER BY 1"
MAY_MAKE_TEMPORARY = (
    "SELECT rolname FROM pg_roles WHERE rolname LIKE 'palace%'"
    " AND has_database_privilege(oid, current_database(), 'TEMPORARY')"
)
EXPECTED = [
    (RUNTIME_ROLE, False, False),
    (LOGIN_ROLE, True, False),
    (OWNER_ROLE, True, True),
    (WORKER_ROLE, False, False),
]


@pytest.fixture
def settings(home: Path) -> Settings:
    """Settings of the home."""
    return Settings(home=home, server_idle_minutes=0)


def _open(settings: Settings) -> Palace:
    return Palace.open(settings, user="mara", embedder=HashingEmbedder())


def test_in_a_new_home_a_member_logs_in_and_the_runtime_role_cannot(
    settings: Settings, server: EmbeddedServer, query: Query
) -> None:
    with _open(settings) as palace:
        palace.note("An anchor of aluminium.")
    assert query(server, ROLES) == EXPECTED
    assert query(server, MAY_MAKE_TEMPORARY) == [(OWNER_ROLE,)]
    assert f"//{LOGIN_ROLE}@/" in Administration(settings).url()
    with pytest.raises(psycopg.OperationalError, match="not permitted to log in"):
        psycopg.connect(server.url(RUNTIME_ROLE))


@pytest.fixture
def former(settings: Settings, server: EmbeddedServer, query: Query) -> EmbeddedServer:
    """A home as 0.2.0 left it: its schema's revision, its runtime role that logs in, no other login."""
    with _open(settings) as palace:
        palace.note("An anchor of aluminium.")
    Schema("palace").downgrade(server.url(OWNER_ROLE).replace("postgresql:", "postgresql+psycopg:"), "0003")
    query(server, f"DROP ROLE {LOGIN_ROLE}")
    query(server, f"ALTER ROLE {RUNTIME_ROLE} LOGIN")
    query(server, "GRANT TEMPORARY ON DATABASE palace TO PUBLIC")
    return server


def test_a_home_of_a_former_version_is_carried_over_when_it_is_opened(
    settings: Settings, former: EmbeddedServer, query: Query
) -> None:
    with _open(settings) as palace:
        assert palace.recall("anchor").hits[0].drawer.content == "An anchor of aluminium."
    assert query(former, ROLES) == EXPECTED
    assert query(former, MAY_MAKE_TEMPORARY) == [(OWNER_ROLE,)]


def test_a_login_of_everyday_work_makes_no_temporary_objects(settings: Settings, server: EmbeddedServer) -> None:
    _open(settings).close()
    with (
        psycopg.connect(server.url(LOGIN_ROLE)) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege, match="temporary tables"),
    ):
        connection.execute("CREATE TEMP TABLE mine (id int)")


def test_it_is_carried_over_once_by_many_who_open_it_together(
    settings: Settings, former: EmbeddedServer, query: Query
) -> None:
    def count(_: int) -> int:
        with _open(settings) as palace:
            return palace.status().drawers

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(count, range(4))) == [1, 1, 1, 1]
    assert query(former, ROLES) == EXPECTED


def test_it_is_carried_over_where_it_was_interrupted_after_the_migration(
    settings: Settings, former: EmbeddedServer, query: Query
) -> None:
    Schema("palace").upgrade(former.url(OWNER_ROLE).replace("postgresql:", "postgresql+psycopg:"))
    assert (RUNTIME_ROLE, True, False) in query(former, ROLES)
    with _open(settings) as palace:
        assert palace.status().drawers == 1
    assert query(former, ROLES) == EXPECTED
