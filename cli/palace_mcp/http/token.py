"""The token that a client shows: any account of this machine reaches a port of its loopback address.

It lies in a file of the home that nobody else reads, and stays the same, as it stands in the configuration of clients.
"""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from palace.config.folders import make_home
from palace.errors import BadRequest, PalaceError

FILE = "mcp.token"
VARIABLE = "PALACE_MCP_TOKEN"
BYTES = 32
SHORTEST, LONGEST = 16, 512
"""Characters of a token that a person chose."""


def token_of(home: Path, chosen: str | None) -> str:
    """Give the token that a person chose, else the home's, made at first sight.

    Raises:
        BadRequest: the one that was chosen is too short, or the file is somebody else's or can be read by others.
        PalaceError: the file cannot be read or written.
    """
    if chosen is not None:
        return _checked(chosen, VARIABLE)
    file = home / FILE
    try:
        make_home(home)
        _make(file)
        return _checked(_read(file), str(file))
    except OSError as problem:
        raise PalaceError(f"{file} cannot be used: {problem.strerror}; --no-token does without") from problem


def _make(file: Path) -> None:
    """Write a new one, unless there is one: whole or not at all, as two servers may begin at once."""
    if os.path.lexists(file):
        return
    partial = file.with_name(f"{FILE}.{os.getpid()}")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as opened:
            opened.write(f"{secrets.token_urlsafe(BYTES)}\n")
        # The one that came first stays.
        os.link(partial, file, follow_symlinks=False)
    except FileExistsError:
        pass
    finally:
        partial.unlink(missing_ok=True)


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
