"""Quick read-only queries of a user's palace, which start nothing and wait for nobody.

They use the driver alone: importing SQLAlchemy and the tables takes longer than a shell completion may.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from psycopg import errors

from palace.config.address import libpq_address, named_place
from palace.config.settings import Settings
from palace.db.embedded.home import LOGIN_ROLE
from palace.db.embedded.server import EmbeddedServer
from palace.db.transaction_user import TransactionUser, search_path
from palace.errors import DatabaseRefused, DatabaseUnavailable, OutOfTime, SchemaMismatch

CONNECT_SECONDS = 2
"""The shortest timeout of libpq; a caller that must not wait that long connects in a thread."""

_PARAMETER = re.compile(r"(?<!:):([a-z_]+)\b")
_FIND_USER = "SELECT id FROM palace_user WHERE name = %(name)s"
_NOT_THIS_SCHEMA = (
    errors.UndefinedTable,
    errors.UndefinedColumn,
    errors.InvalidSchemaName,
    errors.UndefinedObject,
    errors.InvalidCatalogName,
    errors.InvalidAuthorizationSpecification,
)
"""Errors of a server with no palace yet, or with one of another version."""


@dataclass(frozen=True, slots=True)
class Look:
    """A read-only transaction on one user's rows."""

    connection: psycopg.Connection[Any]
    user_id: int

    def rows(self, name: str, **parameters: object) -> list[tuple[Any, ...]]:
        """Return the rows of a statement of ``palace/db/sql``."""
        return self.connection.execute(_text(name), {"user_id": self.user_id, **parameters}).fetchall()


@contextmanager
def looking(settings: Settings, *, seconds: float) -> Iterator[Look | None]:
    """Open a transaction for the settings' user; yield None for an unknown user. ``seconds`` bound each statement.

    Raises:
        DatabaseUnavailable: no server answers; none is started.
        SchemaMismatch: there is no palace yet, or one of another version.
        OutOfTime: a statement took too long. DatabaseRefused: it was refused.
    """
    address = _address(settings)
    try:
        # A shared server may be behind a pooler in transaction mode.
        with psycopg.connect(address, connect_timeout=CONNECT_SECONDS, prepare_threshold=None) as connection:
            yield _enter(connection, settings, seconds)
            connection.rollback()
    except _NOT_THIS_SCHEMA as problem:
        raise SchemaMismatch(f"{_place(settings)} has no palace of this version") from problem
    except errors.QueryCanceled as problem:
        raise OutOfTime(f"{_place(settings)} did not answer in time") from problem
    except psycopg.OperationalError as problem:
        if "does not exist" in str(problem):
            # The embedded server runs, and its palace is being created, or never was.
            raise SchemaMismatch(f"{_place(settings)} has no palace yet") from problem
        raise DatabaseUnavailable(f"{_place(settings)} does not answer") from problem
    except psycopg.Error as problem:
        raise DatabaseRefused(f"{_place(settings)} does not tell") from problem


def _enter(connection: psycopg.Connection[Any], settings: Settings, seconds: float) -> Look | None:
    path = search_path(settings.database_schema)
    begin = f"SET TRANSACTION READ ONLY; SET LOCAL statement_timeout = {max(1, int(seconds * 1000))}; "
    connection.execute((begin + TransactionUser(user_name=settings.user).statement(path)).encode())
    found = connection.execute(_FIND_USER, {"name": settings.user}).fetchone()
    if found is None:
        return None
    connection.execute(TransactionUser(user_id=found[0], user_name=settings.user).statement(path).encode())
    return Look(connection, int(found[0]))


def _address(settings: Settings) -> str:
    if settings.database_url:
        return libpq_address(settings.database_url.get_secret_value())
    server = EmbeddedServer(settings.home_folder, idle_minutes=settings.server_idle_minutes)
    server.require_own_socket()
    return server.url(LOGIN_ROLE)


def _place(settings: Settings) -> str:
    if settings.database_url:
        return named_place(settings.database_url.get_secret_value())
    return f"the embedded server in {settings.home_folder}"


@lru_cache(maxsize=64)
def _text(name: str) -> bytes:
    """Load a statement with the driver's parameters, without comments, which may hold anything."""
    text = (Path(__file__).parent / "sql" / f"{name}.sql").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("--"))
    return _PARAMETER.sub(r"%(\1)s", "\n".join(lines).replace("%", "%%")).encode()


MOST = 50
"""The most completions: more than a screen helps nobody."""
LONGEST = 200
"""The most characters of the typed text that are used."""


class Offered(NamedTuple):
    """A completion and its explanation."""

    value: str
    means: str


class Kind(StrEnum):
    """The kinds of completions; each value names the statement that lists them."""

    WING = "offer_wings"
    ROOM = "offer_rooms"
    DRAWER = "offer_drawers"
    ENTITY = "offer_entities"
    JOB = "offer_jobs"
    RUN = "offer_runs"
    DECISION = "offer_decisions"
    AGENT = "offer_agents"
    SESSION = "offer_sessions"
    SPEAKER = "offer_speakers"


def offers(look: Look, kind: Kind, typed: str, **extra: object) -> list[Offered]:
    """List at most ``MOST`` completions of a kind that begin as typed; each statement compares in its own way."""
    pattern = re.sub(r"([\\%_])", r"\\\1", typed[:LONGEST].replace("\0", "")) + "%"
    return [Offered(value, means or "") for value, means in look.rows(kind, typed=pattern, limit=MOST, **extra)]


def numbers(look: Look) -> tuple[Any, ...]:
    """Return the numbers of drawers, wings and rooms, the last mining time, and the jobs that wait and that failed."""
    (found,) = look.rows("glance")
    return found
