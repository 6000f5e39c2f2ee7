"""What `palace doctor` asks of the database."""

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
"""What passages neither begin nor end with; Postgres has its own idea of it."""

PAGE = 1000
"""Messages that are in memory at a time."""


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """The server as the runtime role finds it."""

    version: str
    vector_version: str | None
    bypasses_policies: bool
    """Whether everyday work runs as a role that row-level security does not bind."""
    runtime_role_logs_in: bool
    """Whether that role can log in itself, beside its members."""
    is_logged_in_as_it: bool
    makes_in_public: bool
    """Whether that role may make objects in ``public``, as everybody may who connects to a server that was older."""
    broken_indexes: tuple[str, ...]


CLOSE_RUNTIME_ROLE = (
    f"CREATE ROLE {LOGIN_ROLE} LOGIN PASSWORD '…' IN ROLE {RUNTIME_ROLE};",
    f"ALTER ROLE {RUNTIME_ROLE} NOLOGIN PASSWORD NULL;",
)
"""What an administrator runs where the runtime role logs in: the second once everybody uses a login like the first."""
CLOSE_PUBLIC = "REVOKE CREATE ON SCHEMA public FROM PUBLIC;"


@dataclass(frozen=True, slots=True)
class Inventory:
    """A user's rows as they are, and those that should not be."""

    drawers: int
    passages: int
    """Sentences not included."""
    sentences: int
    unindexed: int
    """What of both is to be embedded and has no row in a generation the user writes to, once for each."""
    leftover: int
    """Embeddings of a generation that the user no longer has."""
    hollow: int
    """Conversations without a drawer, and none forgotten: an interrupted mine's, or all messages were excluded."""
    uncovered: int
    """Drawers whose passages do not begin with the first visible character and end with the last, or of which one is
    missing in between.
    """
    unplaced: int
    """Drawers in no closet although the topics of their conversation are drawn."""
    empty_closets: int


def get_server_facts(database: Database) -> ServerFacts:
    """Ask the server about itself, as the runtime role."""
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
    """Count a user's rows."""
    parameters = {"white_space": WHITE_SPACE}
    return Inventory(*session.run("inventory", parameters).one())


class GraphFaults(NamedTuple):
    """What the graph of a user should not hold."""

    unresolved: int
    """Names that stand for nothing."""
    nameless: int
    """Entities without a name."""
    unsupported: int
    """Relations that no drawer says."""
    untold: int
    """Names noted with drawers that no conversation tells."""


def count_graph_faults(session: UserSession) -> GraphFaults:
    """Count what the graph should not hold."""
    return GraphFaults(*session.run("graph_faults").one())


def iter_uncut(session: UserSession, *, longest: int) -> Iterator[str]:
    """Give what persons said, in at most ``longest`` characters, that is not cut into sentences; in no order."""
    sentences = session.select(Passage.ordinal).where(
        Passage.drawer_id == Drawer.id, Passage.kind == PassageKind.SENTENCE.value
    )
    query = session.select(Drawer.content).where(
        Drawer.role == Role.USER.value, func.length(Drawer.content) <= longest, ~sentences.exists()
    )
    yield from session.execute(query.execution_options(yield_per=PAGE)).scalars()
