"""Database queries of `palace doctor`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import func

from palace.db.database import Database, UserSession
from palace.db.embedded.home import LOGIN_ROLE
from palace.db.tables import Drawer, Passage
from palace.db.tables.objects import RUNTIME_ROLE
from palace.models import PassageKind, Role

WHITE_SPACE = "".join(chr(code) for code in range(1, 0x3001) if chr(code).isspace())
"""Characters that passages neither begin nor end with; Postgres defines white space otherwise."""

PAGE = 1000
"""The most messages in memory at a time."""


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """Facts on the server, as the runtime role sees them."""

    version: str
    vector_version: str | None
    bypasses_policies: bool
    """Whether row-level security does not bind everyday work's role."""
    runtime_role_logs_in: bool
    """Whether the runtime role can log in itself, not only its members."""
    is_logged_in_as_it: bool
    makes_in_public: bool
    """Whether the role may create objects in ``public``, as all roles may in databases from before Postgres 15."""
    broken_indexes: tuple[str, ...]


CLOSE_RUNTIME_ROLE = (
    f"CREATE ROLE {LOGIN_ROLE} LOGIN PASSWORD '…' IN ROLE {RUNTIME_ROLE};",
    f"ALTER ROLE {RUNTIME_ROLE} NOLOGIN PASSWORD NULL;",
)
"""Statements for an administrator if the runtime role can log in; the second once all logins are like the first."""
CLOSE_PUBLIC = "REVOKE CREATE ON SCHEMA public FROM PUBLIC;"


@dataclass(frozen=True, slots=True)
class Inventory:
    """Counts of a user's rows, and of inconsistent ones."""

    drawers: int
    passages: int
    """Without sentences."""
    sentences: int
    unindexed: int
    """Passages and sentences without a row in a generation that the user writes to, counted for each generation."""
    leftover: int
    """Embeddings of generations that the user no longer has."""
    hollow: int
    """Conversations without drawers or tombstones: their mining was interrupted, or all messages were excluded."""
    uncovered: int
    """Drawers whose passages do not cover the text from the first to the last visible character."""
    unplaced: int
    """Drawers in no closet, though the topics of their conversation are drawn."""
    empty_closets: int


def get_server_facts(database: Database) -> ServerFacts:
    """Return facts on the server, as the runtime role."""
    with database.without_user() as connection:
        execute = connection.execute
        version = str(execute(sa.text("SHOW server_version")).scalar_one())
        vector = execute(sa.text("SELECT extversion FROM pg_extension WHERE extname = 'vector'")).scalar_one_or_none()
        role = sa.text(
            "SELECT rolsuper OR rolbypassrls, rolcanlogin, session_user = current_user,"
            " has_schema_privilege('public', 'CREATE')"
            " FROM pg_roles WHERE rolname = current_user"
        )
        broken = sa.text(
            "SELECT c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid"
            " WHERE NOT i.indisvalid AND c.relnamespace = CAST(:schema AS regnamespace) ORDER BY 1"
        )
        names = execute(broken, {"schema": database.schema.name}).scalars().all()
        bypasses, logs_in, is_logged_in, makes = (bool(found) for found in execute(role).one())
        return ServerFacts(version, vector, bypasses, logs_in, is_logged_in, makes, tuple(names))


def take_inventory(session: UserSession) -> Inventory:
    """Count a user's rows and inconsistencies."""
    parameters = {"white_space": WHITE_SPACE}
    return Inventory(*session.run("inventory", parameters).one())


class GraphFaults(NamedTuple):
    """Inconsistencies in a user's graph."""

    unresolved: int
    """Names without an entity."""
    nameless: int
    """Entities without a name."""
    unsupported: int
    """Relations without evidence."""
    untold: int
    """Known names in drawers that no conversation uses."""


def count_graph_faults(session: UserSession) -> GraphFaults:
    """Count the inconsistencies in the graph."""
    return GraphFaults(*session.run("graph_faults").one())


def iter_uncut(session: UserSession, *, longest: int) -> Iterator[str]:
    """Yield users' messages of at most ``longest`` characters that have no sentences, unordered."""
    sentences = session.select(Passage.ordinal).where(
        Passage.drawer_id == Drawer.id, Passage.kind == PassageKind.SENTENCE.value
    )
    query = session.select(Drawer.content).where(
        Drawer.role == Role.USER.value, func.length(Drawer.content) <= longest, ~sentences.exists()
    )
    yield from session.execute(query.execution_options(yield_per=PAGE)).scalars()
