"""Looking whether a worker answers hooks, as `palace doctor` does: it counts as no hook."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import palace
from palace.hooks.request import PROTOCOL
from palace.hooks.serving.frames import Unfit, is_own_peer, receive, send
from palace.hooks.serving.place import find_socket

LOOK_SECONDS = 1.0
LARGEST = 1 << 16


@dataclass(frozen=True, slots=True)
class Look:
    """What there is at a home's socket."""

    path: Path
    problem: str = ""
    """Why nobody there can be asked, in words; empty where somebody answers."""
    milliseconds: float = 0.0
    """How long the answer took."""
    answered: int = 0
    """Hooks that were answered since the worker began."""


def look(home: Path) -> Look | None:
    """Ask who answers the hooks of a home; None where there is no socket."""
    path = find_socket(home)
    if path is None:
        return None
    began = monotonic()
    try:
        told = _asked(path, began + LOOK_SECONDS)
    except ConnectionRefusedError:
        return Look(path, "its worker is gone")
    except (OSError, Unfit):
        return Look(path, f"nobody answers within {LOOK_SECONDS:g} s")
    if told.get("version") != palace.__version__:
        return Look(path, f"its worker is of another version of Palace ({_word(told.get('version'))})")
    answered = told.get("answered")
    return Look(path, "", (monotonic() - began) * 1000, answered if isinstance(answered, int) else 0)


def _asked(path: Path, deadline: float) -> dict[str, Any]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(LOOK_SECONDS)
        line.connect(str(path))
        if not is_own_peer(line):
            raise Unfit("somebody_else")
        send(line, {"v": PROTOCOL, "ping": True}, deadline)
        return receive(line, deadline, largest=LARGEST)


def _word(told: object) -> str:
    return told[:20] if isinstance(told, str) and told.isprintable() else "unknown"
