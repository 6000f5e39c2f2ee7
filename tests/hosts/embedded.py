"""Databases on the embedded server of the run."""

from __future__ import annotations

from pathlib import Path

import psycopg

from palace import Administration, Settings
from palace.db.embedded.server import EmbeddedServer
from tests.hosts.reach import LOGIN, OWNER, execute


class EmbeddedHost:
    """The embedded server of a home, whose owner is a superuser."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._server = EmbeddedServer(home, idle_minutes=0)

    def ensure_running(self) -> None:
        """Start the server, migrate its database, and write nothing through to the disk: a crash loses tests alone."""
        administration = Administration(Settings(home=self.home, server_idle_minutes=0))
        administration.start()
        with psycopg.connect(self.owner_url("postgres"), autocommit=True) as connection:
            if connection.execute("SHOW fsync").fetchone() == ("off",):
                return
            for name in ("fsync", "synchronous_commit", "full_page_writes"):
                connection.execute(f"ALTER SYSTEM SET {name} = off")
            # Several workers use it, and each keeps connections to several databases.
            connection.execute("ALTER SYSTEM SET max_connections = 250")
        administration.stop()
        administration.start()

    def stop(self) -> None:
        """End the server."""
        self._server.stop()

    def create_database(self, name: str, *, template: str | None = None) -> None:
        """Make a database."""
        execute(self.owner_url("postgres"), f"CREATE DATABASE {name} TEMPLATE {template or 'template1'}")

    def drop_database(self, name: str) -> None:
        """Remove a database."""
        execute(self.owner_url("postgres"), f"DROP DATABASE {name} WITH (FORCE)")

    def administrator_url(self, database: str) -> str:
        """URL of the superuser, who is the owner."""
        return self._server.url(OWNER, database)

    def owner_url(self, database: str) -> str:
        """URL of the owner."""
        return self._server.url(OWNER, database)

    def runtime_url(self, database: str) -> str:
        """URL of a member of the runtime role."""
        return self._server.url(LOGIN, database)
