"""Where a file lies, and the small files beside it, for formats that keep part of what they know in paths."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from palace.errors import UnreadableSource
from palace.mining.readers.files.containers import Container, Folder, is_regular

_MOST = 1 << 20


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """A file in a folder or an archive."""

    container: Container
    member: str

    @property
    def path(self) -> PurePosixPath:
        """Its real path; in an archive, that of the archive with its place in it."""
        return PurePosixPath(self.container.key(self.member))

    def beside(self, name: str, up: int = 0) -> str | None:
        """Read a small text file in the folder ``up`` above its own; None where it is missing or cannot be read."""
        try:
            return self._bytes(name, up).decode("utf-8")
        except (UnreadableSource, OSError, KeyError, ValueError, IndexError):
            return None

    def _bytes(self, name: str, up: int) -> bytes:
        if isinstance(self.container, Folder):
            path = Path(self.path).parents[up] / name
            # A pipe would be waited for.
            if not is_regular(path):
                return b""
            with path.open("rb") as stream:
                return stream.read(_MOST)
        beside = PurePosixPath(self.member).parents[up] / name
        with self.container.open(os.fspath(beside)) as stream:
            return stream.read(_MOST)
