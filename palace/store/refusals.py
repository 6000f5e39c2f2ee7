"""What the server refuses, told in one line; and which refusals are worth another try."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from palace.errors import DatabaseRefused, DatabaseUnavailable, PalaceError

TRANSIENT = (errors.DeadlockDetected, errors.SerializationFailure)


@contextmanager
def translated(address: str) -> Iterator[None]:
    """Turn driver errors into Palace's own.

    Raises:
        DatabaseUnavailable: no connection, or it broke.
        DatabaseRefused: the server refused a statement for a reason outside the program.
    """
    try:
        yield
    except DBAPIError as problem:
        driver = problem.orig if isinstance(problem.orig, psycopg.Error) else None
        told = _tell(driver, address) if driver else None
        if told is None:
            raise
        raise told from problem
    except psycopg.Error as problem:
        told = _tell(problem, address)
        if told is None:
            raise
        raise told from problem
    except PoolTimeout as problem:
        raise DatabaseUnavailable(f"{address}: no connection became free in time") from problem


def is_transient(problem: BaseException) -> bool:
    """Tell whether the same work may succeed when tried again."""
    cause: BaseException | None = problem
    while cause is not None:
        if isinstance(cause, TRANSIENT):
            return True
        if isinstance(cause, DBAPIError) and isinstance(cause.orig, TRANSIENT):
            return True
        cause = cause.__cause__
    return False


REFUSALS: tuple[tuple[type[psycopg.Error], str], ...] = (
    (errors.DiskFull, "the disk is full; free some space and run the same command again"),
    (errors.InsufficientPrivilege, "the role lacks a right ({line}); run `palace db upgrade` as the owner"),
    (errors.ReadOnlySqlTransaction, "the server is read-only"),
    (errors.DeadlockDetected, "other writers were in the way too often; try again"),
    (errors.SerializationFailure, "other writers were in the way too often; try again"),
)


def _tell(problem: psycopg.Error, address: str) -> PalaceError | None:
    line = (str(problem).strip().splitlines() or [type(problem).__name__])[0]
    for kind, sentence in REFUSALS:
        if isinstance(problem, kind):
            return DatabaseRefused(f"{address}: {sentence.format(line=line)}")
    if isinstance(problem, psycopg.OperationalError):
        return DatabaseUnavailable(f"{address} does not answer ({line}); see `palace db status`")
    return None
