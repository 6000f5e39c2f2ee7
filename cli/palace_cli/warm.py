"""Has a worker do what a command is to do, where one is at work: it has everything loaded."""

from __future__ import annotations

import pickle
from base64 import b64decode
from datetime import datetime
from typing import Any

from palace_cli.clock import set_zone_named
from palace_hook import PROTOCOL, VERSION
from palace_hook.asking import ask, find_home
from palace_hook.client import environment_of

SECONDS = 60.0
"""What a worker may take; a note that it files meanwhile is not filed again, as its moment is said."""
PATIENCE = 1.0


def ask_worker(command: str, user: str | None, **arguments: Any) -> Any:
    """Give what a worker comes to; None where none is at work, or something is wrong, which is said here."""
    home = find_home()
    told = {name: each.isoformat() if isinstance(each, datetime) else each for name, each in arguments.items()}
    request = {"v": PROTOCOL, "version": VERSION, "environment": environment_of(home), "user": user, "event": ""}
    out = ask({**request, "command": command, "arguments": told}, home, SECONDS, patience=PATIENCE)
    if not out:
        return None
    # It comes from a process of this account, as the system says of who is at the other end.
    zone, done = pickle.loads(b64decode(out))  # noqa: S301
    set_zone_named(zone)
    return done
