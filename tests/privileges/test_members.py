"""A login that may take on the runtime role gets nothing beyond it, and takes nothing from the others."""

from __future__ import annotations

import psycopg
import pytest

from palace import Palace
from palace.testing import HashingEmbedder
from tests.hosts import LOGIN, OWNER, RUNTIME
from tests.privileges.conftest import Careless, Connection

REFUSED = (
    f"SET ROLE {OWNER}",
    f"SET SESSION AUTHORIZATION {OWNER}",
    f"GRANT {OWNER} TO {LOGIN}",
    f"GRANT {RUNTIME} TO {LOGIN} WITH ADMIN OPTION",
    f"GRANT pg_read_all_data TO {RUNTIME}",
    f"ALTER ROLE {RUNTIME} SUPERUSER",
    f"ALTER ROLE {RUNTIME} BYPASSRLS",
    f"ALTER ROLE {OWNER} PASSWORD 'mine'",
    f"DROP ROLE {RUNTIME}",
    f"REASSIGN OWNED BY {OWNER} TO {RUNTIME}",
    f"ALTER DEFAULT PRIVILEGES FOR ROLE {OWNER} GRANT ALL ON TABLES TO PUBLIC",
    "CREATE ROLE another LOGIN",
    "ALTER TABLE palace.drawer DISABLE ROW LEVEL SECURITY",
    "CREATE POLICY mine ON palace.drawer USING (true)",
    "DROP POLICY own_rows ON palace.drawer",
    "CREATE TRIGGER mine BEFORE INSERT ON palace.drawer EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "CREATE RULE mine AS ON SELECT TO palace.drawer DO INSTEAD NOTHING",
    "CREATE TABLE palace.mine (id int)",
    "CREATE FUNCTION palace.mine() RETURNS int LANGUAGE sql RETURN 1",
    "CREATE SCHEMA mine",
    "CREATE EXTENSION dblink SCHEMA public",
    "DROP TABLE palace.drawer CASCADE",
    "TRUNCATE palace.drawer",
    "UPDATE palace.schema_revision SET version_num = '0001'",
    "DELETE FROM palace.embedding_generation",
    "COPY palace.drawer TO '/tmp/drawers'",
    "SELECT pg_read_file('/etc/passwd')",
    "SET session_replication_role = replica",
    "LOAD 'mine'",
    "SELECT rolpassword FROM pg_authid",
    "SELECT set_config('role', 'palace_owner', false)",
)


def test_a_member_is_refused(member: Connection, careless: Careless) -> None:
    before, let_through = _rights(careless), []
    for role in (LOGIN, RUNTIME):
        member.execute(f"SET LOCAL ROLE {role}".encode())
        for attempt in REFUSED:
            try:
                with member.transaction(force_rollback=True):
                    member.execute(attempt.encode())
                    let_through.append((role, attempt, ""))
            except psycopg.Error as problem:
                refused = isinstance(problem, psycopg.errors.InsufficientPrivilege)
                let_through += [] if refused else [(role, attempt, str(problem))]
    assert let_through == []
    assert _rights(careless) == before


HARMLESS = (
    f"DROP OWNED BY {RUNTIME}",
    "GRANT ALL ON palace.drawer TO PUBLIC",
    f"REVOKE ALL ON palace.drawer FROM {RUNTIME}",
    f"ALTER DEFAULT PRIVILEGES FOR ROLE {RUNTIME} GRANT ALL ON TABLES TO PUBLIC",
)


def test_what_a_member_may_say_about_its_role_changes_no_right(careless: Careless) -> None:
    before = _rights(careless)
    for attempt in HARMLESS:
        with careless.member() as member:
            member.execute(f"SET LOCAL ROLE {RUNTIME}".encode())
            member.execute(attempt.encode())
        assert _rights(careless) == before, attempt
    with Palace.open(careless.settings, user="victim", embedder=HashingEmbedder()) as palace:
        assert palace.status().drawers == 1


def test_settings_and_a_password_of_the_runtime_role_reach_nobody(careless: Careless) -> None:
    with careless.member() as member:
        member.execute(f"SET LOCAL ROLE {RUNTIME}".encode())
        member.execute(f"ALTER ROLE {RUNTIME} PASSWORD 'mine'".encode())
        member.execute(f"ALTER ROLE {RUNTIME} SET default_transaction_read_only = on".encode())
    try:
        with careless.member() as another:
            assert another.execute(b"SHOW default_transaction_read_only").fetchone() == ("off",)
            another.execute(f"SET LOCAL ROLE {RUNTIME}".encode())
            assert another.execute(b"SHOW default_transaction_read_only").fetchone() == ("off",)
        url = careless.member_url.replace(LOGIN, RUNTIME, 1)
        with pytest.raises(psycopg.OperationalError, match=r"not permitted to log in|authentication failed"):
            psycopg.connect(url, password="mine")
        with Palace.open(careless.settings, user="victim", embedder=HashingEmbedder()) as palace:
            assert palace.note("Written all the same.").content == "Written all the same."
            palace.forget(str(palace.recall("written all the same").hits[0].drawer.pointer))
    finally:
        with careless.member() as member:
            member.execute(f"SET LOCAL ROLE {RUNTIME}".encode())
            member.execute(f"ALTER ROLE {RUNTIME} PASSWORD NULL".encode())
            member.execute(f"ALTER ROLE {RUNTIME} RESET ALL".encode())


def _rights(careless: Careless) -> list[tuple[object, ...]]:
    """Read who may do what: roles and their members, owners, grants, policies, in this database."""
    query = b"""
        SELECT 'role', rolname::text, concat(rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin,
                                             rolreplication, rolbypassrls)
        FROM pg_roles WHERE rolname ^@ 'palace'
        UNION ALL SELECT 'member', concat(roleid::regrole, member::regrole), admin_option::text FROM pg_auth_members
        UNION ALL SELECT 'relation', oid::regclass::text, concat(relowner, relacl, relrowsecurity, relforcerowsecurity)
        FROM pg_class WHERE relnamespace IN ('palace'::regnamespace, 'public'::regnamespace)
        UNION ALL SELECT 'function', oid::regprocedure::text, concat(proowner, proacl, proconfig) FROM pg_proc
        WHERE pronamespace = 'palace'::regnamespace
        UNION ALL SELECT 'schema', nspname::text, concat(nspowner, nspacl) FROM pg_namespace WHERE nspname !~ '^pg_'
        UNION ALL SELECT 'policy', concat(tablename, policyname), concat(roles, qual, with_check) FROM pg_policies
        ORDER BY 1, 2, 3
    """
    with careless.owner() as connection:
        return connection.execute(query).fetchall()
