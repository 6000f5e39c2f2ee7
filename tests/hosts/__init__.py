"""Where the tests' databases live: on the embedded server, on a shared one over TCP, or behind PgBouncer."""

from __future__ import annotations

from typing import Protocol

from tests.hosts.embedded import EmbeddedHost
from tests.hosts.pooled import PooledHost, Pooler, find_pgbouncer
from tests.hosts.reach import ADMINISTRATOR, LOGIN, OWNER, PASSWORDS, RUNTIME, TEMPLATE, WORKER, execute
from tests.hosts.shared import SharedHost

__all__ = [
    "ADMINISTRATOR",
    "HOSTS",
    "LOGIN",
    "OWNER",
    "PASSWORDS",
    "RUNTIME",
    "TEMPLATE",
    "WORKER",
    "EmbeddedHost",
    "Host",
    "PooledHost",
    "Pooler",
    "SharedHost",
    "execute",
    "find_pgbouncer",
]


class Host(Protocol):
    """A server with databases for the tests, and a migrated one to clone."""

    def ensure_running(self) -> None:
        """Start it and make the template, where that was not done yet; to be called under a lock."""

    def stop(self) -> None:
        """End it."""

    def create_database(self, name: str, *, template: str | None = None) -> None:
        """Make a database in which the owner may make a palace."""

    def drop_database(self, name: str) -> None:
        """Remove a database, whoever is connected to it."""

    def administrator_url(self, database: str) -> str:
        """URL of a superuser."""

    def owner_url(self, database: str) -> str:
        """URL of the schema's owner."""

    def runtime_url(self, database: str) -> str:
        """URL of everyday work."""


HOSTS: dict[str, type[EmbeddedHost | SharedHost]] = {
    "embedded": EmbeddedHost,
    "shared": SharedHost,
    "pooled": PooledHost,
}
