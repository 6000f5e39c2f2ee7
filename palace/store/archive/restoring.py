"""Restoring a backup into an empty palace: all of it in one transaction, then migrated."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from palace.cancellation import go_on, stopped_by
from palace.errors import UnreadableSource
from palace.records import OnProgress, Phase, Progress, RestoreSummary
from palace.store.activity.events import record_restored
from palace.store.archive.contents import Archive, read_archive, require_restorable
from palace.store.archive.owner import count_rows, require_empty
from palace.store.archive.programs import client_command, client_environment, complaint, read_again, refusal
from palace.store.database import Database, owner_connection
from palace.store.sql.locks import MIGRATION

LATER_SETTINGS = (b"SET transaction_timeout = 0;\n",)
"""What the bundled pg_restore sets, and servers before Postgres 17 do not know."""
HEAD_LINES = 40
"""The settings stand within so many lines, before any row."""
PIECE_BYTES = 1 << 18


def restore_archive(database: Database, path: Path, progress: OnProgress | None = None) -> RestoreSummary:
    """Fill an empty palace from a backup, and migrate it to this code's revision where the backup is older.

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
    """Run the archive's statements between ours, which begin and commit: what ends early is rolled back."""
    with tempfile.TemporaryFile() as said, _psql(database, said) as psql:
        assert psql.stdin is not None
        with stopped_by(psql.kill):
            # Broken where it has ended, and says why.
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
    """Copy a script of pg_restore, without the settings that older servers do not know; tell how many bytes it was."""
    done = 0
    for _ in range(HEAD_LINES):
        line = source.readline()
        if line not in LATER_SETTINGS:
            done += sink.write(line)
    while piece := source.read(PIECE_BYTES):
        done += sink.write(piece)
        tell(done)


def _script(name: str) -> bytes:
    return Path(__file__).with_name(f"{name}.sql").read_bytes()
