"""What the tests take of the embedded server and of the database to start, enter and end servers themselves."""

from __future__ import annotations

from palace.db.database import Database, owner_connection
from palace.db.embedded.binaries import BinaryFolder, reachable, wheel_binaries
from palace.db.embedded.home import (
    SHORT_FOLDERS,
    SOCKET_PATH_BYTES,
    Account,
    Layout,
    give_folders,
    make_folder,
    make_private,
    own_account,
    server_account,
)
from palace.db.embedded.lock import hold, is_held, release, take
from palace.db.embedded.postmaster import last_complaint, launch, postmaster_pid, server_command, stop_processes
from palace.db.embedded.server import EmbeddedServer, leaving_stopped
from palace.db.schema import HEAD, OutdatedSchema, Schema

__all__ = [
    "HEAD", "SHORT_FOLDERS", "SOCKET_PATH_BYTES", "Account", "BinaryFolder", "Database", "EmbeddedServer", "Layout",
    "OutdatedSchema", "Schema", "give_folders", "hold", "is_held", "last_complaint", "launch", "leaving_stopped",
    "make_folder", "make_private", "own_account", "owner_connection", "postmaster_pid", "reachable", "release",
    "server_account", "server_command", "stop_processes", "take", "wheel_binaries",
]  # fmt: skip
