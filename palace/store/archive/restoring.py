"""Restoring a backup into an empty palace: all of it in one transaction, then migrated."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from palace.errors import UnreadableSource
from palace.records import RestoreSummary
from palace.store.archive.contents import Archive, read_archive, require_restorable
from palace.store.archive.owner import count_rows, require_empty
from palace.store.archive.programs import client_command, client_environment, complaint, refusal
from palace.store.database import Database, owner_connection
from palace.store.sql.locks import MIGRATION

LATER_SETTINGS = (b"SET transaction_timeout = 0;\n",)
"""What the bundled pg_restore sets, and servers before Postgres 17 do not know."""
HEAD_LINES = 40
"""The settings stand within so many lines, before any row."""
PIECE_BYTES = 1 << 18


def restore_archive(database: Database, path: Path) -> RestoreSummary:
    """Fill an empty palace from a backup, and migrate it to this code's revision where the backup is older.

    Raises:
        UnreadableSource: the file is no backup of Palace, cut off, or of a newer program; nothing was changed.
        BadRequest: it is of another schema, or the palace is not empty; nothing was changed.
        DatabaseUnavailable: no server answers.
        DatabaseRefused: the server refused a statement; nothing was changed.
    """
    archive = read_archive(path)
    require_restorable(archive, database.schema)
    with owner_connection(database) as connection:
        require_empty(connection, database.schema)
        database.schema.prepare(connection)
    _replace_schema(database, archive)
    revision = database.upgrade()
    with owner_connection(database) as connection:
        users, drawers = (count_rows(connection, database.schema, table) for table in ("palace_user", "drawer"))
    return RestoreSummary(path.absolute(), archive.schema, archive.revision, revision, users, drawers)


def _replace_schema(database: Database, archive: Archive) -> None:
    """Run the archive's statements between ours, which begin and commit: what ends early is rolled back."""
    with tempfile.TemporaryFile() as said, _psql(database, said) as psql:
        assert psql.stdin is not None
        try:
            psql.stdin.write(_script("before_restore"))
            _write_statements(archive, psql.stdin)
            psql.stdin.write(_script("after_restore"))
            psql.stdin.close()
        except BrokenPipeError:
            # It has ended and says why.
            pass
        if psql.wait():
            raise refusal(database, complaint(_read(said)))


@contextmanager
def _psql(database: Database, said: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    lock = [f"--set=lock_{part}={number}" for part, number in zip("ab", MIGRATION, strict=True)]
    options = (
        "--no-psqlrc",
        "--quiet",
        "--no-password",
        "--set=ON_ERROR_STOP=1",
        f"--set=palace={database.schema.name}",
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


def _write_statements(archive: Archive, sink: IO[bytes]) -> None:
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
            copy_statements(source.stdout, sink)
        if source.returncode:
            raise UnreadableSource(
                str(archive.path), f"is damaged or cut off ({complaint(_read(said))}); nothing was changed"
            )


def copy_statements(source: IO[bytes], sink: IO[bytes]) -> None:
    """Copy a script of pg_restore, without the settings that older servers do not know."""
    for _ in range(HEAD_LINES):
        line = source.readline()
        if line not in LATER_SETTINGS:
            sink.write(line)
    shutil.copyfileobj(source, sink, PIECE_BYTES)


def _script(name: str) -> bytes:
    return Path(__file__).with_name(f"{name}.sql").read_bytes()


def _read(said: IO[bytes]) -> bytes:
    said.seek(0)
    return said.read()
