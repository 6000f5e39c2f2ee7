"""A source: one thing to mine, which yields conversations however often it is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from palace.errors import UnreadableSource
from palace.mining.files.containers import Container
from palace.mining.files.reading import Reading
from palace.models import Conversation


class Source:
    """One thing to mine: a file, an export as a whole, or what a program gives."""

    __slots__ = ()

    file: str
    """As the person would name it, for messages ("export.zip/conversations.json")."""
    name: str
    """What to call it where nothing better is known: a file's name without its ending."""
    origin: str
    """What the person named, as a name; it becomes the wing of what says nothing of itself."""

    @property
    def key(self) -> str:
        """What tells it from every other source, however it is named."""
        raise NotImplementedError

    def read(self, reading: Reading, /) -> Iterator[Conversation]:
        """Stream its conversations in the order it has them; reading again gives the same.

        Raises:
            UnreadableSource: while iterating, at the first thing that cannot be read; what came before may be used.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Found(Source):
    """A source that was found at a path; what it is of is read by those that extend this."""

    file: str
    name: str
    origin: str = field(default="", kw_only=True)

    def under(self, origin: str) -> Self:
        """Return the same, found in what the person named so."""
        return replace(self, origin=origin)


@dataclass(frozen=True, slots=True)
class FoundWhole(Found):
    """A folder of a container, or some files of it, that are read as a whole: they say things of each other."""

    container: Container
    root: str
    """Where in the container it begins: empty, or a folder with its slash."""

    @property
    def key(self) -> str:
        return self.container.key(self.root)


@dataclass(frozen=True, slots=True)
class Beside:
    """What lies beside a file in the export it is of."""

    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many files are not read, by what they are counted as; reported with one file of the export."""
    projects: tuple[str, ...] = ()
    """Members that name the export's projects."""


@dataclass(frozen=True, slots=True)
class StoredFile(Found):
    """One file, on disk or inside an archive, that can be read any number of times."""

    container: Container
    member: str
    beside: Beside = field(default_factory=Beside)
    is_companion: bool = False
    """It came with an export, so it is counted where no reader knows it."""

    @property
    def key(self) -> str:
        return self.container.key(self.member)


@dataclass(frozen=True, slots=True)
class BrokenSource(Found):
    """Something that was found but cannot be opened; reading it raises ``problem``."""

    problem: UnreadableSource

    @property
    def key(self) -> str:
        return str(self.problem)

    def read(self, _reading: Reading, /) -> Iterator[Conversation]:
        raise self.problem
