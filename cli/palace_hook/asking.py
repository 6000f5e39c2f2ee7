"""Finding the socket of the worker that answers hooks, and asking it: one frame there, one back.

A frame is 4 bytes of length, big endian, and as many bytes of JSON. Before it answers, a worker says by an empty frame
that it is at work: one that does not is not waited for. The socket lies in the home, if its path is short enough and
the file system takes sockets, else outside; nothing that somebody else could have put there is taken for the worker's.
"""

from __future__ import annotations

import _socket  # what `socket` is made of, which takes 6 ms to import: a tenth of the time there is
import os
import stat
import sys
from time import monotonic

from palace_hook import PROTOCOL
from palace_hook.written import read_json, write_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "hooks.sock"
LONGEST = 100
"""Bytes of its path; every system takes a few more."""
LENGTH = 4
LARGEST = 1 << 20
"""Bytes of an answer; a block has some ten thousand."""
CONNECT_SECONDS = 0.1
PATIENCE = 0.3
"""Seconds until a worker has to say that it is at work; then what is left is for a process of one's own."""
_AT_ONCE = 1 << 16


def ask(request: dict[str, object], home: str, seconds: float, *, patience: float = PATIENCE) -> str | None:
    """Return what a worker answers within the time; None where there is none, or it is not to be believed.

    ``patience`` is how many seconds it may take to say that it is at work.
    """
    path = find_socket(home)
    try:
        answer = exchange(path, request, seconds, patience) if path else None
    except (OSError, ValueError, RecursionError):
        return None
    # One without a text says that the worker would rather not.
    out = answer.get("out") if isinstance(answer, dict) and answer.get("v") == PROTOCOL else None
    return out if isinstance(out, str) else None


def exchange(path: str, request: dict[str, object], seconds: float, patience: float = PATIENCE) -> object:
    """Send a request to a socket, and return what is answered.

    Raises:
        OSError: nobody answers in time. ValueError: the other end is somebody else's, or says what is no answer.
    """
    answered = monotonic() + seconds
    begun = min(answered, monotonic() + patience)
    # What no text can hold is no text of a request either.
    body = write_json({**request, "seconds": seconds}).encode()
    line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        line.settimeout(min(CONNECT_SECONDS, _until(begun)))
        line.connect(path)
        # Asked of the system before a word is said: what lies at a path may be anybody's.
        if peer_of(line) != os.geteuid():
            raise ValueError("somebody_else")
        send(line, body, begun)
        return read_json(receive(line, begun) or receive(line, answered))
    finally:
        line.close()


def find_home() -> str:
    """Return the home that the environment names, or this account's own, as ``palace.config.settings`` does."""
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
    """Find the socket of a home's worker; None where there is none that is certainly one's own."""
    for folder_of in (inside, outside):
        folder = folder_of(home)
        path = f"{folder}/{NAME}"
        if len(os.fsencode(path)) <= LONGEST and is_own(folder, stat.S_ISDIR) and is_own(path, stat.S_ISSOCK):
            return path
    return None


def inside(home: str) -> str:
    """Return the folder that it lies in, where its path is short enough and the file system takes sockets."""
    return os.path.join(home, "hooks")


def outside(home: str) -> str:
    """Return the folder that it lies in otherwise."""
    # A third of the time that all else takes, and most homes do without.
    from hashlib import sha256

    account = os.geteuid()
    runtime = f"/run/user/{account}"
    known = sha256(os.fsencode(os.path.realpath(home))).hexdigest()[:12]
    around = runtime if is_own(runtime, stat.S_ISDIR) else "/tmp"  # noqa: S108 — looked at before it is believed
    return f"{around}/palace-hooks-{account}-{known}"


def peer_of(line: _socket.socket) -> int | None:
    """Return which account is at the other end, as the system knows it; None where it does not say."""
    if not hasattr(_socket, "SO_PEERCRED"):
        return None
    told = line.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)  # pid, uid, gid: 4 bytes each
    return int.from_bytes(told[4:8], sys.byteorder)


def send(line: _socket.socket, body: bytes, deadline: float) -> None:
    """Write one frame whole.

    Raises:
        OSError: it is not taken in time.
    """
    left = memoryview(len(body).to_bytes(LENGTH, "big") + body)
    while left:
        line.settimeout(_until(deadline))
        left = left[line.send(left[:_AT_ONCE]) :]


def receive(line: _socket.socket, deadline: float, largest: int = LARGEST) -> bytes:
    """Read one frame whole, however slowly it comes, until the deadline.

    Raises:
        OSError: it does not come, or breaks off. ValueError: it is too large.
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
    """Return whether something is of a kind, not behind a link, this account's, and closed to all others."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return False
    return is_kind(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077
