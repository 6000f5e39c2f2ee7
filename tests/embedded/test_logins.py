"""As whom everyday work logs in to the embedded server, in a new home and in one of a former version."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from palace import Administration, Palace, Settings
from palace.db.embedded.server import EmbeddedServer
from palace.db.schema import Schema
from palace.testing import HashingEmbedder
from tests.hosts.reach import LOGIN, OWNER, RUNTIME, WORKER

Query = Callable[..., list[tuple[Any, ...]]]
ROLES = "SELECT rolname, rolcanlogin, rolsuper FROM pg_roles WHERE rolname LIKE 'palace%' ORDER BY 1"
MAY_MAKE_TEMPORARY = (
    "SELECT rolname FROM pg_roles WHERE rolname LIKE 'palace%'"
    " AND has_database_privilege(oid, current_database(), 'TEMPORARY')"
)
EXPECTED = [(RUNTIME, False, False), (LOGIN, True, False), (OWNER, True, True), (WORKER, False, False)]


@pytest.fixture
def settings(home: Path) -> Settings:
    """Settings of the home."""
    return Settings(home=home, server_idle_minutes=0)


def _open(settings: Settings) -> Palace:
    return Palace.open(settings, user="mara", embedder=HashingEmbedder())


@pytest.mark.nightly
@pytest.mark.process
def test_in_a_new_home_a_member_logs_in_and_the_runtime_role_cannot(
    settings: Settings, server: EmbeddedServer, query: Query
) -> None:
    with _open(settings) as palace:
        palace.note("An anchor of aluminium.")
    assert query(server, ROLES) == EXPECTED
    assert query(server, MAY_MAKE_TEMPORARY) == [(OWNER,)]
    assert f"//{LOGIN}@/" in Administration(settings).url()
    with pytest.raises(psycopg.OperationalError, match="not permitted to log in"):
        psycopg.connect(server.url(RUNTIME))


@pytest.fixture
def former(settings: Settings, server: EmbeddedServer, query: Query) -> EmbeddedServer:
    """A home as 0.2.0 left it: its schema's revision, its runtime role that logs in, no other login."""
    with _open(settings) as palace:
        palace.note("An anchor of aluminium.")
    Schema("palace").downgrade(server.url(OWNER).replace("postgresql:", "postgresql+psycopg:"), "0003")
    query(server, f"DROP ROLE {LOGIN}")
    query(server, f"ALTER ROLE {RUNTIME} LOGIN")
    query(server, "GRANT TEMPORARY ON DATABASE palace TO PUBLIC")
    return server


@pytest.mark.nightly
def test_a_home_of_a_former_version_is_carried_over_also_where_it_was_interrupted_after_the_migration(
    settings: Settings, former: EmbeddedServer, query: Query
) -> None:
    Schema("palace").upgrade(former.url(OWNER).replace("postgresql:", "postgresql+psycopg:"))
    assert (RUNTIME, True, False) in query(former, ROLES)
    with _open(settings) as palace:
        assert palace.recall("anchor").hits[0].drawer.content == "An anchor of aluminium."
    assert query(former, ROLES) == EXPECTED
    assert query(former, MAY_MAKE_TEMPORARY) == [(OWNER,)]
