"""Writing a backup while everybody goes on: one snapshot, in one file that is complete or not there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from palace.errors import BadRequest
from palace.files.whole import require_free, written_whole
from palace.records import Backup, OnProgress, Phase, Progress
from palace.store.archive.contents import read_archive
from palace.store.archive.owner import has_schema, require_sight
from palace.store.archive.programs import ProgramFailure, refusal, run_client
from palace.store.database import Database, owner_connection

LOCK_WAIT_MILLISECONDS = 60_000
"""A migration is waited for that long."""


def write_archive(database: Database, path: Path, *, force: bool, progress: OnProgress | None = None) -> Backup:
    """Write the whole palace, of every user, to a file; what is filed meanwhile is not in it.

    ``force`` replaces a file of that name.

    Raises:
        BadRequest: there is nothing to back up, the file cannot be made, or it is there and ``force`` is not set.
        DatabaseUnavailable: no server answers.
        DatabaseRefused: the server did not give everything.
        Cancelled: the call under way was cancelled; no file is left.
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
    """Make sure that there is a palace to back up; give its schemas: that of the queue came with a later revision."""
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
        # For owners that row-level security binds; their policy shows them every row.
        "--enable-row-security",
        f"--lock-wait-timeout={LOCK_WAIT_MILLISECONDS}",
        f"--file={target}",
    )
    try:
        run_client("pg_dump", *options, url=database.owner_url(), meanwhile=meanwhile)
    except ProgramFailure as problem:
        raise refusal(database, str(problem)) from problem
