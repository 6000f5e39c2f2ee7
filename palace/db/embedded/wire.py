"""Just enough of the Postgres protocol to ask a local server whether it is ready, and how busy.

Message formats: PostgreSQL documentation, chapter "Frontend/Backend Protocol", version 3.0. A hand-written session
spares the attaching process a driver import, and keeps the idle watcher small.
"""

from __future__ import annotations

import select
import socket
import struct
import time
from enum import Enum
from pathlib import Path

from palace.errors import EmbeddedServerError

PROTOCOL_VERSION = 3 << 16
TOO_MANY_CONNECTIONS = "53300"
OPERATOR_INTERVENTION = "57P"
"""Class of the SQLSTATEs for starting up, shutting down and recovering after a crash."""


class ServerRefusal(Exception):
    """An error message of the server: its SQLSTATE and its one-line text."""

    def __init__(self, sqlstate: str, text: str) -> None:
        self.sqlstate = sqlstate
        super().__init__(text)


class Readiness(Enum):
    """The state of a server, as its answer to a new connection shows it."""

    READY = "ready"
    BUSY = "starting, stopping or recovering"
    SILENT = "takes the connection and says nothing"
    NONE = "nobody listens"


class Session:
    """One connection over a unix socket, trusted without a password.

    Raises:
        OSError: nobody listens, or the connection broke.
        ServerRefusal: the server answered with an error.
    """

    def __init__(self, path: Path, *, role: str, database: str, seconds: float) -> None:
        """Connect and wait until the server is ready for a query, at most ``seconds`` for each step."""
        self.parameters: dict[str, str] = {}
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(seconds)
            self._socket.connect(str(path))
            settings = f"user\0{role}\0database\0{database}\0application_name\0palace server\0\0".encode()
            self._socket.sendall(struct.pack("!ii", len(settings) + 8, PROTOCOL_VERSION) + settings)
            self._rows_until_ready()
        except BaseException:
            self._socket.close()
            raise

    def query(self, statement: str) -> list[list[str]]:
        """Run one statement; return its rows as text, NULL as an empty string."""
        self._send(b"Q", statement.encode() + b"\0")
        return self._rows_until_ready()

    def ended_within(self, seconds: float) -> bool:
        """Wait while the connection lasts; return True as soon as the server ends it, False after ``seconds``."""
        deadline = time.monotonic() + seconds
        while select.select([self._socket], [], [], max(0.0, deadline - time.monotonic()))[0]:
            try:
                kind, _ = self._receive()
            except OSError:
                return True
            if kind == b"E":
                return True
        return False

    def close(self) -> None:
        """Terminate the session and close the socket; the connection may be gone already."""
        try:
            self._send(b"X", b"")
        except OSError:
            pass
        finally:
            self._socket.close()

    def _send(self, kind: bytes, body: bytes) -> None:
        self._socket.sendall(kind + struct.pack("!i", len(body) + 4) + body)

    def _receive(self) -> tuple[bytes, bytes]:
        kind = self._read(1)
        (size,) = struct.unpack("!i", self._read(4))
        return kind, self._read(size - 4)

    def _read(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            piece = self._socket.recv(size - len(parts))
            if not piece:
                raise ConnectionResetError("the server ended the connection")
            parts += piece
        return bytes(parts)

    def _rows_until_ready(self) -> list[list[str]]:
        rows: list[list[str]] = []
        while True:
            kind, body = self._receive()
            if kind == b"Z":
                return rows
            if kind == b"D":
                rows.append(_values(body))
            elif kind == b"S":
                name, value = body.decode().split("\0")[:2]
                self.parameters[name] = value
            elif kind == b"E":
                raise _refusal(body)
            elif kind == b"R" and body[:4] != bytes(4):
                raise ServerRefusal("28000", "the server asks for a password")


def ask(path: Path, *, role: str, database: str, seconds: float = 2) -> Readiness:
    """Check whether a server listens on the socket and accepts sessions, as a client would.

    A server that sends nothing for ``seconds`` is silent.

    Raises:
        EmbeddedServerError: this account may not use the socket, or the server rejects this role.
    """
    try:
        Session(path, role=role, database=database, seconds=seconds).close()
    except ServerRefusal as refusal:
        if refusal.sqlstate == TOO_MANY_CONNECTIONS:
            return Readiness.READY
        if refusal.sqlstate.startswith(OPERATOR_INTERVENTION):
            return Readiness.BUSY
        raise EmbeddedServerError(f"the embedded server at {path} refuses {role}: {refusal}") from refusal
    except (FileNotFoundError, ConnectionRefusedError):
        return Readiness.NONE
    except PermissionError as problem:
        raise EmbeddedServerError(f"{path} belongs to another account: {problem.strerror}") from problem
    except TimeoutError:
        return Readiness.SILENT
    except OSError:
        return Readiness.BUSY
    return Readiness.READY


def _values(body: bytes) -> list[str]:
    (columns,) = struct.unpack_from("!h", body)
    values, position = [], 2
    for _ in range(columns):
        (size,) = struct.unpack_from("!i", body, position)
        position += 4
        values.append(body[position : position + max(size, 0)].decode())
        position += max(size, 0)
    return values


def _refusal(body: bytes) -> ServerRefusal:
    fields = {part[:1]: part[1:].decode(errors="replace") for part in body.split(b"\0") if part}
    return ServerRefusal(fields.get(b"C", ""), fields.get(b"M", "no reason given"))
