"""A shared server that lets somebody in, or says in one line why not."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from palace.tables.objects import RUNTIME_ROLE
from palace_cli.app import app
from tests.hosts import LOGIN, TEMPLATE, SharedHost, execute
from tests.hosts.shared import PREPARE

Run = Callable[..., Any]
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
        monkeypatch.setenv("PALACE_USER", "mara")
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


@pytest.fixture
def former_host(folder: Path) -> Iterator[SharedHost]:
    """A server that an administrator prepared with the script of 0.2.0: the runtime role logs in itself."""
    host = SharedHost(folder)
    host.ensure_running()
    execute(
        host.administrator_url(TEMPLATE),
        f"ALTER ROLE {RUNTIME_ROLE} LOGIN PASSWORD 'sesame'",
        f"DROP ROLE {LOGIN}",
        "GRANT CREATE ON SCHEMA public TO PUBLIC",
    )
    yield host
    host.stop()


def test_who_logs_in_as_the_runtime_role_goes_on_until_it_is_closed_as_the_doctor_says(
    former_host: SharedHost, run: Run
) -> None:
    url, owner = address(former_host, RUNTIME_ROLE, TEMPLATE), former_host.owner_url(TEMPLATE)
    assert run("db", "upgrade", url=url, owner=owner).exit_code == 0
    assert run("note", "An anchor of aluminium.", url=url).exit_code == 0
    advice = _advice(run("doctor", "--json", url=url))
    assert "the runtime role may log in" in advice["role"][0]
    make, close = _statements(advice["role"][1])
    execute(former_host.administrator_url(TEMPLATE), make, *_statements(advice["public"][1]))
    member = address(former_host, LOGIN, TEMPLATE)
    assert _statements(_advice(run("doctor", "--json", url=member))["role"][1]) == [close]
    execute(former_host.administrator_url(TEMPLATE), close)

    closed = run("ls", url=url)
    assert (closed.exit_code, 'authentication failed for user "palace_app"' in closed.stderr) == (3, True)
    assert "aluminium" in run("recall", "anchor", url=member).stdout
    assert _advice(run("doctor", "--json", url=member)) == {}


def _advice(result: Any) -> dict[str, tuple[str, str]]:
    """Map the checks of roles and rights that found something to what they say, and what they advise."""
    checks = json.loads(result.stdout)
    found = [check for check in checks if check["verdict"] != "ok" and check["name"] in {"role", "public"}]
    return {check["name"]: (check["finding"], check["remedy"]) for check in found}


def _statements(remedy: str) -> list[str]:
    """Cut what an administrator is to run out of an advice, with a password put in."""
    return [said.replace("…", "sesame") for said in re.findall(r"(?:CREATE|ALTER|REVOKE) [^;]+;", remedy)]


def test_the_compose_file_mounts_the_script_that_these_tests_ran_and_gives_it_its_passwords() -> None:
    compose = (PREPARE.parents[1] / "docker-compose.yml").read_text(encoding="utf-8")
    assert f"./docker/{PREPARE.name}:/docker-entrypoint-initdb.d/" in compose
    wanted = re.findall(r"^\\getenv \w+ (\w+)$", PREPARE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(wanted) == 2
    assert all(f"{name}: ${{{name}:?" in compose for name in wanted)


def test_the_prepared_owner_has_no_rights_over_the_server(shared_host: SharedHost, database: str) -> None:
    query = b"SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls FROM pg_roles WHERE rolname = current_user"
    for url in (shared_host.owner_url(database), shared_host.runtime_url(database)):
        with psycopg.connect(url) as connection:
            assert connection.execute(query).fetchone() == (False, False, False, False)


@pytest.mark.usefixtures("untouched")
def test_a_login_that_is_no_member_learns_what_to_ask_for(
    shared_host: SharedHost, database: str, login: str, run: Run
) -> None:
    result = run("note", "An anchor.", url=address(shared_host, login, database))
    assert (result.exit_code, f"GRANT {RUNTIME_ROLE} TO" in result.stderr) == (1, True)


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize("option", ["SET FALSE", "INHERIT FALSE"])
def test_a_member_that_may_not_act_as_the_role_learns_what_to_ask_for(
    shared_host: SharedHost, database: str, login: str, run: Run, option: str
) -> None:
    execute(shared_host.owner_url(database), f"GRANT {RUNTIME_ROLE} TO {login} WITH {option}")
    result = run("note", "An anchor.", url=address(shared_host, login, database))
    assert (result.exit_code, f"GRANT {RUNTIME_ROLE} TO" in result.stderr) == (1, True)


@pytest.mark.usefixtures("untouched")
def test_a_login_without_the_owners_rights_cannot_upgrade(
    shared_host: SharedHost, database: str, login: str, run: Run
) -> None:
    execute(shared_host.owner_url(database), f"GRANT {RUNTIME_ROLE} TO {login}")
    result = run("db", "upgrade", url=address(shared_host, login, database))
    assert (result.exit_code, "as the owner" in result.stderr) == (1, True)


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
@pytest.mark.parametrize("command", [("note", "An anchor."), ("db", "upgrade")], ids=["note", "upgrade"])
def test_a_wrong_password_is_exit_code_3(
    shared_host: SharedHost, database: str, login: str, run: Run, command: tuple[str, ...]
) -> None:
    result = run(*command, url=address(shared_host, login, database, password="sesame-street"))
    said = f'refuses the connection (password authentication failed for user "{login}")'
    assert (result.exit_code, said in result.stderr) == (3, True)


def test_an_unknown_database_is_exit_code_3(shared_host: SharedHost, run: Run) -> None:
    result = run("ls", url=shared_host.runtime_url("not_there"))
    assert (result.exit_code, 'database "not_there" does not exist' in result.stderr) == (3, True)


def test_an_unknown_host_is_exit_code_3(run: Run) -> None:
    result = run("ls", url="postgresql://mara:sesame@nowhere.invalid/palace")
    assert (result.exit_code, "nowhere.invalid:5432/palace does not answer" in result.stderr) == (3, True)


@pytest.mark.parametrize("mode", ["require", "verify-full"])
def test_a_server_without_the_tls_that_is_asked_for_is_exit_code_3(
    shared_host: SharedHost, database: str, run: Run, mode: str
) -> None:
    result = run("ls", url=f"{shared_host.runtime_url(database)}?sslmode={mode}")
    assert (result.exit_code, "refuses the connection" in result.stderr, "SSL" in result.stderr) == (3, True, True)


def test_an_owner_that_is_refused_is_told_the_owners_address(shared_host: SharedHost, database: str, run: Run) -> None:
    owner = f"postgresql://palace_owner:sesame@127.0.0.1:{shared_host.port}/{database}"
    result = run("db", "upgrade", url="postgresql://mara:sesame@pooler.invalid:6432/palace", owner=owner)
    assert (result.exit_code, f"127.0.0.1:{shared_host.port}/{database} refuses" in result.stderr) == (3, True)


@pytest.fixture
def bare(shared_host: SharedHost) -> Iterator[str]:
    """A database of the owner's in which no superuser has made the extensions."""
    name = f"bare_{uuid.uuid4().hex[:10]}"
    execute(shared_host.administrator_url("postgres"), f"CREATE DATABASE {name} OWNER palace_owner")
    yield name
    shared_host.drop_database(name)


def test_a_database_without_the_extension_asks_for_a_superuser(shared_host: SharedHost, bare: str, run: Run) -> None:
    before = snapshot(shared_host, bare)
    result = run("db", "upgrade", url=shared_host.owner_url(bare))
    assert (result.exit_code, "a superuser runs CREATE EXTENSION" in result.stderr) == (1, True)
    assert snapshot(shared_host, bare) == before


def test_a_server_without_pgvector_is_named_as_such(shared_host: SharedHost, bare: str, run: Run) -> None:
    before = snapshot(shared_host, bare)
    # From version 18 on, a database can be made to look for its extensions where there are none.
    execute(shared_host.administrator_url(bare), f"ALTER DATABASE {bare} SET extension_control_path = '/nowhere'")
    result = run("db", "upgrade", url=shared_host.owner_url(bare))
    assert (result.exit_code, "this server has no pgvector" in result.stderr) == (1, True)
    assert snapshot(shared_host, bare) == before


def test_two_palaces_in_one_database_know_nothing_of_each_other(
    shared_host: SharedHost, database: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, owner = shared_host.runtime_url(database), shared_host.owner_url(database)
    run("note", "An anchor of aluminium.", url=url)
    monkeypatch.setenv("PALACE_DATABASE_SCHEMA", "other")
    assert run("ls", url=url).exit_code == 1
    assert run("db", "upgrade", url=url, owner=owner).exit_code == 0
    assert json.loads(run("status", "--json", url=url).stdout)["drawers"] == 0
