"""A look at one user's palace that is over at once: it starts nothing, changes nothing and waits for nobody.

It speaks to the driver alone. Importing SQLAlchemy and the tables takes longer than a person waits for a completion.
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
from palace.db.schema import Entry, search_path
from palace.errors import DatabaseRefused, DatabaseUnavailable, OutOfTime, SchemaMismatch

CONNECT_SECONDS = 2
"""The least that libpq can be told to wait; who may not wait for it looks in a thread."""

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
"""What a server says that has no palace yet, or one of another version."""


@dataclass(frozen=True, slots=True)
class Look:
    """What is read with one user's eyes."""

    connection: psycopg.Connection[Any]
    user_id: int

    def rows(self, name: str, **parameters: object) -> list[tuple[Any, ...]]:
        """Read what a statement of ``palace/db/sql`` gives."""
        return self.connection.execute(_text(name), {"user_id": self.user_id, **parameters}).fetchall()


@contextmanager
def looking(settings: Settings, *, seconds: float) -> Iterator[Look | None]:
    """Look at the palace of the settings' user; None where nobody of that name is known. No statement takes longer.

    Raises:
        DatabaseUnavailable: no server answers; none is started.
        SchemaMismatch: there is no palace yet, or one of another version.
        OutOfTime: a statement took too long. DatabaseRefused: it was refused.
    """
    address = _address(settings)
    try:
        # A pooler in transaction mode may stand before a shared server.
        with psycopg.connect(address, connect_timeout=CONNECT_SECONDS, prepare_threshold=None) as connection:
            yield _enter(connection, settings, seconds)
            connection.rollback()
    except _NOT_THIS_SCHEMA as problem:
        raise SchemaMismatch(f"{_place(settings)} has no palace of this version") from problem
    except errors.QueryCanceled as problem:
        raise OutOfTime(f"{_place(settings)} did not answer in time") from problem
    except psycopg.OperationalError as problem:
        if "does not exist" in str(problem):
            # The embedded server runs, and its palace is being made, or was never made.
            raise SchemaMismatch(f"{_place(settings)} has no palace yet") from problem
        raise DatabaseUnavailable(f"{_place(settings)} does not answer") from problem
    except psycopg.Error as problem:
        raise DatabaseRefused(f"{_place(settings)} does not tell") from problem


def _enter(connection: psycopg.Connection[Any], settings: Settings, seconds: float) -> Look | None:
    path = search_path(settings.database_schema)
    begin = f"SET TRANSACTION READ ONLY; SET LOCAL statement_timeout = {max(1, int(seconds * 1000))}; "
    connection.execute((begin + Entry(user_name=settings.user).statement(path)).encode())
    found = connection.execute(_FIND_USER, {"name": settings.user}).fetchone()
    if found is None:
        return None
    connection.execute(Entry(user_id=found[0], user_name=settings.user).statement(path).encode())
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
    """Read a statement as the driver takes it; comments may hold anything, and go."""
    text = (Path(__file__).parent / "sql" / f"{name}.sql").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("--"))
    return _PARAMETER.sub(r"%(\1)s", "\n".join(lines).replace("%", "%%")).encode()


MOST = 50
"""What is offered at most: more than a screen helps nobody."""
LONGEST = 200
"""Characters of what is typed that are looked at."""


class Offered(NamedTuple):
    """Something that may be meant."""

    value: str
    means: str


class Kind(StrEnum):
    """Of what kind it is; each is the statement that lists what there is of it."""

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
    """List what of a kind begins as typed, in the letters that its statement compares; ``MOST`` of them."""
    pattern = re.sub(r"([\\%_])", r"\\\1", typed[:LONGEST].replace("\0", "")) + "%"
    return [Offered(value, means or "") for value, means in look.rows(kind, typed=pattern, limit=MOST, **extra)]


def numbers(look: Look) -> tuple[Any, ...]:
    """Give drawers, wings, rooms, when something was mined last, and the jobs that wait and that failed."""
    (found,) = look.rows("glance")
    return found
