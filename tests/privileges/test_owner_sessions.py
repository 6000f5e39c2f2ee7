"""The owner's own connections, other programs' schemas, and the server as docker/prepare.sql leaves it."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
import sqlalchemy as sa

from palace import Administration, BadRequest, Settings
from palace.db.database import Database, owner_connection
from tests.hosts.reach import TEMPLATE
from tests.hosts.shared import SharedHost
from tests.privileges.conftest import Careless

TRAPS = (
    "CREATE FUNCTION public.trap(oid, regnamespace) RETURNS boolean LANGUAGE plpgsql AS"
    " $$ BEGIN RAISE EXCEPTION 'a trap runs as %', current_user; END $$",
    "CREATE OPERATOR public.= (LEFTARG = oid, RIGHTARG = regnamespace, FUNCTION = public.trap)",
)
"""An operator that fits better than the system's: a number beside a schema is compared as two numbers there."""


@pytest.fixture
def trapped(careless: Careless) -> Iterator[Database]:
    """The database with a trap that somebody laid who may make objects in ``public``."""
    with careless.attacker() as connection:
        for statement in TRAPS:
            connection.execute(statement.encode())
    yield Database(careless.settings)
    with careless.attacker() as connection:
        connection.execute(b"DROP FUNCTION public.trap CASCADE")


def test_the_owner_walks_past_operators_that_others_made_in_public(trapped: Database) -> None:
    with owner_connection(trapped) as connection:
        own = sa.text("SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('palace')")
        assert connection.execute(own).scalar_one() > 0
        connection.execute(sa.text("SET search_path = public"))
        with pytest.raises(sa.exc.DBAPIError, match="a trap runs as palace_owner"):
            connection.execute(own)


@pytest.mark.usefixtures("trapped")
def test_an_upgrade_of_a_palace_walks_past_them_too(careless: Careless) -> None:
    Administration(careless.settings).upgrade()


@pytest.mark.nightly
def test_in_a_prepared_database_nobody_but_the_owner_makes_anything(shared_host: SharedHost) -> None:
    for role in ("palace_login", "palace_app"):
        for statement in ("CREATE TEMP TABLE mine (id int)", "CREATE TABLE public.mine (id int)"):
            with psycopg.connect(shared_host.runtime_url(TEMPLATE)) as connection:
                connection.execute(f"SET LOCAL ROLE {role}".encode())
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement.encode())


def test_each_user_of_a_program_has_tables_that_the_runtime_role_cannot_read(settings: Settings) -> None:
    server = Administration(settings)
    addresses = [server.program_address("langgraph", user=user) for user in ("mara", "Mara", "m'; DROP TABLE x --")]
    addresses.append(server.program_address("langgraph"))
    assert server.program_address("langgraph", user="mara") == addresses[0]
    for number, address in enumerate(addresses):
        with psycopg.connect(address) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS kept (number int)")
            connection.execute("INSERT INTO kept VALUES (%s)", [number])
            place = connection.execute("SELECT current_schema(), array_agg(number) FROM kept").fetchone()
            assert place is not None
            assert place[1] == [number]
        assert settings.database_url
        url = settings.database_url.get_secret_value()
        with psycopg.connect(url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(f"SELECT * FROM {place[0]}.kept".encode())
        with psycopg.connect(address) as connection:
            connection.execute(f"DROP SCHEMA {place[0]} CASCADE".encode())


def test_a_program_without_a_short_name_in_lower_case_is_refused(settings: Settings) -> None:
    for name in ("", "LangGraph", "a; b", "x" * 21, "1a"):
        with pytest.raises(BadRequest, match="has a name like langgraph"):
            Administration(settings).program_address(name)
