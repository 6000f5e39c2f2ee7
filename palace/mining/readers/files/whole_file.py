"""A file as a plain text: as an earlier version, which had no reader for it, filed it."""

from __future__ import annotations

from dataclasses import dataclass

from palace.errors import UnreadableSource
from palace.intake.limits import LARGEST_MESSAGE
from palace.mining.readers.files.containers import Container

_BEGINNING = 1 << 16


@dataclass(frozen=True)
class WholeFile:
    """A file of a folder or an archive, looked into when it is asked for."""

    container: Container
    member: str
    encoding: str | None = None

    def beginning(self) -> str:
        """Give its first lines."""
        return self._decoded(self._bytes(_BEGINNING), "replace")

    def text(self) -> str:
        """Give all of it; nothing where no version could have filed it as a text."""
        data = self._bytes(LARGEST_MESSAGE + 1)
        return self._decoded(data, "strict") if len(data) <= LARGEST_MESSAGE else ""

    def _bytes(self, most: int) -> bytes:
        try:
            with self.container.open(self.member) as stream:
                return stream.read(most)
        except UnreadableSource:
            return b""

    def _decoded(self, data: bytes, errors: str) -> str:
        try:
            return data.decode(self.encoding or "utf-8", errors).removeprefix("\ufeff")
        except (UnicodeError, LookupError):
            return ""


@dataclass(frozen=True)
class WholeText:
    """A file that was read as a whole anyway."""

    whole: str

    def beginning(self) -> str:
        """Give its first lines."""
        return self.whole[:_BEGINNING]

    def text(self) -> str:
        """Give all of it."""
        return self.whole
