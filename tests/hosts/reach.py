"""Roles, passwords and addresses of the tests' shared server, and how to wait for one."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import psycopg

from palace.db.embedded.home import Account

TEMPLATE = "palace"
"""The migrated database that is cloned."""
ADMINISTRATOR = "administrator"
OWNER, RUNTIME, WORKER = "palace_owner", "palace_app", "palace_worker"
LOGIN = "palace_login"
"""The member of the runtime role that docker/prepare.sql makes."""
# Characters that mean something in a URL, in SQL and in a configuration file.
PASSWORDS = {
    ADMINISTRATOR: "admin",
    OWNER: "own/er:p@ss%20",
    LOGIN: "it's-\\l#gin?&=+;pass",
}
PATIENCE_SECONDS = 60


def tcp_url(port: int, role: str, database: str) -> str:
    """URL of a role with its password."""
    return f"postgresql://{role}:{quote(PASSWORDS[role], safe='')}@127.0.0.1:{port}/{database}"


def execute(url: str, *statements: str) -> None:
    """Run statements outside a transaction."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def free_port() -> int:
    """Find a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def write_for(account: Account, path: Path, content: str) -> Path:
    """Write a file that only the account can read."""
    path.touch(mode=0o600)
    path.write_text(content, encoding="utf-8")
    if account.foreign:
        os.chown(path, account.uid, account.gid)
    return path


def wait_for(url: str, complaint: Callable[[], str]) -> None:
    """Wait until a server lets somebody in."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with psycopg.connect(url) as connection:
                connection.execute(b"SELECT 1")  # a pooler lets everybody in, whatever its server does
        except psycopg.OperationalError as problem:
            if time.monotonic() > deadline:
                raise AssertionError(f"{problem}\n{complaint()}") from problem
            time.sleep(0.05)
        else:
            return


def wait_for_template(clone: Callable[[], None]) -> None:
    """Clone a database again and again while another worker's test is connected to its template."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return clone()
        except psycopg.errors.ObjectInUse:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
