"""Trust in the files of a palace's home: no other account may be able to change them.

As ssh does with its own files: a folder or file belongs to whoever runs Palace or to root, and no other account can
write to it. A private group of the user is fine, and so is a umask of 002. Folders above the home are not checked: who
replaces the home by another folder owns that one, and it is refused for that.
"""

from __future__ import annotations

import errno
import getpass
import grp
import os
import pwd
import stat
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from palace.errors import BadRequest

LARGEST_CONFIGURATION = 1 << 20
"""The most bytes of a ``config.toml``: a hundred times what all settings take."""


def require_own_folder(home: Path) -> None:
    """Check that no other account can write to a home; one that does not exist yet is fine.

    Raises:
        BadRequest: one can, or it is no folder; the message says how to repair it.
    """
    try:
        found = home.stat()
    except FileNotFoundError:
        return
    except OSError as problem:
        raise BadRequest(f"{home} cannot be the palace's home (PALACE_HOME): {_reason(problem)}") from problem
    if not stat.S_ISDIR(found.st_mode):
        raise BadRequest(f"{home} is not a folder: PALACE_HOME names one")
    if found.st_mode & stat.S_ISVTX and found.st_mode & stat.S_IWOTH:
        raise BadRequest(f"{home} is a folder that everybody writes to: set PALACE_HOME to one of your own in it")
    _require_own(home, found, "set PALACE_HOME to a folder of your own")


def read_configuration(file: Path) -> dict[str, Any]:
    """Read the settings in a ``config.toml``; returns {} where there is no such file.

    Raises:
        BadRequest: it is not TOML, not a file, too large, or writable for others; the message names it.
    """
    try:
        # Do not block on a pipe of that name.
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as problem:
        raise BadRequest(f"{file} cannot be read: {_reason(problem)}") from problem
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise BadRequest(f"{file} is not a file: move it away, or write your settings there")
        _require_own(file, found, "make it yours, or move it away")
        with open(descriptor, "rb", closefd=False) as opened:
            content = opened.read(LARGEST_CONFIGURATION + 1)
    finally:
        os.close(descriptor)
    if len(content) > LARGEST_CONFIGURATION:
        raise BadRequest(f"{file} is too large for settings: more than {LARGEST_CONFIGURATION >> 20} MB")
    try:
        return tomllib.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as problem:
        raise BadRequest(f"{file} is not TOML: {_place(problem)}") from problem


def _require_own(path: Path, found: os.stat_result, remedy: str) -> None:
    if found.st_uid not in {os.geteuid(), 0}:
        raise BadRequest(f"{path} belongs to another account (uid {found.st_uid}): {remedy}")
    if found.st_mode & stat.S_IWOTH:
        raise BadRequest(f"{path} can be written to by everybody: run chmod go-w {path}")
    if found.st_mode & stat.S_IWGRP and not _is_own_group(found.st_gid):
        raise BadRequest(f"{path} can be written to by its group: run chmod g-w {path}")


def _is_own_group(group_id: int) -> bool:
    """Check whether a group has no members but this account and root."""
    try:
        own = pwd.getpwuid(os.geteuid()).pw_name
        members = set(grp.getgrgid(group_id).gr_mem)
        name = grp.getgrgid(group_id).gr_name
    except KeyError:
        # A container's account without a name: its own group counts as private.
        return group_id == os.getegid()
    strangers = {entry.pw_name for entry in pwd.getpwall() if entry.pw_gid == group_id} - {own, "root"}
    return (name in {own, "root"} or group_id == os.getegid()) and not members - {own, "root"} and not strangers


def _place(problem: Exception) -> str:
    if isinstance(problem, UnicodeDecodeError):
        return f"byte {problem.start + 1} is not UTF-8"
    return "it is nested too deeply" if isinstance(problem, RecursionError) else str(problem)


def _reason(problem: OSError) -> str:
    return "it leads in a circle" if problem.errno == errno.ELOOP else str(problem.strerror)


LOGINS = ("LOGNAME", "USER", "LNAME", "USERNAME")
"""The variables with the login name, in the order of ``getpass.getuser``."""

_ASKER: ContextVar[Mapping[str, str] | None] = ContextVar("palace_asker", default=None)


def environment() -> Mapping[str, str]:
    """Return the environment variables that settings are read from."""
    asker = _ASKER.get()
    return os.environ if asker is None else asker


@contextmanager
def environment_of(asker: Mapping[str, str]) -> Iterator[None]:
    """Read settings in the block as a process of this account with that environment would."""
    token = _ASKER.set(dict(asker))
    try:
        yield
    finally:
        _ASKER.reset(token)


def login_name() -> str:
    """Return the login name.

    Raises:
        KeyError: this account has none. OSError: the same, from Python 3.13 on.
    """
    asker = _ASKER.get()
    if asker is None:
        return getpass.getuser()
    told = next((asker[name] for name in LOGINS if asker.get(name)), None)
    return told or pwd.getpwuid(os.getuid()).pw_name


RUNTIME_ROLE = "palace_app"
WORKER_ROLE = "palace_worker"
"""The role that sees the queue of background jobs, and nothing else of a palace."""
