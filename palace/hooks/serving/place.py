"""Where the socket of a home lies. ``palace_hook.place`` says the same in a program that may import nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

NAME, NEW, LOCK = "hooks.sock", "hooks.new", "hooks.lock"
LONGEST = 100
"""Bytes of the socket's path; every system takes a few more."""
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def folders(home: Path) -> tuple[Path, ...]:
    """Give the folders that the socket may lie in, the first first: in the home, if its path is short, or outside."""
    return tuple(folder for folder in (inside(home), outside(home)) if len(os.fsencode(folder / NAME)) <= LONGEST)


def inside(home: Path) -> Path:
    """Give the folder in the home."""
    return home / "hooks"


def outside(home: Path) -> Path:
    """Give the folder for homes with long paths, or on file systems that take no sockets or locks."""
    account = os.geteuid()
    runtime = Path(f"/run/user/{account}")
    known = sha256(os.fsencode(os.path.realpath(home))).hexdigest()[:12]
    around = runtime if is_own(runtime, stat.S_ISDIR) else Path("/tmp")  # noqa: S108 - looked at before it is used
    return around / f"palace-hooks-{account}-{known}"


def find_socket(home: Path) -> Path | None:
    """Find the socket of a home; None where there is none that is certainly this account's own."""
    for folder in folders(home):
        if is_own(folder, stat.S_ISDIR) and is_own(folder / NAME, stat.S_ISSOCK):
            return folder / NAME
    return None


def is_own(path: Path, is_kind: Callable[[int], bool]) -> bool:
    """Tell whether something is of a kind, not behind a link, this account's, and closed to all others."""
    try:
        found = path.lstat()
    except (OSError, ValueError):
        return False
    return is_kind(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & _OTHERS
