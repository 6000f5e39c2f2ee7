"""The bundled Postgres client programs: addresses kept off the command line, failures in one line."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import sqlalchemy as sa
from psycopg import pq

from palace.cancellation import go_on, stopped_by
from palace.db.database import Database
from palace.db.embedded.binaries import wheel_binaries
from palace.db.refusals import without
from palace.db.schema import HEAD, Schema
from palace.errors import BadRequest, DatabaseRefused, DatabaseUnavailable, PalaceError, UnreadableSource

LOOK_SECONDS = 0.2
"""Seconds between looks at a program's progress."""
_COMPLAINT = re.compile(r".*(?:error|ERROR|FATAL):\s*(.+)")
_NO_CONNECTION = re.compile(r"connection to server|server closed the connection|terminating connection")


class ProgramFailure(Exception):
    """A client program ended with an error; the message is its last complaint, without the program's name."""


def client_command(name: str, *arguments: str | Path) -> list[str]:
    """Return the command line for a program of the bundled installation.

    Raises:
        EmbeddedServerError: the installation lacks it.
    """
    return [str(wheel_binaries().binary(name)), *map(str, arguments)]


def client_environment(url: str | None = None) -> dict[str, str]:
    """Return environment variables with which a program connects to a database, if a URL is given.

    Everybody on the machine can read a command line, so it holds nothing of the address. Options without a variable
    (keepalives) are left to libpq's defaults.
    """
    variables = {"PGCLIENTENCODING": "UTF8", "PGAPPNAME": "palace"}
    if url:
        made = sa.make_url(url)
        _, parameters = made.get_dialect()().create_connect_args(made)
        names = {option.keyword.decode(): option.envvar for option in pq.Conninfo.get_defaults()}
        for parameter, value in parameters.items():
            if variable := names.get(parameter):
                variables[variable.decode()] = str(value)
    # The program's error messages are parsed, so they must be in English.
    return os.environ | variables | {"LC_ALL": "C"}


def run_client(
    name: str, *arguments: str | Path, url: str | None = None, meanwhile: Callable[[], None] | None = None
) -> str:
    """Run a program to its end and return its output; ``meanwhile`` is called now and then until it ends.

    Raises:
        ProgramFailure: it ended with an error.
        Cancelled: the current call was cancelled, and the program stopped.
    """
    with (
        tempfile.TemporaryFile() as written,
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            client_command(name, *arguments),
            env=client_environment(url),
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=said,
        ) as program,
    ):
        try:
            with stopped_by(program.kill):
                _wait(program, meanwhile)
        finally:
            program.kill()
        go_on()
        if program.returncode:
            raise ProgramFailure(complaint(read_again(said)))
        return read_again(written).decode("utf-8", "replace")


def _wait(program: subprocess.Popen[bytes], meanwhile: Callable[[], None] | None) -> None:
    while True:
        try:
            program.wait(LOOK_SECONDS if meanwhile else None)
        except subprocess.TimeoutExpired:
            pass
        else:
            return
        if meanwhile:
            meanwhile()


def read_again(file: IO[bytes]) -> bytes:
    """Read a file from its beginning."""
    file.seek(0)
    return file.read()


def complaint(stderr: bytes) -> str:
    """Return why a program failed: the last line that names an error, else the last line."""
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    reasons = [found[1] for line in lines if (found := _COMPLAINT.fullmatch(line))]
    return (reasons or lines or ["it ended without a word"])[-1]


def refusal(database: Database, complained: str) -> PalaceError:
    """Translate a program's complaint about the owner's database into the error to raise."""
    address, reason = database.owner_address, without(complained, database.secrets)
    if _NO_CONNECTION.search(reason):
        return DatabaseUnavailable(f"{address} does not answer ({reason}); see `palace db status`")
    return DatabaseRefused(f"{address}: {reason}")


REVISION_TABLE = "schema_revision"
TABLES = frozenset({REVISION_TABLE, "palace_user", "conversation", "wing", "room", "drawer", "passage"})
"""Tables of every revision: a schema without one of them is no palace."""
OWNER_POLICY = "owner_maintains"

_ENTRY = re.compile(r"\d+; \d+ \d+ (?P<kind>[A-Z][A-Z ]*) (?P<schema>\S+) (?P<name>.+) \S*")
_REVISION = re.compile(r"^COPY [^\n]* FROM stdin;\n(\w+)\n\\\.$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Archive:
    """A backup file whose contents were listed."""

    path: Path
    schema: str
    revision: str
    contents: str
    """What to restore from it, in order: a list for ``pg_restore --use-list``."""


def read_archive(path: Path) -> Archive:
    """Read a backup's table of contents.

    Raises:
        UnreadableSource: it is missing, no backup of a palace, or truncated.
    """
    try:
        if not path.is_file():
            raise UnreadableSource(str(path), "is not a file" if path.exists() else "there is no such file")
    except OSError as problem:
        raise UnreadableSource(str(path), f"cannot be read: {problem.strerror}") from problem
    listed = _ask(path, "--list")
    entries = [entry for line in listed.splitlines() if (entry := _ENTRY.fullmatch(line))]
    if "Format: CUSTOM" not in listed:
        raise UnreadableSource(str(path), "is not an archive of pg_dump in its custom format")
    schema = _palace_schema(path, entries)
    kept = (entry[0] for entry in entries if _belongs(entry, schema))
    return Archive(path, schema, _revision(path, schema), "".join(f"{line}\n" for line in kept))


def require_restorable(archive: Archive, schema: Schema) -> None:
    """Check that this program can restore an archive into a schema.

    Raises:
        BadRequest: it holds a palace of another schema.
        UnreadableSource: it was made by a newer program.
    """
    if archive.schema != schema.name:
        raise BadRequest(
            f"{archive.path} holds the schema {archive.schema!r}, this palace is {schema.name!r}:"
            f" set PALACE_DATABASE_SCHEMA={archive.schema}; nothing was changed"
        )
    if archive.revision > HEAD:
        raise UnreadableSource(
            str(archive.path),
            f"is at schema revision {archive.revision}, newer than this program ({HEAD}):"
            " update the program; nothing was changed",
        )


def _ask(path: Path, *arguments: str) -> str:
    try:
        return run_client("pg_restore", *arguments, path.absolute())
    except ProgramFailure as problem:
        raise UnreadableSource(str(path), f"is not a backup of Palace, or is cut off ({problem})") from problem


def _palace_schema(path: Path, entries: list[re.Match[str]]) -> str:
    tables: dict[str, set[str]] = {}
    for entry in entries:
        if entry["kind"] == "TABLE":
            tables.setdefault(entry["schema"], set()).add(entry["name"])
    palaces = [schema for schema, names in tables.items() if names >= TABLES]
    if len(palaces) != 1:
        raise UnreadableSource(str(path), f"is not a backup of Palace: it holds {len(palaces)} palaces")
    return palaces[0]


def _belongs(entry: re.Match[str], schema: str) -> bool:
    """Check whether an entry is to be restored; the former owner's policies are created for the new owner instead."""
    schemas = {schema, Schema(schema).queue}
    if entry["schema"] == "-":
        return entry["name"].removeprefix("SCHEMA ") in schemas
    of_former_owner = entry["kind"] == "POLICY" and entry["name"].endswith(f" {OWNER_POLICY}")
    return entry["schema"] in schemas and not of_former_owner and entry["kind"] != "DEFAULT ACL"


def _revision(path: Path, schema: str) -> str:
    rows = _ask(path, "--data-only", f"--schema={schema}", f"--table={REVISION_TABLE}", "--file=-")
    found = _REVISION.search(rows)
    if found is None:
        raise UnreadableSource(str(path), "is not a backup of Palace: it names no schema revision")
    return found[1]
