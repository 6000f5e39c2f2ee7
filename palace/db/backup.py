"""Backup and restore of a whole palace, with every user, as the schema's owner."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import sqlalchemy as sa

from palace.cancellation import go_on, stopped_by
from palace.config.folders import require_free, written_whole
from palace.db.activity import record_restored
from palace.db.backup_programs import (
    Archive,
    ProgramFailure,
    client_command,
    client_environment,
    complaint,
    read_again,
    read_archive,
    refusal,
    require_restorable,
    run_client,
)
from palace.db.database import Database, owner_connection
from palace.db.schema import MIGRATION, Schema
from palace.errors import BadRequest, UnreadableSource
from palace.models import Backup, OnProgress, Phase, Progress, RestoreSummary

CONTENTS = ("drawer", "conversation", "tombstone")
"""Tables whose rows make a palace non-empty; the later ones came with later revisions."""

_HIDDEN = sa.text(
    "SELECT EXISTS (SELECT FROM pg_class AS c WHERE c.relkind = 'r' AND row_security_active(c.oid)"
    " AND c.relnamespace IN (to_regnamespace(:schema), to_regnamespace(:queue))"
    " AND NOT EXISTS (SELECT FROM pg_policies AS p WHERE p.schemaname IN (:schema, :queue)"
    " AND p.tablename = c.relname AND p.policyname = 'owner_maintains'"
    " AND (SELECT bool_or(pg_has_role(name, 'USAGE')) FROM unnest(p.roles) AS name)))"
)
# A role that is no superuser sees little of other sessions; the server's own have no user.
_OTHERS = sa.text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND usesysid IS NOT NULL AND pid <> pg_backend_pid()"
)


def require_sight(connection: sa.Connection, schema: Schema) -> None:
    """Check that this role sees every row: a backup would miss hidden rows, a restore overwrite them.

    Raises:
        BadRequest: row-level security binds the role, and it is not the schema's owner.
    """
    if connection.execute(_HIDDEN, {"schema": schema.name, "queue": schema.queue}).scalar_one():
        role = connection.execute(sa.text("SELECT current_user")).scalar_one()
        raise BadRequest(
            f"the role {role!r} does not see every row of the palace: set PALACE_DATABASE_OWNER_URL to the role"
            " that owns the schema"
        )


def has_schema(connection: sa.Connection, name: str) -> bool:
    """Check whether the database has a schema."""
    return bool(connection.execute(sa.text("SELECT to_regnamespace(:name) IS NOT NULL"), {"name": name}).scalar_one())


def count_rows(connection: sa.Connection, schema: Schema, table: str) -> int:
    """Count a table's rows, of every user; 0 where this revision has no such table."""
    name = f"{schema.name}.{table}"
    if not connection.execute(sa.text("SELECT to_regclass(:name) IS NOT NULL"), {"name": name}).scalar_one():
        return 0
    return int(connection.execute(sa.text(f"SELECT count(*) FROM {name}")).scalar_one())  # noqa: S608


def require_empty(connection: sa.Connection, schema: Schema) -> None:
    """Check that replacing the schema loses no data and disturbs no running program.

    Raises:
        BadRequest: the palace has contents, or a program that has it open is still connected.
    """
    require_sight(connection, schema)
    for table in CONTENTS:
        if found := count_rows(connection, schema, table):
            raise BadRequest(
                f"the palace holds {found:,} {table}s: restore into an empty one, with PALACE_HOME or"
                " PALACE_DATABASE_SCHEMA naming another; nothing was changed"
            )
    # A program with an open palace keeps using its user's id, which may be another user's in the backup.
    if count_rows(connection, schema, "palace_user") and (others := connection.execute(_OTHERS).scalar_one()):
        raise BadRequest(
            f"other programs have this palace open ({others} connections): end them first; nothing was changed"
        )


LOCK_WAIT_MILLISECONDS = 60_000
"""How long a backup waits for a migration to end."""


def write_archive(database: Database, path: Path, *, force: bool, progress: OnProgress | None = None) -> Backup:
    """Write the whole palace, with every user, to a file, as it was at the start of the call.

    ``force`` replaces an existing file.

    Raises:
        BadRequest: there is nothing to back up, the file cannot be created, or it exists and ``force`` is not set.
        DatabaseUnavailable: no server answers.
        DatabaseRefused: the server did not return everything.
        Cancelled: the current call was cancelled; no file is left.
    """
    require_free(path, force=force)
    schemas = _require_palace(database)
    with written_whole(path, force=force) as partial:

        def tell() -> None:
            if progress and partial.exists():
                progress(Progress(Phase.BACK_UP, partial.stat().st_size, None, "bytes", str(path)))

        _dump(database, schemas, partial, tell)
        tell()
        archive = read_archive(partial)
        size = partial.stat().st_size
    return Backup(path.absolute(), size, archive.schema, archive.revision)


def _require_palace(database: Database) -> tuple[str, ...]:
    """Check that there is a palace to back up; return its schemas, with the queue's if this revision has one."""
    if database.server and database.server.status().version is None:
        raise BadRequest(f"there is no palace in {database.settings.home_folder} to back up")
    schema = database.schema
    with owner_connection(database) as connection:
        if schema.revision(connection) is None:
            raise BadRequest(f"there is no palace in the schema {schema.name!r} to back up")
        require_sight(connection, schema)
        return tuple(name for name in (schema.name, schema.queue) if has_schema(connection, name))


def _dump(database: Database, schemas: Sequence[str], target: Path, meanwhile: Callable[[], None]) -> None:
    options = (
        "--format=custom",
        *(f"--schema={name}" for name in schemas),
        "--strict-names",
        "--no-password",
        # For an owner that row-level security binds; its policy shows it every row.
        "--enable-row-security",
        f"--lock-wait-timeout={LOCK_WAIT_MILLISECONDS}",
        f"--file={target}",
    )
    try:
        run_client("pg_dump", *options, url=database.owner_url(), meanwhile=meanwhile)
    except ProgramFailure as problem:
        raise refusal(database, str(problem)) from problem


LATER_SETTINGS = (b"SET transaction_timeout = 0;\n",)
"""Settings that the bundled pg_restore writes and servers before Postgres 17 do not know."""
HEAD_LINES = 40
"""The settings are within this many lines, before any row."""
PIECE_BYTES = 1 << 18


def restore_archive(database: Database, path: Path, progress: OnProgress | None = None) -> RestoreSummary:
    """Fill an empty palace from a backup, and migrate it to this code's revision if the backup is older.

    Raises:
        UnreadableSource: the file is no backup of Palace, cut off, or of a newer program; nothing was changed.
        BadRequest: it is of another schema, or the palace is not empty; nothing was changed.
        DatabaseUnavailable: no server answers.
        DatabaseRefused: the server refused a statement; nothing was changed.
        Cancelled: the call under way was cancelled; nothing was changed.
    """
    archive = read_archive(path)
    require_restorable(archive, database.schema)
    with owner_connection(database) as connection:
        require_empty(connection, database.schema)
        database.schema.prepare(connection)

    def tell(done: int) -> None:
        go_on()
        if progress:
            progress(Progress(Phase.RESTORE, done, None, "bytes", str(path)))

    _replace_schema(database, archive, tell)
    revision = database.upgrade()
    with owner_connection(database, database.schema.search_path) as connection:
        record_restored(connection)
    with owner_connection(database) as connection:
        users, drawers = (count_rows(connection, database.schema, table) for table in ("palace_user", "drawer"))
    return RestoreSummary(path.absolute(), archive.schema, archive.revision, revision, users, drawers)


def _replace_schema(database: Database, archive: Archive, tell: Callable[[int], None]) -> None:
    """Run the archive's statements in one transaction, which is rolled back if they end early."""
    with tempfile.TemporaryFile() as said, _psql(database, said) as psql:
        assert psql.stdin is not None
        with stopped_by(psql.kill):
            # Broken if psql has ended; its error output says why.
            with suppress(BrokenPipeError):
                psql.stdin.write(_script("before_restore"))
                _write_statements(archive, psql.stdin, tell)
                psql.stdin.write(_script("after_restore"))
                psql.stdin.close()
            failed = psql.wait()
        if failed:
            go_on()
            raise refusal(database, complaint(read_again(said)))


@contextmanager
def _psql(database: Database, said: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    lock = [f"--set=lock_{part}={number}" for part, number in zip("ab", MIGRATION, strict=True)]
    options = (
        "--no-psqlrc",
        "--quiet",
        "--no-password",
        "--set=ON_ERROR_STOP=1",
        f"--set=palace={database.schema.name}",
        f"--set=queue={database.schema.queue}",
    )
    psql = subprocess.Popen(
        client_command("psql", *options, *lock),
        env=client_environment(database.owner_url()),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=said,
    )
    try:
        yield psql
    finally:
        psql.kill()
        psql.wait()
        assert psql.stdin is not None
        with suppress(BrokenPipeError):
            psql.stdin.close()


def _write_statements(archive: Archive, sink: IO[bytes], tell: Callable[[int], None]) -> None:
    with tempfile.NamedTemporaryFile(suffix=".list") as wanted, tempfile.TemporaryFile() as said:
        wanted.write(archive.contents.encode())
        wanted.flush()
        options = ("--file=-", "--no-owner", f"--use-list={wanted.name}")
        with subprocess.Popen(
            client_command("pg_restore", *options, archive.path.absolute()),
            env=client_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=said,
        ) as source:
            assert source.stdout is not None
            copy_statements(source.stdout, sink, tell)
        if source.returncode:
            raise UnreadableSource(
                str(archive.path), f"is damaged or cut off ({complaint(read_again(said))}); nothing was changed"
            )


def copy_statements(source: IO[bytes], sink: IO[bytes], tell: Callable[[int], None]) -> None:
    """Copy a script of pg_restore without settings that older servers lack; report the bytes copied so far."""
    done = 0
    for _ in range(HEAD_LINES):
        line = source.readline()
        if line not in LATER_SETTINGS:
            done += sink.write(line)
    while piece := source.read(PIECE_BYTES):
        done += sink.write(piece)
        tell(done)


def _script(name: str) -> bytes:
    return (Path(__file__).parent / "sql" / f"{name}.sql").read_bytes()
