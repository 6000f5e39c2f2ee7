"""Whose environment settings are read from: that of this process, or of another that asks it for something."""

from __future__ import annotations

import getpass
import os
import pwd
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

LOGINS = ("LOGNAME", "USER", "LNAME", "USERNAME")
"""What says who is logged in (``getpass.getuser``)."""

_ASKER: ContextVar[Mapping[str, str] | None] = ContextVar("palace_asker", default=None)


def environment() -> Mapping[str, str]:
    """Give the variables that settings are read from."""
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
    """Give the name of who is logged in.

    Raises:
        KeyError: this account has none. OSError: the same, from Python 3.13 on.
    """
    asker = _ASKER.get()
    if asker is None:
        return getpass.getuser()
    told = next((asker[name] for name in LOGINS if asker.get(name)), None)
    return told or pwd.getpwuid(os.getuid()).pw_name
