"""The server's refusals: translated into one-line errors; which of them are worth a retry; cancelling statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import psycopg
from psycopg import errors
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from palace.cancellation import is_cancelled, stopped_by
from palace.config.address import HIDDEN
from palace.db.tables.objects import RUNTIME_ROLE, WORKER_ROLE
from palace.errors import Cancelled, DatabaseRefused, DatabaseUnavailable, DataRefused, PalaceError, SchemaMismatch

# A foreign key is violated when the target of a reference was forgotten since it was looked up.
TRANSIENT = (errors.DeadlockDetected, errors.SerializationFailure, errors.ForeignKeyViolation)
LOST = (errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow)
CANCEL_SECONDS = 5.0
"""Seconds that the server may take to receive a request to cancel."""


@contextmanager
def translated(address: str, secrets: Sequence[str] = ()) -> Iterator[None]:
    """Translate driver errors into Palace's own; messages of the server and the driver are cleaned of ``secrets``.

    Raises:
        DatabaseUnavailable: no connection, or it broke.
        DatabaseRefused: the server refused a statement for a reason outside the program.
        SchemaMismatch: an object in a statement is missing, because another version migrated the schema meanwhile.
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
    """Cancel the connection's running statement if the current call is cancelled within the block.

    The block ends before its transaction, so no cancellation reaches the commit, or the connection's next user.

    Raises:
        Cancelled: the call is cancelled; the block was not entered, or a statement in it was cancelled.
    """
    driver = connection.connection.driver_connection

    def stop() -> None:
        # An unreachable connection has no statement to wait for.
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


def has_failed(connection: Connection) -> bool:
    """Check whether a statement of the transaction failed."""
    driver = connection.connection.driver_connection
    return isinstance(driver, psycopg.Connection) and driver.info.transaction_status is TransactionStatus.INERROR


def is_transient(problem: BaseException) -> bool:
    """Check whether the same work may succeed when retried."""
    return any(isinstance(cause, TRANSIENT) for cause in _causes(problem))


def is_lost(problem: BaseException) -> bool:
    """Check whether the connection was lost, as when the server is stopped or restarted."""
    return any(
        isinstance(cause, LOST) or (isinstance(cause, psycopg.OperationalError) and cause.sqlstate is None)
        for cause in _causes(problem)
    )


def _causes(problem: BaseException) -> Iterator[BaseException]:
    """Yield an error, the errors it was raised from, and the driver's."""
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
"""Errors of a program whose schema another version has migrated meanwhile."""

UNHOLDABLE = (psycopg.DataError, errors.ProgramLimitExceeded, errors.StatementTooComplex)
"""Errors on values that the server or the driver cannot hold. The driver reports some of them as operational errors,
like a broken connection."""

REMEDIES = (
    ("create extension", "a superuser runs CREATE EXTENSION in this database once"),
    ("own user alone", "which is our fault"),
    ("create role", f"a superuser runs CREATE ROLE {WORKER_ROLE} NOLOGIN once, and grants it to the logins of workers"),
    (f'role "{WORKER_ROLE}"', f"the owner runs GRANT {WORKER_ROLE} TO this login"),
    ("set role|for schema", f"the owner runs GRANT {RUNTIME_ROLE} TO this login, or `palace db upgrade`"),
)
"""Remedies for a missing right, by a pattern in the server's message."""
REFUSED_CONNECTION = re.compile("FATAL:|SSL|certificate")


def without(text: str, secrets: Sequence[str]) -> str:
    """Mask secrets in a text of the server or the driver."""
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
    """Check whether an error means that there is no connection, not that one statement failed, by its code.

    An error without a code does not come from a server. Class 08 is the connection; 28, 3D and 53300 refuse one; 57 is
    a server that stops or starts, except for 57014, a cancelled statement.
    """
    code = problem.sqlstate
    if problem.diag.severity_nonlocalized in {"FATAL", "PANIC"}:
        return True
    return code is None or (code[:2] in {"08", "28", "3D", "57"} and code != "57014") or code == "53300"


def _remedy(line: str) -> str:
    known = (remedy for pattern, remedy in REMEDIES if re.search(pattern, line))
    return next(known, "run `palace db upgrade` as the owner")


def _first_line(problem: psycopg.Error) -> str:
    """Return the line that says what happened; a host name with several addresses has one for each, under a heading."""
    lines = str(problem).strip().splitlines() or [type(problem).__name__]
    return lines[-1] if lines[0].endswith(":") else lines[0]
