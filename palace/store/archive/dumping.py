"""Writing a backup while everybody goes on: one snapshot, in one file that is complete or not there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from palace.errors import BadRequest
from palace.records import Backup
from palace.store.archive.contents import read_archive
from palace.store.archive.owner import owner_connection, require_sight
from palace.store.archive.programs import ProgramFailure, refusal, run_client
from palace.store.database import Database

LOCK_WAIT_MILLISECONDS = 60_000
"""A migration is waited for that long."""


def write_archive(database: Database, path: Path, *, force: bool) -> Backup:
    """Write the whole palace, of every user, to a file; what is filed meanwhile is not in it.

    ``force`` replaces a file of that name.

    Raises:
        BadRequest: there is nothing to back up, the file cannot be made, or it is there and ``force`` is not set.
        DatabaseUnavailable: no server answers.
        DatabaseRefused: the server did not give everything.
    """
    _require_free(path, force=force)
    _require_palace(database)
    with _written_whole(path, force=force) as partial:
        _dump(database, partial)
        archive = read_archive(partial)
        size = partial.stat().st_size
    return Backup(path.absolute(), size, archive.schema, archive.revision)


def _require_free(path: Path, *, force: bool) -> None:
    with _refused(path):
        if not path.parent.is_dir():
            raise BadRequest(f"{path.parent} is not a folder")
        # pathlib has an error of its own for this, and from Python 3.13 on none.
        if Path(os.path.realpath(path)).is_symlink():
            raise BadRequest(f"{path} cannot be written: it is a link that leads in a circle")
        if path.exists() and not path.is_file():
            raise BadRequest(f"{path} is there and is not a file: name another")
        if path.exists() and not force:
            raise BadRequest(f"{path} is there already: name another file, or replace it with --force")


def _require_palace(database: Database) -> None:
    if database.server and database.server.status().version is None:
        raise BadRequest(f"there is no palace in {database.settings.home_folder} to back up")
    with owner_connection(database) as connection:
        if database.schema.revision(connection) is None:
            raise BadRequest(f"there is no palace in the schema {database.schema.name!r} to back up")
        require_sight(connection, database.schema)


def _dump(database: Database, target: Path) -> None:
    options = (
        "--format=custom",
        f"--schema={database.schema.name}",
        "--strict-names",
        "--no-password",
        # For owners that row-level security binds; their policy shows them every row.
        "--enable-row-security",
        f"--lock-wait-timeout={LOCK_WAIT_MILLISECONDS}",
        f"--file={target}",
    )
    try:
        run_client("pg_dump", *options, url=database.owner_url())
    except ProgramFailure as problem:
        raise refusal(database, str(problem)) from problem


@contextmanager
def _written_whole(path: Path, *, force: bool) -> Iterator[Path]:
    """Give a file beside the one that is meant, readable for its owner alone; it takes the name when all went well."""
    with _refused(path):
        target = path.resolve()
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".partial", dir=target.parent)
        os.close(descriptor)
        partial = Path(name)
        try:
            yield partial
            _require_free(path, force=force)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
        _sync_folder(target.parent)


@contextmanager
def _refused(path: Path) -> Iterator[None]:
    """Turn what the operating system refuses into one line."""
    try:
        yield
    except OSError as problem:
        raise BadRequest(f"{path} cannot be written: {problem.strerror}") from problem


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
