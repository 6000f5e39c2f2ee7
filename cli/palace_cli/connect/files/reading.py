"""Reading a configuration: through links, and nothing that is none."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from palace.errors import BadRequest

LARGEST = 32 << 20
"""Bytes; a client that keeps its history in its configuration has a few millions."""
UNCHANGED = "nothing was changed"


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file as it was found."""

    path: Path
    """As the client knows it."""
    target: Path
    """What it is in the end, behind links."""
    data: bytes | None
    """None where there is none."""

    @property
    def text(self) -> str:
        """What stands in it; nothing in what is not there.

        Raises:
            BadRequest: it is no text.
        """
        try:
            return (self.data or b"").decode("utf-8")
        except UnicodeDecodeError as problem:
            raise BadRequest(f"{self.path} is no UTF-8 text: {UNCHANGED}") from problem


def read(path: Path, *, within: Path | None = None) -> ConfigFile:
    """Read a configuration; links are followed, but not out of the folder ``within`` which it has to be.

    Raises:
        BadRequest: it cannot be read, or is not a file of this person's that could be written.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.is_symlink():
            raise BadRequest(f"{path} is a link that leads in a circle: {UNCHANGED}")
        if within is not None and not target.is_relative_to(os.path.realpath(within)):
            raise BadRequest(f"{path} leads out of the project, to {target}: {UNCHANGED}")
        return ConfigFile(path, target, _bytes(path, target))
    except OSError as problem:
        raise BadRequest(f"{path} cannot be read: {problem.strerror}; {UNCHANGED}") from problem


def _bytes(path: Path, target: Path) -> bytes | None:
    try:
        # A pipe with nobody at its other end would be waited for.
        descriptor = os.open(target, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise BadRequest(f"{path} is not a file: {UNCHANGED}")
        if status.st_size > LARGEST:
            raise BadRequest(f"{path} has {status.st_size:,} bytes, too many for a configuration: {UNCHANGED}")
        if status.st_nlink > 1:
            raise BadRequest(f"{path} has other names, hard links, which a new file would cut off: {UNCHANGED}")
        return file.read(LARGEST + 1)
