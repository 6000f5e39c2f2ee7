"""A source: one thing to mine, which yields conversations however often it is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Protocol

from palace.errors import UnreadableSource
from palace.mining.readers.files.containers import Container
from palace.mining.readers.reading import Reading
from palace.records import Conversation


class Source(Protocol):
    """One thing to mine: a file, an export as a whole, or what a program gives."""

    @property
    def file(self) -> str:
        """As the person would name it, for messages ("export.zip/conversations.json")."""

    @property
    def name(self) -> str:
        """What to call it where nothing better is known."""

    @property
    def origin(self) -> str:
        """What the person named, as a name; it becomes the wing of what says nothing of itself."""

    @property
    def key(self) -> str:
        """What tells it from every other source, however it is named."""

    def read(self, reading: Reading, /) -> Iterator[Conversation]:
        """Stream its conversations in the order it has them; reading again gives the same.

        Raises:
            UnreadableSource: while iterating, at the first thing that cannot be read; what came before may be used.
        """


@dataclass(frozen=True, slots=True)
class Beside:
    """What lies beside a file in the export it is of."""

    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many files are not read, by what they are counted as; told with one file of the export."""
    projects: tuple[str, ...] = ()
    """Members that name the export's projects."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One file, on disk or inside an archive, that can be read any number of times."""

    file: str
    """As the person would name it, for messages ("export.zip/conversations.json")."""
    name: str
    """What to call it where nothing better is known: the file's name without its ending."""
    container: Container
    member: str
    origin: str = ""
    """What the person named, as a name: this file, or the folder or archive that it was found in."""

    @property
    def key(self) -> str:
        """What tells it from every other source, however it is named."""
        return self.container.key(self.member)

    beside: Beside = field(default_factory=Beside)
    is_companion: bool = False
    """It came with an export, so it is counted where no reader knows it."""

    def open(self) -> BinaryIO:
        """Open it for reading from its beginning; gzip is unpacked.

        Raises:
            UnreadableSource: it cannot be opened; damage and oversize are raised while reading.
        """
        return self.container.open(self.member)


@dataclass(frozen=True, slots=True)
class BrokenSource:
    """Something that was found but cannot be opened; reading it raises ``problem``."""

    file: str
    name: str
    problem: UnreadableSource
    origin: str = ""

    @property
    def key(self) -> str:
        """What tells it from every other source."""
        return str(self.problem)

    def under(self, origin: str) -> BrokenSource:
        """Give the same, found in what the person named so."""
        return replace(self, origin=origin)

    def read(self, _reading: Reading, /) -> Iterator[Conversation]:
        """Raise what is wrong with it."""
        raise self.problem
