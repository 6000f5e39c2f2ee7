"""One watched folder: which of its files are new or have changed, and rest."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from palace.worker.watch.files import Stamp, list_files


class Look(NamedTuple):
    """What a look at a folder found."""

    due: dict[str, Stamp]
    """Files to be mined: new or changed, and resting."""
    growing: int
    """How many files have changed and do not rest yet."""
    closed: tuple[str, ...] = ()
    """Folders in it that cannot be looked into."""


@dataclass(slots=True)
class WatchedFolder:
    """A folder, or a file, whose files are known by their stamps."""

    path: str
    rest: float
    """So many seconds a file must not have been written."""
    known: dict[str, Stamp] = field(default_factory=dict)
    _met: dict[str, tuple[Stamp, float]] = field(default_factory=dict)
    """Files that have changed, and since when they are as they are."""

    def look(self) -> Look:
        """Look at what there is.

        Raises:
            OSError: it is not there, or cannot be looked into.
        """
        found = list_files(self.path)
        now, moment = time.monotonic(), time.time()
        changed = {path: stamp for path, stamp in found.files.items() if self.known.get(path) != stamp}
        self._met = {path: self._met_at(path, stamp, now) for path, stamp in changed.items()}
        due = {path: stamp for path, stamp in changed.items() if self._rests(path, stamp, now, moment)}
        if len(self.known) > len(found.files):
            self.known = {path: stamp for path, stamp in self.known.items() if path in found.files}
        return Look(due, len(changed) - len(due), found.closed)

    def note(self, mined: Mapping[str, Stamp]) -> None:
        """Know files as they were when they were looked at; what was written since is another stamp."""
        self.known.update(mined)

    def _met_at(self, path: str, stamp: Stamp, now: float) -> tuple[Stamp, float]:
        met = self._met.get(path)
        return met if met is not None and met[0] == stamp else (stamp, now)

    def _rests(self, path: str, stamp: Stamp, now: float, moment: float) -> bool:
        """Tell by the file's clock, or, where that may be wrong, by how long it has been seen as it is."""
        return abs(moment - stamp.changed / 1e9) >= self.rest or now - self._met[path][1] >= self.rest
