"""Schemas for other programs' tables on the palace's server."""

from __future__ import annotations

import psycopg
import pytest

from palace import Administration, BadRequest, Settings


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
