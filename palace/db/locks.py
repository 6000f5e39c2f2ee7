"""The advisory locks: what each guards, its key, and how long it is held. No other module but ``schema`` takes one.

| guards | key | held |
|---|---|---|
| work that one transaction of a user at a time may do, see ``Guarded`` | user and its name, hashed | transaction |
| identifying a conversation by this edge | user and the edge's hash, hashed | transaction |
| building and rebuilding HNSW indexes of a schema | schema and "hnsw", hashed | connection |
| migrating schemas of a database (``schema``) | ``MIGRATION``, two numbers | until it is released |
| replacing a schema by that of a backup | the same, in ``before_restore.sql`` | transaction |
"""

from __future__ import annotations

from enum import StrEnum

import sqlalchemy as sa

from palace.db.database import UserSession

_WAIT = sa.text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))")
_TRY = sa.text("SELECT pg_try_advisory_xact_lock(hashtextextended(:key, 0))")
_TRY_INDEXES = sa.text("SELECT pg_try_advisory_lock(hashtextextended(current_schema() || '/hnsw', 0))")


class Guarded(StrEnum):
    """Work that one transaction of a user at a time may do."""

    COUNTS = "counts"
    """Sum up or recompute counts, delete words."""
    GENERATIONS = "generations"
    """Create the first generation, or file while there is none: what is filed becomes pending in it."""
    REBUILD = "rebuild"
    """Start a rebuild: two that start at once become one."""
    GRAPH = "graph"
    """Resolve names and fold claims; taken after all row locks of a transaction."""
    BUDGET = "budget"
    """Reserve the cost of a call: two together must not exceed the budget."""
    PROJECTS = "projects"
    """Create a project: two at once must not take one wing."""
    SETTINGS = "settings"
    """Store settings: values are checked for contradictions together."""
    MEMORIES = "memories"
    """File memories: of one text there is one; taken before row locks."""
    MEMORY_FILES = "memory files"
    """Change files of the memory tool: paths are unique and each edit builds on the last; taken before row locks."""


def wait_alone(session: UserSession, guarded: Guarded | int) -> None:
    """Take a lock against the user's other transactions, waiting for it; held until this transaction ends."""
    session.execute(_WAIT, _key(session, guarded))


def try_alone(session: UserSession, guarded: Guarded | int) -> bool:
    """Take the lock without waiting; False if another transaction has it."""
    return bool(session.execute(_TRY, _key(session, guarded)).scalar_one())


def claim_indexes(connection: sa.Connection) -> bool:
    """Take the lock on building indexes in this schema until the connection ends; False if another connection has it.

    It is never waited for: a build would in turn wait for the snapshot of the waiting statement.
    """
    return bool(connection.execute(_TRY_INDEXES).scalar_one())


def _key(session: UserSession, guarded: Guarded | int) -> dict[str, str]:
    return {"key": f"{session.user_id}/{guarded}"}
