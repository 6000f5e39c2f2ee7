"""The outbox: exchanges that could not be filed, in order, in a file of the user's below the palace's home.

A line of JSON an exchange, on the disk before the caller goes on. What is filed is taken out afterwards; killed in
between, it is filed again, which files nothing, because each message is known by what was said up to it. Processes keep
out of each other's way by two locks: one while the file is written, one while it is emptied.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from palace.errors import BadRequest, DataRefused, OutboxError, PalaceError
from palace.turns.exchange.exchange import Exchange

FOLDER = "outbox"
LARGEST = 64 * 1024 * 1024
"""Bytes that wait at most: weeks of talk, and no full disk."""
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
            return self.path.stat().st_size == 0
        except OSError:
            return True

    def count(self) -> int:
        """Count the exchanges that wait."""
        return sum(1 for line in self._read().split(b"\n") if line.strip())

    def count_refused(self) -> int:
        """Count the lines that can never be filed."""
        try:
            return sum(1 for line in self.refused_path.read_bytes().split(b"\n") if line.strip())
        except OSError:
            return 0

    def add(self, exchange: Exchange) -> None:
        """Have an exchange wait; it is on the disk on return.

        Raises:
            OutboxError: it is full, or cannot be written.
        """
        line = exchange.written().encode() + b"\n"
        try:
            self._make_folder()
            with self._locked("lock", LOCK_SECONDS):
                self._append(self.path, line)
        except OSError as problem:
            raise OutboxError(f"the outbox {self.path} cannot be written: {problem.strerror or problem}") from problem

    def empty(self, file: Callable[[Exchange], object], *, seconds: float | None = None) -> Emptied:
        """File what waits, in order, until it is empty, something fails or the time is over.

        Where another process is at it, nothing is done.
        """
        if self.is_empty:
            return Emptied()
        deadline = None if seconds is None else time.monotonic() + seconds
        try:
            with self._locked("filing", 0):
                return self._empty(file, deadline)
        except BlockingIOError:
            return Emptied(left=self.count())
        except OSError as problem:
            told = OutboxError(f"the outbox {self.path} cannot be read: {problem.strerror or problem}")
            return Emptied(left=self.count(), problem=told)

    def discard(self) -> int:
        """Throw away what waits, what was refused as well; give how many exchanges waited."""
        if not self.path.parent.is_dir():
            return 0
        with self._locked("lock", LOCK_SECONDS):
            waiting = self.count()
            for path in (self.path, self.refused_path, self.rules_path):
                path.unlink(missing_ok=True)
        return waiting

    def discard_refused(self) -> int:
        """Throw away what can never be filed; give how many exchanges that were."""
        if not self.path.parent.is_dir():
            return 0
        with self._locked("lock", LOCK_SECONDS), suppress(FileNotFoundError):
            refused = self.refused_path.read_bytes().count(b"\n")
            self.refused_path.unlink()
            return refused
        return 0

    def _empty(self, file: Callable[[Exchange], object], deadline: float | None) -> Emptied:
        done = filed = refused = 0
        problem: PalaceError | None = None
        lines = self._read().splitlines(keepends=True)
        try:
            for line in lines:
                if deadline is not None and time.monotonic() >= deadline:
                    break
                try:
                    filed += _file_line(line, file)
                except (ValueError, BadRequest, DataRefused) as why:
                    self._append(self.refused_path, _refused(line, why))
                    refused += 1
                done += len(line)
        except PalaceError as caught:
            problem = caught
        finally:
            # Also where the call is cancelled: what is filed need not be filed again.
            self._take_out(done)
        return Emptied(filed, refused, self.count(), problem)

    def _take_out(self, size: int) -> None:
        """Take the first bytes out; what was added meanwhile stands behind them."""
        if not size:
            return
        with self._locked("lock", LOCK_SECONDS):
            rest = self._read()[size:]
            if not rest:
                self.path.unlink(missing_ok=True)
            else:
                new = self.path.with_suffix(".new")
                new.unlink(missing_ok=True)
                _write(new, rest)
                new.replace(self.path)
            _flush_folder(self.path.parent)

    def _read(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""

    def _append(self, path: Path, line: bytes) -> None:
        size = path.stat().st_size if path.exists() else 0
        if size + len(line) > self.largest:
            raise OutboxError(f"the outbox {path} is full ({size:,} bytes): what was said is not kept")
        if size and _last_byte(path) != b"\n":
            line = b"\n" + line  # a process was killed at its last line, which is lost alone
        _write(path, line)
        if not size:
            _flush_folder(path.parent)

    def _make_folder(self) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)

    @contextmanager
    def _locked(self, name: str, seconds: float) -> Iterator[None]:
        """Hold a lock.

        Raises:
            OSError: another process holds it for longer.
        """
        descriptor = os.open(self.path.with_suffix(f".{name}"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            deadline = time.monotonic() + seconds
            while True:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() >= deadline:
                        raise
                    time.sleep(0.005)
            yield
        finally:
            os.close(descriptor)


def _file_line(line: bytes, file: Callable[[Exchange], object]) -> int:
    if not line.strip():
        return 0
    file(Exchange.read(line.decode()))
    return 1


def _refused(line: bytes, why: Exception) -> bytes:
    """Write down an exchange that can never be filed, and why."""
    reason = " ".join(str(why).split()) if isinstance(why, PalaceError) else "it cannot be read"
    told = {"refused_at": datetime.now(UTC).isoformat(), "reason": reason, "line": line.decode("utf-8", "replace")}
    return json.dumps(told).encode() + b"\n"


def _last_byte(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read()


def _write(path: Path, data: bytes) -> None:
    """Write at the end of a file that only its owner reads, and wait for the disk."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        written = 0
        while written < len(data):
            written += os.write(descriptor, data[written:])
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _flush_folder(folder: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
