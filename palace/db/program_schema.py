"""Schemas for the tables of other programs, on the palace's server."""

from __future__ import annotations

import hashlib
import re

import sqlalchemy as sa

from palace.db.database import Database, owner_connection
from palace.errors import BadRequest

_PROGRAM = re.compile("[a-z][a-z0-9_]{0,19}")


def program_address(database: Database, program: str, user: str | None) -> str:
    """Create a schema of a program, or of one user of it, and return the owner's URL that starts in it.

    The runtime role has no right to it.

    Raises:
        BadRequest: ``program`` is no short name in lower case.
    """
    if not _PROGRAM.fullmatch(program):
        raise BadRequest(f"a program's schema has a name like langgraph, not {program[:80]!r}")
    name = f"{database.settings.database_schema[:20]}_{program}"
    if user is not None:
        name += f"_{hashlib.sha256(user.encode('utf-8', 'surrogatepass')).hexdigest()[:20]}"
    with owner_connection(database) as connection:
        connection.execute(sa.text(f"CREATE SCHEMA IF NOT EXISTS {name}"))
    url = sa.make_url(database.owner_url()).set(drivername="postgresql")
    options = " ".join((*url.normalized_query.get("options", ()), f"-csearch_path={name}"))
    return url.update_query_dict({"options": options}).render_as_string(hide_password=False)
