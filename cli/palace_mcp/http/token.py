"""The bearer token of clients, needed because every account of this machine can reach its loopback ports.

It is kept in a private file of the home folder, and stays the same, because the clients' configurations contain it.
"""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from palace.config.folders import locked_folder, make_home, written_whole
from palace.errors import BadRequest, PalaceError

FILE = "mcp.token"
VARIABLE = "PALACE_MCP_TOKEN"
BYTES = 32
SHORTEST, LONGEST = 16, 512
"""Characters of a token that a person chose."""


def token_of(home: Path, chosen: str | None, name: str = FILE) -> str:
    """Return the token that a person chose, else the one stored in a file of that name, created on first use.

    Raises:
        BadRequest: the chosen one is malformed, or the file belongs to another user or is readable by others.
        PalaceError: the file cannot be read or written.
    """
    if chosen is not None:
        return _checked(chosen, VARIABLE)
    file = home / name
    try:
        make_home(home)
        # Two servers may start at once.
        with locked_folder(home):
            if not os.path.lexists(file):
                with written_whole(file, force=False) as partial:
                    partial.write_text(f"{secrets.token_urlsafe(BYTES)}\n", encoding="ascii")
        return _checked(_read(file), str(file))
    except OSError as problem:
        raise PalaceError(f"{file} cannot be used: {problem.strerror}; --no-token does without") from problem


def _read(file: Path) -> str:
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            raise BadRequest(f"{file} is not a file of yours: move it away, and another is made")
        if found.st_mode & 0o077:
            raise BadRequest(f"{file} can be read by others: run chmod 600 {file}, or remove it and another is made")
        return os.read(descriptor, LONGEST + 2).decode("ascii", "replace").strip()
    finally:
        os.close(descriptor)


def _checked(token: str, whence: str) -> str:
    if not SHORTEST <= len(token) <= LONGEST or not token.isascii() or not token.isprintable() or " " in token:
        wanted = f"{SHORTEST} to {LONGEST} characters of ASCII without a space"
        raise BadRequest(f"{whence} holds no token: one has {wanted}")
    return token
