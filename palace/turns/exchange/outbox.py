"""The outbox: exchanges that could not be filed, in order, in a file of the user's below the palace's home.

A line of JSON an exchange, on the disk before the caller goes on. What is filed is blotted out behind it, which a full
disk allows as well; killed in between, it is filed again, which files nothing, because each message is known by what
was said up to it. Processes keep out of each other's way by two locks: one while the file is written, one while it is
emptied. Who throws it away does so by the first and then waits for the second: who was emptying it finds it gone, and
files no more of it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from palace.errors import BadRequest, DataRefused, OutboxError, PalaceError
from palace.turns.exchange.exchange import Exchange
from palace.turns.exchange.files import (
    append,
    flush_folder,
    locked,
    make_folder,
    opened,
    read_all,
    read_line,
    stands_at,
)
from palace.turns.exchange.files import write as write_out

FOLDER = "outbox"
LARGEST = 64 * 1024 * 1024
"""Bytes that wait at most: weeks of talk, and no full disk."""
DISCARD_SECONDS = 30.0
"""How long one exchange may be on its way into the palace; who throws the others away waits for that one."""
LOCK_SECONDS = 1.0
"""How long another process may hold the file; it holds it for milliseconds."""


@dataclass(frozen=True, slots=True)
class Emptied:
    """What came of filing what waited."""

    filed: int = 0
    """Exchanges."""
    refused: int = 0
    """Exchanges that can never be filed; they are kept beside the outbox."""
    left: int = 0
    problem: PalaceError | None = None
    """What ended it before its end."""
    note: str = ""
    """Why nothing was done, where nothing failed: another process, or another thread, is filing what waits."""


@dataclass(frozen=True, slots=True)
class Outbox:
    """What of one user of one palace waits."""

    path: Path
    largest: int = LARGEST

    @classmethod
    def of(cls, home: Path, palace: str, user: str) -> Outbox:
        """Give the outbox of a user; ``palace`` says which database it is, without a secret."""
        name = sha256(f"{palace}\n{user}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return cls(home / FOLDER / f"{name}.jsonl")

    @property
    def refused_path(self) -> Path:
        """Where lines are kept that can never be filed."""
        return self.path.with_suffix(".refused.jsonl")

    @property
    def rules_path(self) -> Path:
        """Where the user's rules for secrets are kept: what waits is without secrets though nobody can look them up."""
        return self.path.with_suffix(".rules.json")

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        try:
            return self.path.lstat().st_size == 0
        except OSError:
            return True

    def count(self) -> int:
        """Count the exchanges that wait; a last line that nobody wrote to its end is none.

        Raises:
            OutboxError: it cannot be read.
        """
        with self._told_of("read"):
            return _count(read_all(self.path))

    def count_refused(self) -> int:
        """Count the lines that can never be filed."""
        try:
            return sum(1 for line in self.refused_path.read_bytes().split(b"\n") if line.strip())
        except OSError:
            return 0

    def add(self, exchange: Exchange) -> None:
        """Have an exchange wait; it is on the disk on return.

        Raises:
            OutboxError: it is full, cannot be written, or is not its owner's alone.
        """
        line = exchange.written().encode() + b"\n"
        with self._told_of("written"):
            make_folder(self.path.parent)
            with self._locked():
                append(self.path, line, self.largest)

    def empty(self, file: Callable[[Exchange], object], *, seconds: float | None = None) -> Emptied:
        """File what waits, in order, until it is empty, something fails or the time is over.

        Where another process is at it, nothing is done.
        """
        if self.is_empty:
            return Emptied()
        deadline = None if seconds is None else time.monotonic() + seconds
        try:
            with self._filing(0), opened(self.path, os.O_RDWR) as descriptor:
                return _Emptying(self, descriptor, file, deadline).run()
        except BlockingIOError:
            return Emptied(left=self.count(), note="another process, or another thread, is filing what waits")
        except FileNotFoundError:
            return Emptied()  # thrown away just now
        except OSError as problem:
            return Emptied(left=self.count_if_readable(), problem=self._told("read", problem))
        except PalaceError as problem:
            return Emptied(left=self.count_if_readable(), problem=problem)

    def discard(self) -> int:
        """Throw away what waits, what was refused as well; give how many exchanges waited.

        On return nothing of it is filed any more: what another process was filing just then is filed.

        Raises:
            OutboxError: it cannot be written, or another process is filing one exchange for too long.
        """
        if not self.path.parent.is_dir():
            return 0
        with self._told_of("written"):
            waiting = self._unlink()
            try:
                with self._filing(DISCARD_SECONDS):
                    self.refused_path.unlink(missing_ok=True)
            except BlockingIOError as problem:
                raise OutboxError(
                    "another process is still filing what was said: what waited behind it is thrown away, ask once more"
                ) from problem
        return waiting

    def discard_refused(self) -> int:
        """Throw away what can never be filed; give how many exchanges that were.

        Raises:
            OutboxError: it cannot be read, or is not its owner's alone.
        """
        if not self.path.parent.is_dir():
            return 0
        with self._told_of("written"), self._locked():
            refused = _count(read_all(self.refused_path))
            self.refused_path.unlink(missing_ok=True)
        return refused

    def keep_aside(self, line: bytes) -> None:
        """Keep a line that can never be filed.

        Raises:
            OutboxError: it cannot be kept.
        """
        with self._told_of("written"), self._locked():
            append(self.refused_path, line, self.largest)

    def next_line(self, descriptor: int, place: int) -> bytes:
        """Read the line at a place of the open outbox; nothing where it ends, or was thrown away."""
        with self._told_of("read"), self._locked():
            return read_line(descriptor, place) if stands_at(descriptor, self.path) else b""

    def blot_out(self, descriptor: int, place: int, line: bytes) -> None:
        """Take a line out, unless the outbox was thrown away meanwhile; it needs no room on the disk.

        Raises:
            OutboxError: it cannot be written.
        """
        blank = b" " * len(line.rstrip(b"\n"))
        with self._told_of("written"), self._locked():
            if blank and stands_at(descriptor, self.path) and read_line(descriptor, place) == line:
                os.pwrite(descriptor, blank, place)

    def close_up(self, descriptor: int, place: int) -> None:
        """Give the room of what was taken out up to a place back; where there is no room to do so, another time."""
        with suppress(OSError), self._locked():
            if not place or not stands_at(descriptor, self.path):
                return
            rest = read_all(self.path)[place:]
            if not rest.strip():
                self.path.unlink(missing_ok=True)
            else:
                self._replace(rest)
            flush_folder(self.path.parent)

    def _replace(self, rest: bytes) -> None:
        new = self.path.with_suffix(".new")
        new.unlink(missing_ok=True)
        try:
            with opened(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as descriptor:
                write_out(descriptor, rest)
            new.replace(self.path)
        finally:
            new.unlink(missing_ok=True)

    def _unlink(self) -> int:
        with self._locked():
            waiting = self.count_if_readable()
            for path in (self.path, self.path.with_suffix(".new"), self.refused_path, self.rules_path):
                path.unlink(missing_ok=True)
        return waiting

    def count_if_readable(self) -> int:
        """Count them, none where the outbox is not to be used: ``palace doctor`` says so."""
        with suppress(PalaceError):
            return self.count()
        return 0

    def _locked(self) -> AbstractContextManager[None]:
        return locked(self.path.with_suffix(".lock"), LOCK_SECONDS)

    def _filing(self, seconds: float) -> AbstractContextManager[None]:
        return locked(self.path.with_suffix(".filing"), seconds)

    @contextmanager
    def _told_of(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            raise self._told(what, problem) from problem

    def _told(self, what: str, problem: OSError) -> OutboxError:
        return OutboxError(f"the outbox {self.path} cannot be {what}: {problem.strerror or problem}")


@dataclass(slots=True)
class _Emptying:
    """Files what waits, a line at a time; each is looked at again when its turn comes."""

    outbox: Outbox
    descriptor: int
    file: Callable[[Exchange], object]
    deadline: float | None
    place: int = 0
    filed: int = 0
    refused: int = 0

    def run(self) -> Emptied:
        """Do it, until the end or a failure."""
        problem: PalaceError | None = None
        end = os.fstat(self.descriptor).st_size  # what is added meanwhile is for the next
        try:
            while (
                self.place < end
                and not self._is_late()
                and (line := self.outbox.next_line(self.descriptor, self.place))
            ):
                self._take(line)
                self.outbox.blot_out(self.descriptor, self.place, line)
                self.place += len(line)
        except PalaceError as caught:
            problem = caught
        finally:
            # Also where the call is cancelled: what is filed need not be filed again.
            self.outbox.close_up(self.descriptor, self.place)
        return Emptied(self.filed, self.refused, self.outbox.count(), problem)

    def _is_late(self) -> bool:
        return self.deadline is not None and time.monotonic() >= self.deadline

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            self.file(Exchange.read(line.decode()))
            self.filed += 1
        except (BadRequest, DataRefused) as why:
            self._refuse(line, why)
        except (PalaceError, OSError):
            raise
        except Exception as why:  # noqa: BLE001 — whatever is odd about one line, those behind it are not held up
            self._refuse(line, why)

    def _refuse(self, line: bytes, why: Exception) -> None:
        self.outbox.keep_aside(_refused(line, why))
        self.refused += 1


def _refused(line: bytes, why: Exception) -> bytes:
    """Write down an exchange that can never be filed, and why."""
    reason = " ".join(str(why).split()) if isinstance(why, PalaceError) else "it cannot be read"
    told = {"refused_at": datetime.now(UTC).isoformat(), "reason": reason, "line": line.decode("utf-8", "replace")}
    return json.dumps(told).encode() + b"\n"


def _count(data: bytes) -> int:
    return sum(1 for line in data.splitlines(keepends=True) if line.endswith(b"\n") and line.strip())
