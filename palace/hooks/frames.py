"""What goes over the socket: frames of 4 bytes of length, big endian, and as many bytes of JSON, each within a time."""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import palace
from palace.hooks.answering import PROTOCOL
from palace.hooks.claim import find_socket

VERSION = palace.__version__
LENGTH = 4
LARGEST = 32 << 20
"""Bytes of a request: an event of 8 MiB may take that where every character of it has to be escaped."""
LOOK_SECONDS = 1.0
_AT_ONCE = 1 << 16
_CREDENTIALS = struct.Struct("3i")


class Unfit(ValueError):
    """A frame that is none, or too large."""


class Look(NamedTuple):
    """What there is at a home's socket."""

    path: Path
    problem: str = ""
    """Why nobody there can be asked, in words; empty where somebody answers."""
    milliseconds: float = 0.0
    """How long the answer took."""
    answered: int = 0
    """Hooks that were answered since the worker began."""


def look(home: Path) -> Look | None:
    """Ask who answers the hooks of a home, which counts as no hook; None where there is no socket."""
    path = find_socket(home)
    if path is None:
        return None
    began = monotonic()
    try:
        told = _asked(path, began + LOOK_SECONDS)
    except ConnectionRefusedError:
        return Look(path, "its worker is gone")
    except (OSError, Unfit):
        return Look(path, f"nobody answers within {LOOK_SECONDS:g} s")
    version, answered = told.get("version"), told.get("answered")
    if version != VERSION:
        shown = version[:20] if isinstance(version, str) and version.isprintable() else "unknown"
        return Look(path, f"its worker is of another version of Palace ({shown})")
    return Look(path, "", (monotonic() - began) * 1000, answered if isinstance(answered, int) else 0)


def is_own_peer(line: socket.socket) -> bool:
    """Return whether a process of this account is at the other end, as the system knows it."""
    if not hasattr(socket, "SO_PEERCRED"):
        return False
    _, account, _ = _CREDENTIALS.unpack(line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    return bool(account == os.geteuid())


def receive(line: socket.socket, deadline: float, *, largest: int = LARGEST) -> dict[str, Any]:
    """Read one frame whole, however slowly it comes, until the deadline.

    Raises:
        OSError: it does not come in time, or breaks off. Unfit: it is too large, or no JSON object.
    """
    # An empty frame says that another comes.
    size = _size(line, deadline) or _size(line, deadline)
    if size > largest:
        raise Unfit("too_large")
    try:
        told = json.loads(_exactly(line, size, deadline))
    except (ValueError, RecursionError) as problem:
        raise Unfit("not_json") from problem
    if not isinstance(told, dict):
        raise Unfit("no_object")
    return told


def say_at_work(line: socket.socket, deadline: float) -> None:
    """Write an empty frame: what was asked is here and is being answered.

    Raises:
        OSError: it is not taken in time.
    """
    line.settimeout(_until(deadline))
    line.sendall(bytes(LENGTH))


def send(line: socket.socket, told: Mapping[str, Any], deadline: float) -> None:
    """Write one frame whole.

    Raises:
        OSError: it is not taken in time.
    """
    body = json.dumps(told).encode()
    left = memoryview(len(body).to_bytes(LENGTH, "big") + body)
    while left:
        line.settimeout(_until(deadline))
        left = left[line.send(left[:_AT_ONCE]) :]


def _asked(path: Path, deadline: float) -> dict[str, Any]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(LOOK_SECONDS)
        line.connect(str(path))
        if not is_own_peer(line):
            raise Unfit("somebody_else")
        send(line, {"v": PROTOCOL, "ping": True}, deadline)
        return receive(line, deadline, largest=1 << 16)


def _size(line: socket.socket, deadline: float) -> int:
    return int.from_bytes(_exactly(line, LENGTH, deadline), "big")


def _exactly(line: socket.socket, size: int, deadline: float) -> bytes:
    got = bytearray()
    while len(got) < size:
        line.settimeout(_until(deadline))
        part = line.recv(min(_AT_ONCE, size - len(got)))
        if not part:
            raise ConnectionResetError
        got += part
    return bytes(got)


def _until(deadline: float) -> float:
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError
    return left
