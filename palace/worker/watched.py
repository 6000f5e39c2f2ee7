"""A watched folder: which of its files are new or have changed, and rest, and what of it was mined before.

Names and numbers alone are looked at, nothing is opened. What was mined is kept below the home, for its owner alone: a
worker that starts again reads only what has changed. It is a help and no record: where it is lost, is of another
palace, or of one that was brought back from a backup since, all is read again, and what is known is not filed twice.
"""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Self

from palace.config.folders import make_private, written_whole
from palace.errors import BadRequest

FOLDER = "watched"
WRITTEN_AHEAD = "-wal"
"""What SQLite puts behind a database's name to call the file in which it keeps what is new for a while."""
_INDEX = "-shm"
"""The index of that, which readers write as well."""


class Stamp(NamedTuple):
    """What a file is known by without being read. Whatever changes it changes ``changed``, which nobody can set."""

    size: int
    written: int
    """Nanoseconds since 1970, as is ``changed``; this one can be set back."""
    changed: int
    number: int
    """The inode: another file may take the name."""

    @classmethod
    def of(cls, status: os.stat_result) -> Self:
        """Return the stamp of a file."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


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
    """What of it was mined."""
    run: tuple[int, str] | None = None
    """The last run that mined some of it, and when that began: a palace that has not heard of it was put back."""
    kept_in: Path | None = None
    """The file that keeps what was mined."""
    is_missing: bool = False
    was_there: bool = False
    _met: dict[str, tuple[Stamp, float]] = field(default_factory=dict)
    """Files that have changed, and since when they are as they are."""

    def look(self) -> Look:
        """Look at what there is.

        Raises:
            OSError: it is not there, or cannot be looked into.
        """
        files, closed = _list_files(self.path)
        now, moment = time.monotonic(), time.time()
        changed = {path: stamp for path, stamp in files.items() if self.known.get(path) != stamp}
        met = {path: self._met.get(path, (stamp, now)) for path, stamp in changed.items()}
        self._met = {path: met[path] if met[path][0] == stamp else (stamp, now) for path, stamp in changed.items()}
        due = {path: stamp for path, stamp in changed.items() if self._rests(path, stamp, now, moment)}
        if len(self.known) > len(files):
            self.known = {path: stamp for path, stamp in self.known.items() if path in files}
        return Look(due, len(changed) - len(due), tuple(sorted(closed)))

    def _rests(self, path: str, stamp: Stamp, now: float, moment: float) -> bool:
        """Decide by the file's clock, or, where that may be wrong, by how long it has been seen as it is."""
        return abs(moment - stamp.changed / 1e9) >= self.rest or now - self._met[path][1] >= self.rest

    def load(self, home: Path, *told: str, mark_of: Callable[[int], str]) -> None:
        """Read what was mined, where the palace knows of the run; the file is named after all that tells it apart."""
        name = sha256("\n".join(told).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        self.kept_in = home / FOLDER / f"{name}.json"
        try:
            fields = json.loads(self.kept_in.read_text(encoding="utf-8"))
            files = {str(path): Stamp(*map(int, stamp)) for path, stamp in fields["files"].items()}
            run = int(fields["run"]), str(fields["mark"])
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return
        if run[1] and run[1] == mark_of(run[0]):
            self.known |= files
            self.run = run

    def save(self) -> None:
        """Write it whole, or leave it as it was: then more is read again than need be."""
        if self.run is None or self.kept_in is None:
            return
        written = json.dumps({"run": self.run[0], "mark": self.run[1], "files": self.known})
        with suppress(OSError, BadRequest):
            make_private(self.kept_in.parent.parent, FOLDER)
            with written_whole(self.kept_in, force=True) as partial:
                partial.write_text(written, encoding="utf-8")


def _list_files(path: str) -> tuple[dict[str, Stamp], list[str]]:
    """List the files below a folder, or the one file that a path names, and the folders that are closed.

    What is hidden is passed over, as mining does. So are links: they would lead out of what was named. What goes while
    it is looked at is not there.

    Raises:
        OSError: there is nothing, or it cannot be looked into.
    """
    root = os.path.realpath(path, strict=True)
    status = Path(root).stat()
    if not stat.S_ISDIR(status.st_mode):
        return (_with_written_ahead(root, status) if stat.S_ISREG(status.st_mode) else {}), []
    files: dict[str, Stamp] = {}
    closed: list[str] = []
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            _look_into(folder, files, waiting)
        except OSError as problem:
            if folder == root:
                raise
            if not isinstance(problem, FileNotFoundError | NotADirectoryError):
                closed.append(folder)
    return files, closed


def _with_written_ahead(path: str, status: os.stat_result) -> dict[str, Stamp]:
    files = {path: Stamp.of(status)}
    with suppress(OSError):
        files[path + WRITTEN_AHEAD] = Stamp.of(Path(path + WRITTEN_AHEAD).stat())
    return files


def _look_into(folder: str, files: dict[str, Stamp], waiting: list[str]) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") or entry.name.endswith(_INDEX):
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            if stat.S_ISDIR(status.st_mode):
                waiting.append(entry.path)
            elif stat.S_ISREG(status.st_mode):
                files[entry.path] = Stamp.of(status)
