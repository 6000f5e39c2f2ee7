"""Finding the socket of the worker that answers hooks, and asking it: one frame there, one back.

A frame is 4 bytes of length and JSON. Before it answers, a worker says by an empty frame that it is at work: one that
does not is not waited for. The socket lies where ``palace.hooks.claim`` has it, and nothing that somebody else could
have put there is taken for the worker's.
"""

from __future__ import annotations

import _socket  # what `socket` is made of, which takes 6 ms to import: a tenth of the time there is
import os
import stat
import sys
from time import monotonic

from palace_hook import PROTOCOL
from palace_hook.written import read, write

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
    if path is None:
        return None
    deadline = monotonic() + seconds
    try:
        # What no text can hold is no text of a request either.
        body = write({**request, "seconds": seconds}).encode()
        line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            return _exchange(line, path, body, (min(deadline, monotonic() + patience), deadline))
        finally:
            line.close()
    except (OSError, ValueError, RecursionError):
        return None


def find_home() -> str:
    """Return the home that the environment names, or this account's own, as ``palace.settings`` does."""
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
    for folder_of in (_inside, outside):
        folder = folder_of(home)
        path = f"{folder}/{NAME}"
        if len(os.fsencode(path)) <= LONGEST and _is_own(folder, stat.S_ISDIR) and _is_own(path, stat.S_ISSOCK):
            return path
    return None


def _inside(home: str) -> str:
    """Return the folder that it lies in, where its path is short enough and the file system takes sockets."""
    return os.path.join(home, "hooks")


def outside(home: str) -> str:
    """Return the folder that it lies in otherwise."""
    # A third of the time that all else takes, and most homes do without.
    from hashlib import sha256

    account = os.geteuid()
    runtime = f"/run/user/{account}"
    known = sha256(os.fsencode(os.path.realpath(home))).hexdigest()[:12]
    around = runtime if _is_own(runtime, stat.S_ISDIR) else "/tmp"  # noqa: S108 — looked at before it is believed
    return f"{around}/palace-hooks-{account}-{known}"


def _exchange(line: _socket.socket, path: str, body: bytes, deadlines: tuple[float, float]) -> str | None:
    begun, answered = deadlines
    line.settimeout(min(CONNECT_SECONDS, _until(begun)))
    line.connect(path)
    # Asked of the system before a word is said: what lies at a path may be anybody's.
    if peer_of(line) != os.geteuid():
        return None
    _send(line, len(body).to_bytes(LENGTH, "big") + body, begun)
    return _text_in(_receive(line, begun) or _receive(line, answered))


def peer_of(line: _socket.socket) -> int | None:
    """Return which account is at the other end, as the system knows it; None where it does not say."""
    if not hasattr(_socket, "SO_PEERCRED"):
        return None
    told = line.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)  # pid, uid, gid: 4 bytes each
    return int.from_bytes(told[4:8], sys.byteorder)


def _send(line: _socket.socket, data: bytes, deadline: float) -> None:
    left = memoryview(data)
    while left:
        line.settimeout(_until(deadline))
        left = left[line.send(left[:_AT_ONCE]) :]


def _receive(line: _socket.socket, deadline: float) -> bytes:
    """Read one frame whole.

    Raises:
        OSError: it does not come, or breaks off. ValueError: it is larger than any answer.
    """
    size = int.from_bytes(_exactly(line, LENGTH, deadline), "big")
    if size > LARGEST:
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


def _text_in(body: bytes) -> str | None:
    """Read an answer; one without a text says that the worker would rather not."""
    told = read(body)
    out = told.get("out") if isinstance(told, dict) and told.get("v") == PROTOCOL else None
    return out if isinstance(out, str) else None


def _is_own(path: str, is_kind: Callable[[int], bool]) -> bool:
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return False
    return is_kind(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077
