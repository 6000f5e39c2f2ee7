"""The advisory locks: what each guards, its key, and how long it is held. Nothing else takes one but ``schema``.

| guards | key | held |
|---|---|---|
| what one transaction at a time does to a user's palace, see ``Guarded`` | user and its name, hashed | transaction |
| deciding who a conversation with this edge is | user and the edge's hash, hashed | transaction |
| building and rebuilding HNSW indexes of a schema | schema and "hnsw", hashed | connection |
| migrating schemas of a database (``schema``) | ``MIGRATION``, two numbers | until it is given back |
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
    """What one transaction at a time does to a user's palace."""

    COUNTS = "counts"
    """Fold what was counted, forget words, count anew."""
    GENERATIONS = "generations"
    """Make the first generation, or file while there is none: what is filed becomes pending in it."""
    REBUILD = "rebuild"
    """Begin a rebuild: two that begin at once are one."""
    GRAPH = "graph"
    """Resolve names and fold claims; taken behind every lock on rows that a transaction takes."""
    BUDGET = "budget"
    """Set aside what a call may cost: two together must not go beyond what one may."""
    PROJECTS = "projects"
    """Make a project: two at once must not take one wing."""
    SETTINGS = "settings"
    """Set something: values that contradict each other must not be set side by side."""


def wait_alone(session: UserSession, guarded: Guarded | int) -> None:
    """Keep the user's other transactions out of something, or away from an edge, until this one ends; wait for them."""
    session.execute(_WAIT, _key(session, guarded))


def try_alone(session: UserSession, guarded: Guarded | int) -> bool:
    """Keep them out without waiting; False while one is at work."""
    return bool(session.execute(_TRY, _key(session, guarded)).scalar_one())


def claim_indexes(connection: sa.Connection) -> bool:
    """Keep others from building indexes in this schema until the connection ends; False while one does.

    Nobody waits: a build would wait in turn for the snapshot of the statement that waits for it.
    """
    return bool(connection.execute(_TRY_INDEXES).scalar_one())


def _key(session: UserSession, guarded: Guarded | int) -> dict[str, str]:
    return {"key": f"{session.user_id}/{guarded}"}
