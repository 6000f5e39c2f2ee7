"""The bundled client programs of Postgres: the address kept out of sight, a failure told in one line."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

import sqlalchemy as sa
from psycopg import pq

from palace.cancellation import go_on, stopped_by
from palace.errors import DatabaseRefused, DatabaseUnavailable, PalaceError
from palace.store.database import Database
from palace.store.embedded.binaries import wheel_binaries
from palace.store.refusals import without

LOOK_SECONDS = 0.2
"""How often is looked how far a program is."""
_COMPLAINT = re.compile(r".*(?:error|ERROR|FATAL):\s*(.+)")
_NO_CONNECTION = re.compile(r"connection to server|server closed the connection|terminating connection")


class ProgramFailure(Exception):
    """A client program ended with an error: its last complaint, without the program's name."""


def client_command(name: str, *arguments: str | Path) -> list[str]:
    """Give the command line of a program of the bundled installation.

    Raises:
        EmbeddedServerError: the installation does not have it.
    """
    return [str(wheel_binaries().binary(name)), *map(str, arguments)]


def client_environment(url: str | None = None) -> dict[str, str]:
    """Give the environment in which a program reaches a database, or none.

    Everybody on the machine can read a command line, so nothing of the address stands there. What has no variable
    (how often a quiet connection is probed) is left to libpq.
    """
    variables = {"PGCLIENTENCODING": "UTF8", "PGAPPNAME": "palace"}
    if url:
        made = sa.make_url(url)
        _, parameters = made.get_dialect()().create_connect_args(made)
        names = {option.keyword.decode(): option.envvar for option in pq.Conninfo.get_defaults()}
        for parameter, value in parameters.items():
            if variable := names.get(parameter):
                variables[variable.decode()] = str(value)
    # The reasons for failing are read, so they have to be in English.
    return os.environ | variables | {"LC_ALL": "C"}


def run_client(
    name: str, *arguments: str | Path, url: str | None = None, meanwhile: Callable[[], None] | None = None
) -> str:
    """Run a program to its end and return what it wrote; ``meanwhile`` is called now and then until it ends.

    Raises:
        ProgramFailure: it ended with an error.
        Cancelled: the call under way was cancelled, and the program stopped.
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
    """Give the reason a program failed for: the last line that names an error, else the last line."""
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    reasons = [found[1] for line in lines if (found := _COMPLAINT.fullmatch(line))]
    return (reasons or lines or ["it ended without a word"])[-1]


def refusal(database: Database, complained: str) -> PalaceError:
    """Turn a program's complaint about the owner's database into the error to raise."""
    address, reason = database.owner_address, without(complained, database.secrets)
    if _NO_CONNECTION.search(reason):
        return DatabaseUnavailable(f"{address} does not answer ({reason}); see `palace db status`")
    return DatabaseRefused(f"{address}: {reason}")
