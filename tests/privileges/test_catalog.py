"""What the catalog says of functions, roles and tables: nobody has more than they need."""

from __future__ import annotations

import re
from collections.abc import Iterator

import psycopg
import pytest
from pydantic import SecretStr

from palace import Settings
from tests.hosts.reach import LOGIN, RUNTIME, WORKER
from tests.privileges.conftest import Connection
from tests.privileges.shadows import Definer, list_definers

NO_USERS = {"embedding_generation", "schema_revision"}
"""Tables in which nothing is anybody's."""

RIGHTS = {"schema_revision": "SELECT", "embedding_generation": "SELECT"}
EVERYDAY = "DELETE INSERT SELECT UPDATE"


@pytest.fixture
def migrated(settings: Settings) -> Iterator[Connection]:
    """A migrated database, as its owner."""
    url = settings.database_owner_url
    assert isinstance(url, SecretStr)
    with psycopg.connect(url.get_secret_value()) as connection:
        yield connection
        connection.rollback()


@pytest.fixture
def definers(migrated: Connection) -> list[Definer]:
    """The functions that run as their owner."""
    return list_definers(migrated)


def test_the_functions_that_run_as_the_owner_are_these(definers: list[Definer]) -> None:
    names = {schema: [each.name for each in definers if each.schema == schema] for schema in ("palace", "palace_queue")}
    assert names["palace"] == ["keyword_candidates", "named_places", "refresh_statistics"]
    assert names["palace_queue"] == ["cancel_job", "enqueue_job", "retry_job"]
    assert sum(map(len, names.values())) == len(definers)


def test_they_belong_to_the_owner_of_the_schema(migrated: Connection, definers: list[Definer]) -> None:
    query = b"SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'palace'"
    (owner,) = migrated.execute(query).fetchone() or ("",)
    assert {definer.owner for definer in definers} == {owner}


def test_they_look_names_up_where_nobody_else_can_make_any(migrated: Connection, definers: list[Definer]) -> None:
    writable = b"""
        SELECT nspname FROM pg_namespace
        WHERE nspname = ANY(%s) AND (nspname = 'public' OR has_schema_privilege(%s, oid, 'CREATE'))
    """
    for definer in definers:
        first, *rest = definer.path.split(", ")
        assert (first, rest[-1:]) == ("pg_catalog", ["pg_temp"]), definer.name
        assert migrated.execute(writable, ([first, *rest[:-1]], RUNTIME)).fetchall() == []


def test_every_function_of_the_palace_has_a_path_of_its_own(migrated: Connection) -> None:
    query = b"SELECT proname FROM pg_proc WHERE pronamespace = 'palace'::regnamespace AND prokind = 'f'"
    pinned = query + b" AND proconfig @> ARRAY['search_path=pg_catalog, pg_temp']"
    found = sorted(migrated.execute(query).fetchall())
    assert len(found) >= 3
    assert sorted(migrated.execute(pinned).fetchall()) == found


def test_every_function_names_the_schema_of_what_it_uses(migrated: Connection) -> None:
    relations = (
        b"SELECT relname FROM pg_class WHERE relnamespace = 'palace'::regnamespace AND relkind IN ('r', 'v', 'S')"
    )
    configurations = b"""
        SELECT cfgname FROM pg_ts_config WHERE cfgnamespace = 'palace'::regnamespace
        UNION SELECT dictname FROM pg_ts_dict WHERE dictnamespace = 'palace'::regnamespace
    """
    tables = [str(name) for (name,) in migrated.execute(relations)]
    words = [str(name) for (name,) in migrated.execute(configurations)]
    query = b"SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'palace'::regnamespace"
    bodies: dict[str, str] = dict(migrated.execute(query).fetchall())
    assert len(tables) > 20
    assert words == ["palace_plain"]
    assert len(bodies) >= 3
    assert {name: found for name, body in bodies.items() if (found := _bare(tables, words, body))} == {}


def _bare(tables: list[str], words: list[str], body: str) -> list[str]:
    """List what stands in a body without a schema in front: tables outside of literals, configurations inside too."""
    spoken = re.sub(r"'[^']*'", "''", body)
    places = [(spoken, name) for name in tables] + [(body, name) for name in words]
    return [name for text, name in places if re.search(rf"(?<![.\w]){name}\b", text)]


def test_functions_are_called_by_the_runtime_role_alone(migrated: Connection) -> None:
    query = b"""
        SELECT proname, ARRAY(SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee)::text END
                              FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee <> proowner)
        FROM pg_proc WHERE pronamespace = 'palace'::regnamespace
    """
    found = migrated.execute(query).fetchall()
    assert len(found) >= 3
    assert {name: callers for name, callers in found if callers != [RUNTIME]} == {}


def test_roles_of_everyday_work_have_no_right_over_the_server_and_own_nothing(migrated: Connection) -> None:
    query = b"""
        SELECT rolname, rolcanlogin, rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls,
               (SELECT count(*) FROM pg_shdepend WHERE refobjid = pg_roles.oid AND deptype IN ('o', 'r'))
        FROM pg_roles WHERE rolname = ANY(%s) ORDER BY 1
    """
    found = migrated.execute(query, ([RUNTIME, WORKER, LOGIN],)).fetchall()
    assert found == [(RUNTIME, False, False, 0), (LOGIN, True, False, 0), (WORKER, False, False, 0)]


def test_the_login_is_a_member_of_the_runtime_role_that_can_admit_nobody(migrated: Connection) -> None:
    query = b"""
        SELECT member::regrole::text, roleid::regrole::text, admin_option FROM pg_auth_members
        WHERE member IN (%s::regrole, %s::regrole)
    """
    found = sorted(migrated.execute(query, (RUNTIME, LOGIN)).fetchall())
    assert found == [(LOGIN, RUNTIME, False), (LOGIN, WORKER, False)]


def test_the_runtime_role_makes_nothing_in_any_schema_and_passes_no_right_on(migrated: Connection) -> None:
    query = b"SELECT nspname FROM pg_namespace WHERE has_schema_privilege(%s, oid, 'CREATE') AND nspname !~ '^pg_temp'"
    assert migrated.execute(query, (RUNTIME,)).fetchall() == []
    query = b"SELECT has_database_privilege(%s, current_database(), 'CREATE')"
    assert migrated.execute(query, (RUNTIME,)).fetchone() == (False,)
    query = b"""
        SELECT relname FROM pg_class, aclexplode(relacl) WHERE grantee = %s::regrole AND is_grantable
        UNION ALL SELECT proname FROM pg_proc, aclexplode(proacl) WHERE grantee = %s::regrole AND is_grantable
        UNION ALL SELECT nspname FROM pg_namespace, aclexplode(nspacl) WHERE grantee = %s::regrole AND is_grantable
    """
    assert migrated.execute(query, (RUNTIME,) * 3).fetchall() == []


def test_a_table_gives_the_runtime_role_what_statements_need_and_nobody_else_anything(migrated: Connection) -> None:
    query = b"""
        SELECT relname, coalesce(string_agg(privilege_type, ' ' ORDER BY privilege_type)
                                 FILTER (WHERE grantee = %s::regrole), ''),
               bool_or(grantee NOT IN (relowner, %s::regrole))
        FROM pg_class, aclexplode(relacl) WHERE relnamespace = 'palace'::regnamespace AND relkind = 'r' GROUP BY 1
    """
    found = migrated.execute(query, (RUNTIME, RUNTIME)).fetchall()
    assert len(found) > 20
    assert [row for row in found if row[1:] != (RIGHTS.get(row[0], EVERYDAY), False)] == []


def test_nobody_but_the_server_gives_a_generation_its_id(migrated: Connection) -> None:
    query = b"""
        SELECT attname FROM pg_attribute, aclexplode(attacl)
        WHERE attrelid = 'palace.embedding_generation'::regclass AND privilege_type = 'INSERT' ORDER BY 1
    """
    assert [name for (name,) in migrated.execute(query)] == ["dimension", "model", "normalised"]


def test_row_level_security_binds_everybody_on_every_table_with_users(migrated: Connection) -> None:
    query = b"""
        SELECT relname, relrowsecurity AND relforcerowsecurity FROM pg_class
        WHERE relnamespace = 'palace'::regnamespace AND relkind IN ('r', 'p')
    """
    bound: dict[str, bool] = dict(migrated.execute(query).fetchall())
    assert {name for name, is_bound in bound.items() if not is_bound} == NO_USERS
    assert set(bound) > NO_USERS


def test_a_table_has_a_policy_for_ones_own_rows_and_one_for_the_owner(migrated: Connection) -> None:
    query = b"""
        SELECT tablename, policyname, permissive, roles::text, cmd, qual, with_check, tableowner
        FROM pg_policies JOIN pg_tables USING (schemaname, tablename) WHERE schemaname = 'palace' ORDER BY 1, 2
    """
    found: dict[str, list[str]] = {}
    for table, name, permissive, roles, command, qual, check, owner in migrated.execute(query):
        found.setdefault(table, []).append(name)
        expected = "{public}" if name == "own_rows" else f"{{{owner}}}"
        assert (permissive, roles, command, qual) == ("PERMISSIVE", expected, "ALL", check), table
        assert ("palace.user_id" in qual) if name == "own_rows" else (qual == "true"), table
    assert len(found) > 15
    assert {table for table, names in found.items() if names != ["own_rows", "owner_maintains"]} == set()


def test_the_queue_gives_clients_the_sight_of_jobs_and_workers_what_they_need(migrated: Connection) -> None:
    query = b"""
        SELECT relname, grantee::regrole::text, string_agg(privilege_type, ' ' ORDER BY privilege_type)
        FROM pg_class, aclexplode(relacl)
        WHERE relnamespace = 'palace_queue'::regnamespace AND relkind = 'r' AND grantee <> relowner GROUP BY 1, 2
    """
    assert sorted(migrated.execute(query).fetchall()) == [
        ("procrastinate_events", WORKER, "INSERT SELECT"),
        ("procrastinate_jobs", RUNTIME, "SELECT"),
        ("procrastinate_jobs", WORKER, "DELETE SELECT"),
        ("procrastinate_periodic_defers", WORKER, "SELECT UPDATE"),
        ("procrastinate_workers", WORKER, EVERYDAY),
    ]


def test_every_function_of_the_queue_has_a_path_of_its_own_and_is_called_by_those_who_need_it(
    migrated: Connection,
) -> None:
    query = b"""
        SELECT proname, coalesce(proconfig::text LIKE '%search_path=pg_catalog, palace_queue, pg_temp%', false),
               ARRAY(SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END
                     FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee <> proowner)
        FROM pg_proc WHERE pronamespace = 'palace_queue'::regnamespace
    """
    found = migrated.execute(query).fetchall()
    assert len(found) > 20
    assert [name for name, is_pinned, _ in found if not is_pinned] == []
    assert {name for name, _, callers in found if callers == [RUNTIME]} == {
        "enqueue_job",
        "cancel_job",
        "retry_job",
    }
    assert {str(callers) for _, _, callers in found} == {"[]", f"['{RUNTIME}']", f"['{WORKER}']"}


def test_row_level_security_binds_everybody_on_every_table_of_the_queue(migrated: Connection) -> None:
    query = b"""
        SELECT relname, relrowsecurity AND relforcerowsecurity FROM pg_class
        WHERE relnamespace = 'palace_queue'::regnamespace AND relkind = 'r'
    """
    assert {is_bound for _, is_bound in migrated.execute(query).fetchall()} == {True}
