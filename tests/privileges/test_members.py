"""A login that may take on the runtime role gets nothing beyond it, and takes nothing from the others."""

from __future__ import annotations

import psycopg
import pytest

from palace import Palace
from palace.store.embedded.home import LOGIN_ROLE, OWNER_ROLE
from palace.tables.objects import RUNTIME_ROLE
from palace.testing import HashingEmbedder
from tests.privileges.conftest import Careless, Connection

REFUSED = (
    f"SET ROLE {OWNER_ROLE}",
    f"SET SESSION AUTHORIZATION {OWNER_ROLE}",
    f"GRANT {OWNER_ROLE} TO {LOGIN_ROLE}",
    f"GRANT {RUNTIME_ROLE} TO {LOGIN_ROLE} WITH ADMIN OPTION",
    f"GRANT {RUNTIME_ROLE} TO pg_monitor",
    f"GRANT pg_read_all_data TO {RUNTIME_ROLE}",
    f"REVOKE {RUNTIME_ROLE} FROM {OWNER_ROLE}",
    f"ALTER ROLE {RUNTIME_ROLE} LOGIN",
    f"ALTER ROLE {RUNTIME_ROLE} SUPERUSER",
    f"ALTER ROLE {RUNTIME_ROLE} BYPASSRLS",
    f"ALTER ROLE {RUNTIME_ROLE} CREATEROLE",
    f"ALTER ROLE {LOGIN_ROLE} CREATEROLE",
    f"ALTER ROLE {OWNER_ROLE} PASSWORD 'mine'",
    f"ALTER ROLE {OWNER_ROLE} SET search_path = pg_temp",
    f"DROP ROLE {RUNTIME_ROLE}",
    f"DROP ROLE {OWNER_ROLE}",
    f"DROP OWNED BY {OWNER_ROLE}",
    f"REASSIGN OWNED BY {OWNER_ROLE} TO {RUNTIME_ROLE}",
    f"ALTER DEFAULT PRIVILEGES FOR ROLE {OWNER_ROLE} GRANT ALL ON TABLES TO PUBLIC",
    "CREATE ROLE another LOGIN",
    "ALTER TABLE palace.drawer DISABLE ROW LEVEL SECURITY",
    "ALTER TABLE palace.drawer NO FORCE ROW LEVEL SECURITY",
    "CREATE POLICY mine ON palace.drawer USING (true)",
    "ALTER POLICY own_rows ON palace.drawer USING (true)",
    "DROP POLICY own_rows ON palace.drawer",
    "CREATE TRIGGER mine BEFORE INSERT ON palace.drawer EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "CREATE RULE mine AS ON SELECT TO palace.drawer DO INSTEAD NOTHING",
    "CREATE STATISTICS mine ON id, number FROM palace.drawer",
    "CREATE INDEX mine ON palace.drawer (id)",
    "CREATE TABLE palace.mine (id int)",
    "CREATE FUNCTION palace.mine() RETURNS int LANGUAGE sql RETURN 1",
    "CREATE SCHEMA mine",
    "CREATE CAST (text AS tsquery) WITH INOUT AS IMPLICIT",
    "CREATE EXTENSION dblink SCHEMA public",
    "DROP TABLE palace.drawer CASCADE",
    "DROP SCHEMA palace CASCADE",
    "DROP EXTENSION vector CASCADE",
    "TRUNCATE palace.drawer",
    "UPDATE palace.schema_revision SET version_num = '0001'",
    "DELETE FROM palace.embedding_generation",
    "COPY palace.drawer TO '/tmp/drawers'",
    "COPY palace.drawer TO PROGRAM 'cat'",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT lo_import('/etc/passwd')",
    "SET session_replication_role = replica",
    "SET session_preload_libraries = 'mine'",
    "LOAD 'mine'",
    "SELECT rolpassword FROM pg_authid",
    "SELECT set_config('role', 'palace_owner', false)",
)


@pytest.mark.parametrize("attempt", REFUSED)
@pytest.mark.parametrize("role", [LOGIN_ROLE, RUNTIME_ROLE])
def test_a_member_is_refused(attempt: str, role: str, member: Connection, careless: Careless) -> None:
    before = _rights(careless)
    member.execute(f"SET LOCAL ROLE {role}".encode())
    with pytest.raises(psycopg.Error) as problem, member.transaction():
        member.execute(attempt.encode())
    assert isinstance(problem.value, psycopg.errors.InsufficientPrivilege), problem
    assert _rights(careless) == before


HARMLESS = (
    f"DROP OWNED BY {RUNTIME_ROLE}",
    "GRANT ALL ON palace.drawer TO PUBLIC",
    "GRANT USAGE ON SCHEMA palace TO PUBLIC",
    f"REVOKE ALL ON palace.drawer FROM {RUNTIME_ROLE}",
    f"REVOKE ALL ON ALL TABLES IN SCHEMA palace FROM {RUNTIME_ROLE}",
    f"ALTER DEFAULT PRIVILEGES FOR ROLE {RUNTIME_ROLE} GRANT ALL ON TABLES TO PUBLIC",
)


@pytest.mark.parametrize("attempt", HARMLESS)
def test_what_a_member_may_say_about_its_role_changes_no_right(
    attempt: str, member: Connection, careless: Careless
) -> None:
    before = _rights(careless)
    member.execute(f"SET LOCAL ROLE {RUNTIME_ROLE}".encode())
    member.execute(attempt.encode())
    member.commit()
    assert _rights(careless) == before
    with Palace.open(careless.settings, user="victim", embedder=HashingEmbedder()) as palace:
        assert palace.status().drawers == 1


def test_a_policy_that_names_the_runtime_role_would_go_with_a_members_word(
    careless: Careless, owner: Connection
) -> None:
    owner.execute(f"CREATE POLICY named ON palace.drawer TO {RUNTIME_ROLE} USING (true)".encode())
    owner.commit()
    with careless.member() as member:
        member.execute(f"DROP OWNED BY {RUNTIME_ROLE}".encode())
    query = b"SELECT policyname FROM pg_policies WHERE tablename = 'drawer' ORDER BY 1"
    assert owner.execute(query).fetchall() == [("own_rows",), ("owner_maintains",)]


def test_settings_and_a_password_of_the_runtime_role_reach_nobody(careless: Careless) -> None:
    with careless.member() as member:
        member.execute(f"SET LOCAL ROLE {RUNTIME_ROLE}".encode())
        member.execute(f"ALTER ROLE {RUNTIME_ROLE} PASSWORD 'mine'".encode())
        member.execute(f"ALTER ROLE {RUNTIME_ROLE} SET default_transaction_read_only = on".encode())
    try:
        with careless.member() as another:
            assert another.execute(b"SHOW default_transaction_read_only").fetchone() == ("off",)
            another.execute(f"SET LOCAL ROLE {RUNTIME_ROLE}".encode())
            assert another.execute(b"SHOW default_transaction_read_only").fetchone() == ("off",)
        url = careless.member_url.replace(LOGIN_ROLE, RUNTIME_ROLE, 1)
        with pytest.raises(psycopg.OperationalError, match=r"not permitted to log in|authentication failed"):
            psycopg.connect(url, password="mine")
        with Palace.open(careless.settings, user="victim", embedder=HashingEmbedder()) as palace:
            assert palace.note("Written all the same.").content == "Written all the same."
            palace.forget(str(palace.recall("written all the same").hits[0].drawer.pointer))
    finally:
        with careless.member() as member:
            member.execute(f"SET LOCAL ROLE {RUNTIME_ROLE}".encode())
            member.execute(f"ALTER ROLE {RUNTIME_ROLE} PASSWORD NULL".encode())
            member.execute(f"ALTER ROLE {RUNTIME_ROLE} RESET ALL".encode())


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
