"""Looks at the watched folders at intervals, and mines resting files as mining the folder would."""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath
from threading import Event

from palace.cancellation import Cancellation, ended_by
from palace.db.changes.runs import find_runs
from palace.db.users import get_palace_key
from palace.errors import BadRequest, Cancelled, PalaceError, UnreadableSource
from palace.mining.discovery import Gathered, gather
from palace.mining.files.containers import printable
from palace.mining.files.source import BrokenSource, Source
from palace.mining.pipeline import MineOptions
from palace.models import intake
from palace.opened import OpenPalace, SharedResources
from palace.operations.mine import mine_gathered
from palace.operations.tree import wing_to_file_in
from palace.worker.tasks import TOLD
from palace.worker.watched import WRITTEN_AHEAD, Look, Stamp, WatchedFolder
from palace_hook import VERSION

AT_ONCE = 100
"""The most sources in a run: of a large folder, what is mined stays if the rest is interrupted."""
MOST_ROUNDS_LEFT_OUT = 30
"""The most looks that are skipped after repeated failures."""
ENOUGH_FAILURES = 3
"""Failures after which a worker that ends with the queue does not wait for the files any longer."""

logger = logging.getLogger("palace.worker")


@dataclass(frozen=True, slots=True)
class Watched:
    """The watched folders, and the options for mining them."""

    folders: tuple[str, ...]
    options: MineOptions
    user: str | None = None
    """The user whose palace it is filed in; by default that of the settings."""
    make_user: bool = True
    """Whether that user is created if missing."""

    @classmethod
    def of(
        cls, folders: Sequence[str | Path], options: MineOptions, *, user: str | None = None, make_user: bool = True
    ) -> Watched:
        """Check the folders' names; they need not exist yet.

        Raises:
            BadRequest: no folder is named, or a name is invalid.
        """
        names = tuple(dict.fromkeys(intake.text("folder", str(folder)) for folder in folders))
        if not names:
            raise BadRequest("name what to watch: a folder, or a file")
        for name in names:
            if name == "-" or not name or "\0" in name:
                raise BadRequest(f"{printable(name)!r} cannot be watched: name a folder, or a file")
        return cls(names, options, user, make_user)


class Watcher:
    """Mines resting files of watched folders into a user's palace."""

    def __init__(self, resources: SharedResources, watched: Watched) -> None:
        self._resources = resources
        self._watched = watched
        rest = resources.settings.watch_rest_seconds
        self._folders = [WatchedFolder(path, rest) for path in watched.folders]
        self._options = watched.options
        self._cancel = Cancellation()
        self._told: set[str] = set()
        self._failures = self._left_out = 0
        self.filed = self.unread = 0
        self.is_idle = False
        """Whether everything is mined, and no file is changing."""

    def begin(self) -> None:
        """Load the stored states of the folders.

        Raises:
            NotFound: the user does not exist, or no wing has the given number.
            PalaceError: the database cannot be reached.
        """
        opened = self._open()
        wing = wing_to_file_in(opened, self._watched.options.wing)
        self._options = replace(self._watched.options, wing=wing)
        key = str(opened.run(get_palace_key))
        for folder in self._folders:
            told = (key, os.path.realpath(folder.path), _written(self._options))
            folder.load(opened.settings.home_folder, *told, mark_of=partial(_mark_of, opened))

    def run(self, stopping: Event, seconds: float) -> None:
        """Look repeatedly, every ``seconds``, until ``stopping`` is set."""
        while not stopping.is_set():
            if self._left_out > 0:
                self._left_out -= 1
            else:
                self.look()
            stopping.wait(seconds)

    def stop(self) -> None:
        """End at the next message; what was not mined completely is mined another time."""
        self._cancel.cancel()

    def look(self) -> None:
        """Mine resting files now. Errors are logged in one line each, without text of messages."""
        try:
            with ended_by(self._cancel):
                growing = [self._look_at(folder) for folder in self._folders]
        except Cancelled:
            return
        except Exception as problem:  # noqa: BLE001 — after any error, it looks again later
            self._fail(problem)
            return
        self._failures, self.is_idle = 0, not any(growing)

    @property
    def missing(self) -> int:
        """Count the folders that were missing or unreadable at the last look."""
        return sum(folder.is_missing for folder in self._folders)

    def _fail(self, problem: Exception) -> None:
        """Log the first of several failures, and try again less and less often."""
        self._failures += 1
        self._left_out = min(2 ** min(self._failures, 10) - 2, MOST_ROUNDS_LEFT_OUT)
        self.is_idle = self._failures >= ENOUGH_FAILURES
        reason = " ".join(str(problem).split()) if isinstance(problem, TOLD) else type(problem).__name__
        if self._failures == 1:
            logger.warning("watching: nothing can be mined now, trying again: %s", reason)

    def _look_at(self, folder: WatchedFolder) -> int:
        """Mine the resting files of one folder; return how many of its files do not rest yet."""
        try:
            found = folder.look()
        except OSError as problem:
            self._miss(folder, problem)
            return 0
        if folder.is_missing:
            logger.warning("%s: is there now, and mined", printable(folder.path))
        folder.is_missing, folder.was_there = False, True
        for closed in found.closed:
            self._tell(f"{printable(closed)}: cannot be looked into")
        if found.due:
            self._mine(folder, found)
        return found.growing

    def _miss(self, folder: WatchedFolder, problem: OSError) -> None:
        """Log once that a folder is missing; its state is kept for when it comes back."""
        if folder.is_missing:
            return
        folder.is_missing = True
        reason = problem.strerror
        if isinstance(problem, FileNotFoundError):
            reason = "is not there any more" if folder.was_there else "does not exist"
        logger.warning("%s: %s; nothing of it is mined until it is there", printable(folder.path), reason)

    def _mine(self, folder: WatchedFolder, found: Look) -> None:
        try:
            gathered = _gather_changed(folder.path, found.due)
        except UnreadableSource:
            # Nothing in it can be mined, or it has just been deleted.
            folder.known |= found.due
            return
        opened = self._open()
        if not opened.effective().auto_mine:
            self._tell("watching: nothing is mined, because auto_mine is off (`palace settings`)")
            return
        for part in _batches(gathered, AT_ONCE):
            self._mine_part(opened, folder, part, found.due)
        folder.known |= found.due
        folder.save()

    def _mine_part(
        self, opened: OpenPalace, folder: WatchedFolder, part: Gathered, due: dict[str, Stamp], *, is_one: bool = False
    ) -> None:
        """File new turns of some sources; workers do the index steps."""
        try:
            summary = mine_gathered(opened, part, replace(self._options, background=True))
        except PalaceError:
            raise
        except Exception as problem:  # noqa: BLE001 — one file that no reader was made for must not stop the others
            if is_one:
                self.unread += 1
                self._tell(f"{part.sources[0].file}: cannot be mined: {type(problem).__name__}")
                return
            for each in _batches(part, 1):
                self._mine_part(opened, folder, each, due, is_one=True)
            return
        self.filed += summary.drawers_new
        failed = sorted({failure.file for failure in summary.failures})
        self.unread += len(failed)
        for file in failed:
            logger.warning("%s: not all of it can be read: `palace mine --dry-run` says what", file)
        # Of an export, only the whole is a source.
        folder.known |= {source.key: due[source.key] for source in part.sources if source.key in due}
        if summary.run_id is not None:
            folder.run = (summary.run_id, _mark_of(opened, summary.run_id))
            folder.save()

    def _open(self) -> OpenPalace:
        settings = self._resources.settings
        user = settings.user if self._watched.user is None else self._watched.user
        # The settings' person is the owner of the settings' user's palace alone.
        person = settings.person if user == settings.user else None
        return OpenPalace.of(self._resources, user=user, make_user=self._watched.make_user, person=person)

    def _tell(self, line: str) -> None:
        """Log a line once: the next look finds the same."""
        if line not in self._told:
            self._told.add(line)
            logger.warning("%s", line)


def _gather_changed(path: str, due: Mapping[str, Stamp]) -> Gathered:
    """Return the sources of a folder that the given files belong to.

    The whole folder decides what they are: which export they belong to, and which wing they go to.
    """
    gathered = gather([path])
    files = {*due, *(file.removesuffix(WRITTEN_AHEAD) for file in due)}
    folders = {folder for file in files for folder in _above(file)}
    changed = tuple(source for source in gathered.sources if _is_of(source, files, folders))
    return replace(gathered, sources=changed, passed_over={})


def _batches(gathered: Gathered, size: int) -> Iterator[Gathered]:
    for start in range(0, len(gathered.sources), size):
        yield replace(gathered, sources=gathered.sources[start : start + size])


def _is_of(source: Source, files: Collection[str], folders: Collection[str]) -> bool:
    """Return whether a source is a changed file, a folder with one, or in an archive that changed."""
    if isinstance(source, BrokenSource):
        return os.path.realpath(source.file) in files
    return source.key in files or source.key in folders or any(above in files for above in _above(source.key))


def _above(path: str) -> Iterator[str]:
    """Return the folders above a file, innermost first."""
    return map(str, PurePath(path).parents)


def _written(options: MineOptions) -> str:
    """Return the options that affect mining as text: with other ones, files are read again."""
    patterns = [pattern.pattern for pattern in options.exclude]
    return repr((VERSION, options.wing, patterns, options.dates, options.encoding, options.keeps_secrets))


def _mark_of(opened: OpenPalace, run_id: int) -> str:
    """Return a run's start, which distinguishes it from one of the same id in a restored palace; "" without the run."""
    return "".join(run.started_at.isoformat() for run in opened.run(lambda session: find_runs(session, [run_id])))
