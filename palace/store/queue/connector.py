"""How a worker reaches the queue: as its own role, on connections of its own, said anew in every transaction.

Nothing is left on a connection, so a pooler in transaction mode is fine. It passes no notifications on: there a worker
looks for jobs now and then.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import sqlalchemy as sa
from procrastinate import PsycopgConnector
from procrastinate.exceptions import ConnectorException
from psycopg.rows import DictRow

from palace.store.database import Database
from palace.tables.objects import WORKER_ROLE

CONNECTIONS = 4
CONNECT_SECONDS = 10
QueueLost = ConnectorException
"""The queue could not be reached, or refused something."""


class QueueConnector(PsycopgConnector):
    """Connections of one worker to the queue of a database."""

    def __init__(self, database: Database) -> None:
        url = sa.make_url(database.runtime_url())
        _, parameters = url.get_dialect()().create_connect_args(url)
        options: dict[str, Any] = {"connect_timeout": CONNECT_SECONDS, "prepare_threshold": None, **parameters}
        super().__init__(kwargs=options, min_size=1, max_size=CONNECTIONS, timeout=CONNECT_SECONDS)
        self._entering = (
            f"SET LOCAL ROLE {WORKER_ROLE}; SET LOCAL search_path = {database.schema.queue}, pg_temp;"
            " SET LOCAL palace.user_id = ''"
        )

    @asynccontextmanager
    async def _get_cursor(
        self, connection: psycopg.AsyncConnection[Any] | None = None
    ) -> AsyncGenerator[psycopg.AsyncCursor[DictRow], None]:
        async with super()._get_cursor(connection) as cursor:
            await cursor.execute(self._entering.encode())
            yield cursor
