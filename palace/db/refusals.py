"""What the server refuses, told in one line; and which refusals are worth another try."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import psycopg
from psycopg import errors
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from palace.cancellation import is_cancelled, stopped_by
from palace.config.address import HIDDEN
from palace.db.tables.objects import RUNTIME_ROLE, WORKER_ROLE
from palace.errors import Cancelled, DatabaseRefused, DatabaseUnavailable, DataRefused, PalaceError, SchemaMismatch

# A foreign key is violated when what a row refers to was forgotten since it was looked up.
TRANSIENT = (errors.DeadlockDetected, errors.SerializationFailure, errors.ForeignKeyViolation)
LOST = (errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow)
CANCEL_SECONDS = 5.0
"""How long the server may take to hear that a statement is to be cancelled."""


@contextmanager
def translated(address: str, secrets: Sequence[str] = ()) -> Iterator[None]:
    """Turn driver errors into Palace's own; what the server or the driver says is told without the ``secrets``.

    Raises:
        DatabaseUnavailable: no connection, or it broke.
        DatabaseRefused: the server refused a statement for a reason outside the program.
        SchemaMismatch: something that a statement names is not there: another version migrated the schema meanwhile.
    """
    try:
        yield
    except DBAPIError as problem:
        driver = problem.orig if isinstance(problem.orig, psycopg.Error) else None
        told = _tell(driver, address, secrets) if driver else None
        if told is None:
            raise
        raise told from problem
    except psycopg.Error as problem:
        told = _tell(problem, address, secrets)
        if told is None:
            raise
        raise told from problem
    except PoolTimeout as problem:
        raise DatabaseUnavailable(f"{address}: no connection became free in time") from problem


@contextmanager
def interruptible(connection: Connection) -> Iterator[None]:
    """Have the statement that a connection is at cancelled when the call under way is.

    The block is left before its transaction ends: no cancelling reaches the commit, or who has the connection next.

    Raises:
        Cancelled: the call is cancelled; the block was not entered, or a statement in it was cancelled.
    """
    driver = connection.connection.driver_connection

    def stop() -> None:
        # A connection that cannot be reached has no statement to wait for.
        with suppress(psycopg.Error):
            if isinstance(driver, psycopg.Connection):
                driver.cancel_safe(timeout=CANCEL_SECONDS)

    with stopped_by(stop):
        try:
            yield
        except (DBAPIError, PalaceError) as problem:
            if is_cancelled() and any(isinstance(cause, errors.QueryCanceled) for cause in _causes(problem)):
                raise Cancelled from problem
            raise


def is_transient(problem: BaseException) -> bool:
    """Tell whether the same work may succeed when tried again."""
    return any(isinstance(cause, TRANSIENT) for cause in _causes(problem))


def is_lost(problem: BaseException) -> bool:
    """Tell whether the connection went away under the work, as when the server is stopped or started again."""
    return any(
        isinstance(cause, LOST) or (isinstance(cause, psycopg.OperationalError) and cause.sqlstate is None)
        for cause in _causes(problem)
    )


def _causes(problem: BaseException) -> Iterator[BaseException]:
    """Go through an error, what it was raised from, and what the driver said."""
    cause: BaseException | None = problem
    while cause is not None:
        yield cause
        if isinstance(cause, DBAPIError) and cause.orig is not None:
            yield cause.orig
        cause = cause.__cause__


REFUSALS: tuple[tuple[type[psycopg.Error], str], ...] = (
    (errors.DiskFull, "the disk is full; free some space and run the same command again"),
    (errors.InsufficientPrivilege, "the role lacks a right ({line}); {remedy}"),
    (errors.ForeignKeyViolation, "what this belongs to was forgotten meanwhile; run the same command again"),
    (errors.ReadOnlySqlTransaction, "the server is read-only"),
    (errors.DeadlockDetected, "other writers were in the way too often; try again"),
    (errors.SerializationFailure, "other writers were in the way too often; try again"),
)

CHANGED = (errors.UndefinedFunction, errors.UndefinedColumn, errors.UndefinedTable)
"""What a program meets whose schema another version of it has migrated meanwhile."""

UNHOLDABLE = (psycopg.DataError, errors.ProgramLimitExceeded, errors.StatementTooComplex)
"""A value that the server, or the driver on the way to it, cannot hold. The driver files some of them under failures of
operation, as it does a broken connection."""

REMEDIES = (
    ("create extension", "a superuser runs CREATE EXTENSION in this database once"),
    ("own user alone", "which is our fault"),
    ("create role", f"a superuser runs CREATE ROLE {WORKER_ROLE} NOLOGIN once, and grants it to the logins of workers"),
    (f'role "{WORKER_ROLE}"', f"the owner runs GRANT {WORKER_ROLE} TO this login"),
    ("set role|for schema", f"the owner runs GRANT {RUNTIME_ROLE} TO this login, or `palace db upgrade`"),
)
"""What mends a right that is lacking, by a pattern of the server's own words."""
REFUSED_CONNECTION = re.compile("FATAL:|SSL|certificate")


def without(text: str, secrets: Sequence[str]) -> str:
    """Take secrets out of what somebody else says."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return text


def _tell(problem: psycopg.Error, address: str, secrets: Sequence[str]) -> PalaceError | None:
    line = without(_first_line(problem), secrets)
    if isinstance(problem, psycopg.ProgrammingError) and problem.sqlstate is None and problem.pgresult is None:
        return DatabaseUnavailable(f"{address} cannot be connected to with these options ({line})")
    for kind, sentence in REFUSALS:
        if isinstance(problem, kind):
            return DatabaseRefused(f"{address}: {sentence.format(line=line, remedy=_remedy(line))}")
    if isinstance(problem, CHANGED):
        return SchemaMismatch(f"{address}: the schema is that of another version of Palace ({line}); start again")
    if isinstance(problem, UNHOLDABLE):
        return DataRefused(address, f"a value does not fit ({line})")
    return _tell_operation(problem, address, line) if isinstance(problem, psycopg.OperationalError) else None


def _tell_operation(problem: psycopg.OperationalError, address: str, line: str) -> PalaceError:
    if not _is_about_connection(problem):
        return DatabaseRefused(f"{address}: the server refused a statement ({line})")
    outcome = "refuses the connection" if REFUSED_CONNECTION.search(line) else "does not answer"
    said = line.rpartition("FATAL:")[2].strip()
    return DatabaseUnavailable(f"{address} {outcome} ({said}); see `palace db status`")


def _is_about_connection(problem: psycopg.Error) -> bool:
    """Tell that no server is to be had from one statement that failed, by the class of the error's code.

    What comes without a code was said by no server. 08 is the connection; 28, 3D and 53300 refuse one; 57 is a server
    that stops or starts, but for 57014, which is one statement cancelled.
    """
    code = problem.sqlstate
    if problem.diag.severity_nonlocalized in {"FATAL", "PANIC"}:
        return True
    return code is None or (code[:2] in {"08", "28", "3D", "57"} and code != "57014") or code == "53300"


def _remedy(line: str) -> str:
    known = (remedy for pattern, remedy in REMEDIES if re.search(pattern, line))
    return next(known, "run `palace db upgrade` as the owner")


def _first_line(problem: psycopg.Error) -> str:
    """Give the line that says what happened; a name with several addresses has one for each, under a heading."""
    lines = str(problem).strip().splitlines() or [type(problem).__name__]
    return lines[-1] if lines[0].endswith(":") else lines[0]
