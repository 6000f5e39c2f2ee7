"""Sources: things to mine, which can be read any number of times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from palace.errors import UnreadableSource
from palace.mining.files.containers import Container
from palace.mining.files.reading import Reading
from palace.models import Conversation


class Source:
    """One thing to mine: a file, an export as a whole, or messages of a program."""

    __slots__ = ()

    file: str
    """Name for messages, as the user would write it ("export.zip/conversations.json")."""
    name: str
    """Name if nothing better is known: a file's name without its ending."""
    origin: str
    """What the user named; it becomes the wing of conversations without a project."""

    @property
    def key(self) -> str:
        """Unique id of the source, however it is named."""
        raise NotImplementedError

    def read(self, reading: Reading, /) -> Iterator[Conversation]:
        """Stream its conversations in order; reading again yields the same.

        Raises:
            UnreadableSource: while iterating, at the first thing that cannot be read; what came before may be used.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class FoundSource(Source):
    """A source found at a path; subclasses read it."""

    file: str
    name: str
    origin: str = field(default="", kw_only=True)

    def under(self, origin: str) -> Self:
        """Return the source with ``origin``, the name that the user gave."""
        return replace(self, origin=origin)


@dataclass(frozen=True, slots=True)
class FoundFolder(FoundSource):
    """A folder of a container, or some of its files, read as a whole because the files refer to each other."""

    container: Container
    root: str
    """Path in the container: empty, or a folder with a trailing slash."""

    @property
    def key(self) -> str:
        return self.container.key(self.root)


@dataclass(frozen=True, slots=True)
class Beside:
    """What lies beside a file in its export."""

    left_out: Mapping[str, int] = field(default_factory=dict)
    """Numbers of ignored files by category; reported with one file of the export."""
    projects: tuple[str, ...] = ()
    """Files with the names of the export's projects."""


@dataclass(frozen=True, slots=True)
class StoredFile(FoundSource):
    """One file, on disk or in an archive."""

    container: Container
    member: str
    beside: Beside = field(default_factory=Beside)
    is_companion: bool = False
    """Whether it belongs to an export, so that an unknown format is counted, not an error."""

    @property
    def key(self) -> str:
        return self.container.key(self.member)


@dataclass(frozen=True, slots=True)
class BrokenSource(FoundSource):
    """Something that was found but cannot be opened; reading it raises ``problem``."""

    problem: UnreadableSource

    @property
    def key(self) -> str:
        return str(self.problem)

    def read(self, _reading: Reading, /) -> Iterator[Conversation]:
        raise self.problem
