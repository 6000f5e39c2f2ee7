"""The schema's revision: the one this code needs, the database's, and migrating between them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import ClassVar

import psycopg
import sqlalchemy as sa
from psycopg.errors import DeadlockDetected, LockNotAvailable

from palace.db.refusals import REFUSALS
from palace.db.tables.objects import RUNTIME_ROLE, WORKER_ROLE
from palace.db.transaction_user import queue_of, search_path
from palace.errors import DatabaseUnavailable, PalaceError, SchemaMismatch

HEAD = "0035"
OLDEST_SERVER = 15
OLDEST_VECTOR = (0, 8)
EXTENSIONS = ("vector", "btree_gin", "btree_gist")
SYSTEM_PATH = "pg_catalog, pg_temp"
"""Search path for statements that qualify other schemas: neither objects in ``public`` nor temporary ones, which come
first where the path does not list them, can take the place of the system's."""
LOCK_WAIT_SECONDS = 60
LOOK_SECONDS = 2.0
"""Seconds to wait when asking a shared server for its version."""
ATTEMPTS = 5
"""How often a migration is tried when locks of others are in its way."""
IN_THE_WAY = (DeadlockDetected, LockNotAvailable)

MIGRATION = (0x70616C61, 0x73636865)
"""Key of the advisory lock: two arbitrary numbers, the same in every Palace ("pala", "sche")."""

_TRY_MIGRATION = sa.text("SELECT pg_try_advisory_lock(:a, :b)")
_END_MIGRATION = sa.text("SELECT pg_advisory_unlock(:a, :b)")
_MIGRATION_KEY = dict(zip("ab", MIGRATION, strict=True))
_REVISION = sa.text("SELECT to_regclass(:name) IS NOT NULL")


def claim_migration(connection: sa.Connection) -> bool:
    """Take the migration lock until it is released or the connection ends; False if another connection has it."""
    return bool(connection.execute(_TRY_MIGRATION, _MIGRATION_KEY).scalar_one())


def give_back_migration(connection: sa.Connection) -> None:
    """Release the migration lock."""
    connection.execute(_END_MIGRATION, _MIGRATION_KEY)


class OutdatedSchema(SchemaMismatch):
    """The schema is older than this code, or does not exist yet."""


@dataclass(frozen=True)
class Schema:
    """A palace's database schema."""

    name: str
    Outdated: ClassVar[type[OutdatedSchema]] = OutdatedSchema

    @property
    def search_path(self) -> str:
        """The search path for unqualified names: palace, extensions, queue; temporary objects come last."""
        return search_path(self.name)

    @property
    def queue(self) -> str:
        """The schema of the queue of background jobs, beside the palace's."""
        return queue_of(self.name)

    def revision(self, connection: sa.Connection) -> str | None:
        """Return the database's revision; None where the schema does not exist."""
        table = f"{self.name}.schema_revision"
        if not connection.execute(_REVISION, {"name": table}).scalar_one():
            return None
        found = connection.execute(sa.text(f"SELECT version_num FROM {table}")).scalar_one_or_none()  # noqa: S608
        return None if found is None else str(found)

    def check(self, connection: sa.Connection) -> None:
        """Check that the database is at this code's revision.

        Raises:
            OutdatedSchema: it is older, or empty.
            SchemaMismatch: it is newer.
        """
        found = self.revision(connection)
        if found == HEAD:
            return
        if found is None or found < HEAD:
            raise OutdatedSchema(
                f"the database schema {self.name!r} is at revision {found or 'none'}, this program needs {HEAD}:"
                " run `palace db upgrade`"
            )
        raise SchemaMismatch(
            f"the database schema {self.name!r} is at revision {found}, newer than this program ({HEAD}):"
            " update the program; nothing was written"
        )

    def prepare(self, connection: sa.Connection) -> None:
        """Create what a backup of the schema lacks: extensions and roles; and the empty schema.

        Raises:
            SchemaMismatch: the server is too old, or the schema is newer than this code.
        """
        with _alone(connection):
            self._make_ready(connection)

    def upgrade(self, owner_url: str, *, login: str | None = None) -> str:
        """Migrate the database to this code's revision, one process at a time; return the revision.

        ``login`` is created if missing, as a member of the runtime role, which then can no longer log in itself.
        """
        with as_owner(owner_url) as connection, _alone(connection):
            self._make_ready(connection)
            self._migrate(owner_url)
            connection.execute(sa.text(f"GRANT SELECT ON {self.name}.schema_revision TO {RUNTIME_ROLE}"))
            if login:
                _admit(connection, login)
        return HEAD

    def _make_ready(self, connection: sa.Connection) -> None:
        _require_supported(connection)
        found = self.revision(connection)
        if found is not None and found > HEAD:
            self.check(connection)
        _prepare(connection, self.name)

    def _migrate(self, owner_url: str, target: str = "head") -> None:
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(migrations_folder()))
        engine = sa.create_engine(owner_url, poolclass=sa.NullPool)
        with engine.connect() as connection:
            connection.execute(sa.text("SET lock_timeout = '10s'; SET statement_timeout = '10min'"))
            connection.execute(sa.text(f"SET search_path = {self.search_path}"))
            connection.commit()
            config.attributes |= {"connection": connection, "schema": self.name}
            change = command.upgrade if target == "head" else command.downgrade
            for attempt in range(1, ATTEMPTS + 1):
                try:
                    change(config, target)
                    connection.commit()
                except sa.exc.DBAPIError as problem:
                    connection.rollback()
                    # Each step is one transaction, so one that readers blocked can be repeated.
                    if attempt == ATTEMPTS or not isinstance(problem.orig, IN_THE_WAY):
                        raise _told(problem, self.name) from problem
                    time.sleep(0.2 * attempt)
                else:
                    return

    def downgrade(self, owner_url: str, target: str = "base") -> None:
        """Undo migrations; for tests and for developing them."""
        self._migrate(owner_url, target)


@contextmanager
def as_owner(owner_url: str, search_path: str = SYSTEM_PATH) -> Iterator[sa.Connection]:
    """Connect as the schema's owner; every statement is its own transaction and uses the search path."""
    engine = sa.create_engine(owner_url, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"SET search_path = {search_path}"))
        yield connection


def role_exists(connection: sa.Connection, name: str) -> bool:
    """Check whether the server has a role."""
    query = sa.text("SELECT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = :name)")
    return bool(connection.execute(query, {"name": name}).scalar_one())


def _told(problem: sa.exc.DBAPIError, schema: str) -> PalaceError:
    """Return the error for a failed migration step; raise ``problem`` again if it is translated elsewhere."""
    if problem.connection_invalidated or isinstance(problem.orig, tuple(kind for kind, _ in REFUSALS)):
        raise problem
    line = str(problem.orig).strip().splitlines()[0]
    return SchemaMismatch(
        f"migrating the schema {schema!r} failed ({line}): the step that failed changed nothing;"
        " mend what it says, then run `palace db upgrade` again"
    )


def migrations_folder() -> Path:
    """Return the folder of the migration scripts: in the installed package, or beside it in a checkout."""
    package = Path(__file__).parent.parent
    installed = package / "_migrations"
    return installed if installed.is_dir() else package.parent / "migrations"


@contextmanager
def _alone(connection: sa.Connection) -> Iterator[None]:
    _wait_for_lock(connection)
    try:
        yield
    finally:
        give_back_migration(connection)


def _wait_for_lock(connection: sa.Connection) -> None:
    # Polled outside a transaction: one that waits inside deadlocks with CREATE INDEX CONCURRENTLY.
    deadline = time.monotonic() + LOCK_WAIT_SECONDS
    while not claim_migration(connection):
        if time.monotonic() > deadline:
            raise DatabaseUnavailable("another process has been migrating this database for a minute; try again later")
        time.sleep(0.05)


def _require_supported(connection: sa.Connection) -> None:
    version = int(connection.execute(sa.text("SHOW server_version_num")).scalar_one()) // 10000
    if version < OLDEST_SERVER:
        raise SchemaMismatch(f"Postgres {version} is too old: Palace needs {OLDEST_SERVER} or newer")
    encoding = str(connection.execute(sa.text("SHOW server_encoding")).scalar_one())
    if encoding != "UTF8":
        raise SchemaMismatch(f"the database is encoded in {encoding}: Palace needs a database encoded in UTF8")
    vector = connection.execute(
        sa.text("SELECT default_version FROM pg_available_extensions WHERE name = 'vector'")
    ).scalar_one_or_none()
    if vector is None:
        raise SchemaMismatch("this server has no pgvector: install pgvector 0.8 or newer on it")
    if tuple(int(part) for part in str(vector).split(".")[:2]) < OLDEST_VECTOR:
        raise SchemaMismatch(f"pgvector {vector} is too old: Palace needs 0.8 or newer")


def _prepare(connection: sa.Connection, name: str) -> None:
    for extension in EXTENSIONS:
        connection.execute(sa.text(f"CREATE EXTENSION IF NOT EXISTS {extension} SCHEMA public"))
    for role in (RUNTIME_ROLE, WORKER_ROLE):
        if not role_exists(connection, role):
            connection.execute(sa.text(f"CREATE ROLE {role} NOLOGIN NOSUPERUSER NOBYPASSRLS"))
    connection.execute(sa.text(f"GRANT {RUNTIME_ROLE} TO CURRENT_USER"))
    connection.execute(sa.text(f"CREATE SCHEMA IF NOT EXISTS {name}"))
    connection.execute(sa.text(f"GRANT USAGE ON SCHEMA {name} TO {RUNTIME_ROLE}"))


def _admit(connection: sa.Connection, login: str) -> None:
    """Create a login in the runtime and worker roles, and bar the runtime role from logging in; all or nothing.

    Afterwards only the owner can create temporary objects, which Palace does not need.
    """
    found = connection.execute(sa.text("SELECT current_database()")).scalar_one()
    database = connection.dialect.identifier_preparer.quote(str(found))
    statements = [
        f"GRANT {RUNTIME_ROLE}, {WORKER_ROLE} TO {login}",
        f"ALTER ROLE {RUNTIME_ROLE} NOLOGIN PASSWORD NULL",
        f"REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC",
    ]
    if not role_exists(connection, login):
        statements.insert(0, f"CREATE ROLE {login} LOGIN")
    # A message with several statements is one transaction.
    connection.exec_driver_sql("; ".join(statements))


def version_within(url: str, seconds: float) -> str | None:
    """Return a server's version; None if it does not answer in time, slow name lookups included."""
    told: list[str] = []

    def ask() -> None:
        engine = sa.create_engine(url, poolclass=sa.NullPool, connect_args={"connect_timeout": max(2, int(seconds))})
        with suppress(sa.exc.DBAPIError, psycopg.Error), engine.connect() as connection:
            told.append(str(connection.execute(sa.text("SHOW server_version")).scalar_one()))

    asking = Thread(target=ask, daemon=True)
    asking.start()
    asking.join(seconds)
    return told[0] if told else None
