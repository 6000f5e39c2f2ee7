"""The schema's owner at work on a whole palace, of every user."""

from __future__ import annotations

import sqlalchemy as sa

from palace.errors import BadRequest
from palace.store.schema import Schema

CONTENTS = ("drawer", "conversation", "tombstone")
"""What makes a palace more than empty; the later ones came with later revisions."""

_HIDDEN = sa.text(
    "SELECT EXISTS (SELECT FROM pg_class AS c WHERE c.relkind = 'r' AND row_security_active(c.oid)"
    " AND c.relnamespace IN (to_regnamespace(:schema), to_regnamespace(:queue))"
    " AND NOT EXISTS (SELECT FROM pg_policies AS p WHERE p.schemaname IN (:schema, :queue)"
    " AND p.tablename = c.relname AND p.policyname = 'owner_maintains'"
    " AND (SELECT bool_or(pg_has_role(name, 'USAGE')) FROM unnest(p.roles) AS name)))"
)
# Who is no superuser sees little of others' sessions; the server's own have no user.
_OTHERS = sa.text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND usesysid IS NOT NULL AND pid <> pg_backend_pid()"
)


def require_sight(connection: sa.Connection, schema: Schema) -> None:
    """Make sure that no row is hidden from this role: a backup would lack it, a restore would overwrite it.

    Raises:
        BadRequest: row-level security binds the role, and it is not the schema's owner.
    """
    if connection.execute(_HIDDEN, {"schema": schema.name, "queue": schema.queue}).scalar_one():
        role = connection.execute(sa.text("SELECT current_user")).scalar_one()
        raise BadRequest(
            f"the role {role!r} does not see every row of the palace: set PALACE_DATABASE_OWNER_URL to the role"
            " that owns the schema"
        )


def has_schema(connection: sa.Connection, name: str) -> bool:
    """Tell whether the database has a schema."""
    return bool(connection.execute(sa.text("SELECT to_regnamespace(:name) IS NOT NULL"), {"name": name}).scalar_one())


def count_rows(connection: sa.Connection, schema: Schema, table: str) -> int:
    """Count a table's rows, of every user; 0 where this revision has no such table."""
    name = f"{schema.name}.{table}"
    if not connection.execute(sa.text("SELECT to_regclass(:name) IS NOT NULL"), {"name": name}).scalar_one():
        return 0
    return int(connection.execute(sa.text(f"SELECT count(*) FROM {name}")).scalar_one())  # noqa: S608


def require_empty(connection: sa.Connection, schema: Schema) -> None:
    """Make sure that nothing is lost, and nobody confused, when the schema is replaced.

    Raises:
        BadRequest: the palace holds something, or a program that has it open is still connected.
    """
    require_sight(connection, schema)
    for table in CONTENTS:
        if found := count_rows(connection, schema, table):
            raise BadRequest(
                f"the palace holds {found:,} {table}s: restore into an empty one, with PALACE_HOME or"
                " PALACE_DATABASE_SCHEMA naming another; nothing was changed"
            )
    # A program that has opened a palace goes on under its user's number, which may be somebody else's in the backup.
    if count_rows(connection, schema, "palace_user") and (others := connection.execute(_OTHERS).scalar_one()):
        raise BadRequest(
            f"other programs have this palace open ({others} connections): end them first; nothing was changed"
        )
