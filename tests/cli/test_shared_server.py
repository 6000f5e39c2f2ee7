"""A shared server that lets somebody in, or says in one line why not."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from palace_cli.app import app
from tests.cli.conftest import Run
from tests.hosts import TEMPLATE, SharedHost, execute

pytestmark = pytest.mark.slow

RUNTIME_ROLE = "palace_app"
SNAPSHOT = b"""
SELECT 'role', rolname::text FROM pg_roles UNION ALL
SELECT 'extension', extname::text FROM pg_extension UNION ALL
SELECT 'relation', oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'i') UNION ALL
SELECT 'schema', nspname::text FROM pg_namespace WHERE nspname !~ '^pg_t'
"""


@pytest.fixture
def database(shared_host: SharedHost) -> Iterator[str]:
    """A migrated database of the test's own, by name."""
    name = f"shared_{uuid.uuid4().hex[:10]}"
    shared_host.create_database(name, template=TEMPLATE)
    yield name
    shared_host.drop_database(name)


@pytest.fixture
def login(shared_host: SharedHost) -> Iterator[str]:
    """A login with a password that has not been granted anything."""
    name = f"login_{uuid.uuid4().hex[:10]}"
    execute(shared_host.administrator_url("postgres"), f"CREATE ROLE {name} LOGIN PASSWORD 'sesame'")
    yield name
    execute(shared_host.administrator_url("postgres"), f"DROP ROLE {name}")


@pytest.fixture
def run(folder: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command with the URLs of a test, and make sure that it says one line where it fails."""

    def invoke(*arguments: str, url: str, owner: str = "") -> Any:
        monkeypatch.setenv("PALACE_HOME", str(folder))
        monkeypatch.setenv("LOGNAME", "mara")
        monkeypatch.delenv("PALACE_USER", raising=False)
        monkeypatch.setenv("PALACE_DATABASE_URL", url)
        monkeypatch.setenv("PALACE_DATABASE_OWNER_URL", owner or url)
        result = CliRunner().invoke(app, arguments, catch_exceptions=False)
        assert (result.exit_code == 0) or (result.stdout, result.stderr.count("\n")) == ("", 1)
        assert "sesame" not in result.output
        return result

    return invoke


@pytest.fixture
def untouched(shared_host: SharedHost, database: str) -> Iterator[None]:
    """See that the test left the database's catalog as it was."""
    before = snapshot(shared_host, database)
    yield
    assert snapshot(shared_host, database) == before


def snapshot(host: SharedHost, database: str) -> set[tuple[str, str]]:
    """List what there is in a database, and the roles of its server."""
    with psycopg.connect(host.administrator_url(database)) as connection:
        return {(str(kind), str(name)) for kind, name in connection.execute(SNAPSHOT) if "login_" not in str(name)}


def address(host: SharedHost, login: str, database: str, *, password: str = "sesame") -> str:
    """URL of a test's login."""
    return f"postgresql://{login}:{password}@127.0.0.1:{host.port}/{database}"


def test_a_login_made_as_documented_works(shared_host: SharedHost, database: str, login: str, run: Run) -> None:
    execute(shared_host.owner_url(database), f"GRANT {RUNTIME_ROLE} TO {login}")
    url = address(shared_host, login, database)
    assert run("note", "An anchor of aluminium.", url=url).exit_code == 0
    assert "aluminium" in run("recall", "anchor", url=url).stdout


@pytest.mark.nightly
@pytest.mark.usefixtures("untouched")
def test_a_login_that_may_not_act_as_the_role_learns_what_to_ask_for(
    shared_host: SharedHost, database: str, login: str, run: Run
) -> None:
    for option in ("", "SET FALSE", "INHERIT FALSE"):
        if option:
            grant = f"GRANT {RUNTIME_ROLE} TO {login} WITH {option}"
            execute(shared_host.owner_url(database), f"REVOKE {RUNTIME_ROLE} FROM {login}", grant)
        result = run("note", "An anchor.", url=address(shared_host, login, database))
        assert (result.exit_code, f"GRANT {RUNTIME_ROLE} TO" in result.stderr) == (1, True), option


@pytest.mark.nightly
@pytest.mark.usefixtures("untouched")
def test_a_runtime_role_that_lost_the_schema_is_mended_by_an_upgrade(
    shared_host: SharedHost, database: str, run: Run
) -> None:
    url, owner = shared_host.runtime_url(database), shared_host.owner_url(database)
    execute(owner, f"REVOKE USAGE ON SCHEMA palace FROM {RUNTIME_ROLE}")
    result = run("ls", url=url)
    assert (result.exit_code, "`palace db upgrade`" in result.stderr) == (1, True)
    assert run("db", "upgrade", url=url, owner=owner).exit_code == 0
    assert run("ls", url=url).exit_code == 0


@pytest.mark.usefixtures("untouched")
def test_a_server_that_is_not_reached_or_refuses_is_exit_code_3(
    shared_host: SharedHost, database: str, login: str, run: Run
) -> None:
    wrong = address(shared_host, login, database, password="sesame-street")
    for command in (("note", "An anchor."), ("db", "upgrade")):
        result = run(*command, url=wrong)
        said = f'refuses the connection (password authentication failed for user "{login}")'
        assert (result.exit_code, said in result.stderr) == (3, True)
    for url, said in {
        shared_host.runtime_url("not_there"): 'database "not_there" does not exist',
        "postgresql://mara:sesame@nowhere.invalid/palace": "nowhere.invalid:5432/palace does not answer",
        f"{shared_host.runtime_url(database)}?sslmode=require": "SSL",
        f"{shared_host.runtime_url(database)}?sslmode=verify-full": "refuses the connection",
    }.items():
        result = run("ls", url=url)
        assert (result.exit_code, said in result.stderr) == (3, True), said


@pytest.fixture
def bare(shared_host: SharedHost) -> Iterator[str]:
    """A database of the owner's in which no superuser has made the extensions."""
    name = f"bare_{uuid.uuid4().hex[:10]}"
    execute(shared_host.administrator_url("postgres"), f"CREATE DATABASE {name} OWNER palace_owner")
    yield name
    shared_host.drop_database(name)


@pytest.mark.nightly
def test_a_database_without_the_extension_asks_for_a_superuser(shared_host: SharedHost, bare: str, run: Run) -> None:
    before = snapshot(shared_host, bare)
    result = run("db", "upgrade", url=shared_host.owner_url(bare))
    assert (result.exit_code, "a superuser runs CREATE EXTENSION" in result.stderr) == (1, True)
    assert snapshot(shared_host, bare) == before
