"""Find the socket of the worker that answers hooks, and send it a request: one frame there, one back.

A frame is 4 bytes of length, big endian, and as many bytes of JSON. A worker first sends an empty frame as a sign of
life; one that does not is given up early. The socket is in the home folder if its path is short enough and the file
system supports sockets, else outside; one that another account could have placed is not used.
"""

from __future__ import annotations

import _socket  # what `socket` is made of, which takes 6 ms to import: a tenth of the time there is
import os
import stat
import sys
from time import monotonic

from palace_hook import PROTOCOL
from palace_hook.fast_json import read_json, write_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "hooks.sock"
LONGEST = 100
"""Bytes of the socket's path, at most; every system allows a few more."""
LENGTH = 4
LARGEST = 1 << 20
"""Bytes of an answer, at most; a block has some ten thousand."""
CONNECT_SECONDS = 0.1
PATIENCE = 0.3
"""Seconds for a worker's sign of life; without it, the remaining time is left for answering without a worker."""
_AT_ONCE = 1 << 16


def ask(request: dict[str, object], home: str, seconds: float, *, patience: float = PATIENCE) -> str | None:
    """Return a worker's answer; None if there is none in time, or it cannot be trusted.

    ``patience`` is how many seconds it may take to send its sign of life.
    """
    path = find_socket(home)
    try:
        answer = exchange(path, request, seconds, patience) if path else None
    except (OSError, ValueError, RecursionError):
        return None
    # An answer without text means that the worker declines.
    out = answer.get("out") if isinstance(answer, dict) and answer.get("v") == PROTOCOL else None
    return out if isinstance(out, str) else None


def exchange(path: str, request: dict[str, object], seconds: float, patience: float = PATIENCE) -> object:
    """Send a request to a socket, and return the answer.

    Raises:
        OSError: there is no answer in time. ValueError: the socket is another account's, or the answer is invalid.
    """
    answered = monotonic() + seconds
    begun = min(answered, monotonic() + patience)
    # Lone surrogates cannot be encoded and raise a ValueError.
    body = write_json({**request, "seconds": seconds}).encode()
    line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        line.settimeout(min(CONNECT_SECONDS, _until(begun)))
        line.connect(path)
        # Check the account before sending anything, because any account may have created the socket.
        if peer_of(line) != os.geteuid():
            raise ValueError("somebody_else")
        send(line, body, begun)
        return read_json(receive(line, begun) or receive(line, answered))
    finally:
        line.close()


def find_home() -> str:
    """Return the home folder from the environment, else this account's default, as ``palace.config.settings`` does."""
    told = os.environ.get("PALACE_HOME")
    if told:
        return os.path.abspath(os.path.expanduser(told))
    if os.geteuid() == 0:
        return "/var/lib/palace"
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support/palace")
    data = os.environ.get("XDG_DATA_HOME", "")
    return os.path.join(data if data.strip() else os.path.expanduser("~/.local/share"), "palace")


def find_socket(home: str) -> str | None:
    """Return the path of the worker's socket; None unless it certainly belongs to this account."""
    for folder_of in (inside, outside):
        folder = folder_of(home)
        path = f"{folder}/{NAME}"
        if len(os.fsencode(path)) <= LONGEST and is_own(folder, stat.S_ISDIR) and is_own(path, stat.S_ISSOCK):
            return path
    return None


def inside(home: str) -> str:
    """Return the folder of the socket in the home folder."""
    return os.path.join(home, "hooks")


def outside(home: str) -> str:
    """Return the folder of the socket outside the home folder."""
    # Importing hashlib takes a third of a hook's time, and most homes do without it.
    from hashlib import sha256

    account = os.geteuid()
    runtime = f"/run/user/{account}"
    known = sha256(os.fsencode(os.path.realpath(home))).hexdigest()[:12]
    around = runtime if is_own(runtime, stat.S_ISDIR) else "/tmp"  # noqa: S108 — looked at before it is believed
    return f"{around}/palace-hooks-{account}-{known}"


def peer_of(line: _socket.socket) -> int | None:
    """Return the user id of the process at the other end; None if the system does not tell."""
    if not hasattr(_socket, "SO_PEERCRED"):
        return None
    told = line.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)  # pid, uid, gid: 4 bytes each
    return int.from_bytes(told[4:8], sys.byteorder)


def send(line: _socket.socket, body: bytes, deadline: float) -> None:
    """Write one whole frame.

    Raises:
        OSError: it cannot be sent in time.
    """
    left = memoryview(len(body).to_bytes(LENGTH, "big") + body)
    while left:
        line.settimeout(_until(deadline))
        left = left[line.send(left[:_AT_ONCE]) :]


def receive(line: _socket.socket, deadline: float, largest: int = LARGEST) -> bytes:
    """Read one whole frame until the deadline.

    Raises:
        OSError: it does not arrive in time, or breaks off. ValueError: it is too large.
    """
    size = int.from_bytes(_exactly(line, LENGTH, deadline), "big")
    if size > largest:
        raise ValueError(size)
    return _exactly(line, size, deadline)


def _exactly(line: _socket.socket, size: int, deadline: float) -> bytes:
    parts, got = [], 0
    while got < size:
        line.settimeout(_until(deadline))
        part = line.recv(min(_AT_ONCE, size - got))
        if not part:
            raise ConnectionResetError
        parts.append(part)
        got += len(part)
    return b"".join(parts)


def _until(deadline: float) -> float:
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def is_own(path: str, is_kind: Callable[[int], bool]) -> bool:
    """Return whether a path is of a kind, no link, owned by this account, and closed to all others."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return False
    return is_kind(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077
