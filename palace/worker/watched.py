"""A watched folder: which files are new or have changed, which rest, and which were mined before.

Only names and metadata are read, no file is opened. The state is stored below the home, closed to others, so that a
restarted worker reads only what has changed. It is only a help: if it is lost, of another palace, or of one that was
restored from a backup since, everything is read again, and known turns are not filed twice.
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
"""Suffix of the file in which SQLite keeps recent changes of a database for a while."""
_INDEX = "-shm"
"""Suffix of the index of that file, which readers write as well."""


class Stamp(NamedTuple):
    """Identifies a file's state without reading it. Every change updates ``changed``, which nobody can set."""

    size: int
    written: int
    """Nanoseconds since 1970, as is ``changed``; this one can be set by programs."""
    changed: int
    number: int
    """The inode: another file may take the name."""

    @classmethod
    def of(cls, status: os.stat_result) -> Self:
        """Return the stamp of a file."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class Look(NamedTuple):
    """The result of a look at a folder."""

    due: dict[str, Stamp]
    """Files to be mined: new or changed, and resting."""
    growing: int
    """How many files have changed and do not rest yet."""
    closed: tuple[str, ...] = ()
    """Subfolders that cannot be read."""


@dataclass(slots=True)
class WatchedFolder:
    """A watched folder, or file, with the stamps of the files that were mined."""

    path: str
    rest: float
    """Seconds for which a file must be unchanged."""
    known: dict[str, Stamp] = field(default_factory=dict)
    """Stamps of the mined files, by path."""
    run: tuple[int, str] | None = None
    """Id and start of the last run that mined some of it: a palace without that run was restored from a backup."""
    kept_in: Path | None = None
    """The file that stores this state."""
    is_missing: bool = False
    was_there: bool = False
    _met: dict[str, tuple[Stamp, float]] = field(default_factory=dict)
    """Files that have changed, with their stamp and since when it is the same."""

    def look(self) -> Look:
        """Return which files have changed, and which of them rest.

        Raises:
            OSError: the folder is missing or cannot be read.
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
        """Decide by the file's time of change, or, as clocks may differ, by how long it has been seen unchanged."""
        return abs(moment - stamp.changed / 1e9) >= self.rest or now - self._met[path][1] >= self.rest

    def load(self, home: Path, *told: str, mark_of: Callable[[int], str]) -> None:
        """Load the state if the palace knows its run; the file's name is a hash of ``told``."""
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
        """Replace the stored state, or leave it as it was on errors: then more is read again than needed."""
        if self.run is None or self.kept_in is None:
            return
        written = json.dumps({"run": self.run[0], "mark": self.run[1], "files": self.known})
        with suppress(OSError, BadRequest):
            make_private(self.kept_in.parent.parent, FOLDER)
            with written_whole(self.kept_in, force=True) as partial:
                partial.write_text(written, encoding="utf-8")


def _list_files(path: str) -> tuple[dict[str, Stamp], list[str]]:
    """List the files below a folder, or the one file that a path names, and the unreadable subfolders.

    Hidden files are skipped, as in mining. So are links, which would lead out of the folder, and files that are deleted
    meanwhile.
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
