"""A source: one thing to mine, found but not yet read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

from palace.errors import UnreadableSource
from palace.mining.readers.containers import Container


@dataclass(frozen=True, slots=True)
class Beside:
    """What lies beside a file in the export it is of."""

    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many files are not read, by what they are counted as; told with one file of the export."""
    projects: tuple[str, ...] = ()
    """Members that name the export's projects."""


@dataclass(frozen=True, slots=True)
class FileSource:
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
class SlackSource:
    """A Slack export, folder or archive, as a whole: its channels and users stand in different files."""

    file: str
    name: str
    """The export's file or folder name, usually the workspace's."""
    container: Container
    root: str
    """Where in the container it begins: empty, or a folder with its slash."""
    origin: str = ""

    @property
    def key(self) -> str:
        """What tells it from every other source, however it is named."""
        return self.container.key(self.root)


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


Source = FileSource | SlackSource | BrokenSource
