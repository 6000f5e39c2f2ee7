"""A database that lets nobody in for a while, on any server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy import make_url

from palace import Palace
from tests.hosts import Host
from tests.hosts.reach import wait_for


@contextmanager
def away(host: Host, palace: Palace) -> Iterator[None]:
    """Have the palace's database take no connection, and end those of everyday work that it has."""
    url = palace._opened.settings.database_url
    assert url is not None
    made = make_url(url.get_secret_value())
    shut = "ALTER DATABASE {} ALLOW_CONNECTIONS {}"
    ours = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND usename = %s"
    with psycopg.connect(host.administrator_url("postgres"), autocommit=True) as connection:
        try:
            connection.execute(shut.format(made.database, "false").encode())
            connection.execute(ours, [made.database, made.username])
            yield
        finally:
            connection.execute(shut.format(made.database, "true").encode())
            wait_for(url.get_secret_value(), lambda: "the database lets nobody in again")
