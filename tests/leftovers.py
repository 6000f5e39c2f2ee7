"""What a transaction left behind on its connection, where a pooler would hand it to somebody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import sqlalchemy as sa

from palace.store.database import Database

# PgBouncer sets the first five settings left out, to what each client began with; the others end with a transaction.
LEFTOVERS = b"""
SELECT 'setting ' || name || ' = ' || setting FROM pg_settings
WHERE source = 'session'
  AND name NOT IN ('application_name', 'client_encoding', 'DateStyle', 'TimeZone', 'standard_conforming_strings',
                   'transaction_isolation', 'transaction_read_only', 'transaction_deferrable')
UNION ALL
SELECT 'setting ' || name || ' = ' || current_setting(name, true)
FROM unnest(ARRAY['palace.user_id', 'palace.user_name']) AS name WHERE current_setting(name, true) <> ''
UNION ALL
SELECT 'role ' || current_user WHERE current_user <> session_user
UNION ALL
SELECT 'prepared statement ' || name FROM pg_prepared_statements
UNION ALL
SELECT 'cursor ' || name FROM pg_cursors WHERE is_holdable
UNION ALL
SELECT 'channel ' || name FROM pg_listening_channels() AS name
UNION ALL
SELECT 'advisory lock ' || objid FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
UNION ALL
SELECT 'temporary ' || relname FROM pg_class WHERE relnamespace = pg_my_temp_schema()
"""


def leftovers(connection: psycopg.Connection[Any]) -> list[str]:
    """List what does not end with a transaction, in a transaction of its own."""
    found = [str(row[0]) for row in connection.execute(LEFTOVERS, prepare=False)]
    connection.rollback()
    return found


@contextmanager
def none_left(database: Database) -> Iterator[None]:
    """Look at each connection whenever a transaction gives it back; fail if anything was ever left on one."""
    found: list[str] = []

    def look(connection: psycopg.Connection[Any] | None, _record: object) -> None:
        if connection is not None and not connection.closed:
            found.extend(leftovers(connection))

    assert database._engine is not None
    sa.event.listen(database._engine, "checkin", look)
    yield
    sa.event.remove(database._engine, "checkin", look)
    assert found == []
