"""Where the socket of the worker that answers hooks lies: as ``palace.hooks.serving.place`` has it, without Palace.

Nothing that somebody else could have put there is taken for the worker's.
"""

from __future__ import annotations

import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "hooks.sock"
LONGEST = 100
"""Bytes of its path; every system takes a few more."""
_OTHERS = 0o077


def find_home() -> str:
    """Give the home that the environment names, or this account's own, as ``palace.settings`` does."""
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
    for place in (inside, outside):
        folder = place(home)
        path = f"{folder}/{NAME}"
        if len(os.fsencode(path)) <= LONGEST and _is_own(folder, stat.S_ISDIR) and _is_own(path, stat.S_ISSOCK):
            return path
    return None


def inside(home: str) -> str:
    """Give the folder that it lies in, where its path is short enough and the file system takes sockets."""
    return os.path.join(home, "hooks")


def outside(home: str) -> str:
    """Give the folder that it lies in otherwise."""
    # A third of the time that all else takes, and most homes do without.
    from hashlib import sha256

    account = os.geteuid()
    runtime = f"/run/user/{account}"
    known = sha256(os.fsencode(os.path.realpath(home))).hexdigest()[:12]
    around = runtime if _is_own(runtime, stat.S_ISDIR) else "/tmp"  # noqa: S108 — looked at before it is believed
    return f"{around}/palace-hooks-{account}-{known}"


def _is_own(path: str, is_kind: Callable[[int], bool]) -> bool:
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return False
    return is_kind(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & _OTHERS
