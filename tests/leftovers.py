"""What a transaction left behind on its connection, where a pooler would hand it to somebody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import psycopg
import sqlalchemy as sa

from palace.db.database import Database

# PgBouncer sets the first five settings left out, to what each client began with; the others end with a transaction.
# A worker listens on a connection of its own, which is anybody's where a pooler stands before the server.
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
SELECT 'channel ' || name FROM pg_listening_channels() AS name WHERE name NOT LIKE 'procrastinate%'
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
def none_left(database: Database, *, at_each_return: bool = False) -> Iterator[None]:
    """Look at each connection at the end, or whenever a transaction gives it back; fail if anything is left on one."""
    found: list[str] = []
    engine = database._engine
    assert engine is not None

    def look(connection: psycopg.Connection[Any] | None, _record: object) -> None:
        if connection is not None and not connection.closed:
            found.extend(leftovers(connection))

    if at_each_return:
        sa.event.listen(engine, "checkin", look)
    yield
    if at_each_return:
        sa.event.remove(engine, "checkin", look)
    else:
        _look_at_idle(engine, look)
    assert not found, found


def _look_at_idle(engine: sa.Engine, look: Callable[[psycopg.Connection[Any] | None, object], None]) -> None:
    assert isinstance(engine.pool, sa.QueuePool)
    with ExitStack() as stack:
        for _ in range(engine.pool.checkedin()):
            with suppress(sa.exc.OperationalError):  # a test may have ended it from the server's side
                look(stack.enter_context(engine.connect()).connection.driver_connection, None)
