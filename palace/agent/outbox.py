"""The outbox: exchanges that could not be filed, in order, in one file per user in the palace's home folder.

An exchange is a line of JSON, synced to disk before the caller goes on. A filed line is overwritten with blanks, which
works on a full disk as well; after a crash it may be filed again, which changes nothing, because the id of each message
is its key. One lock is held while the file is written, another while it is emptied. Discarding takes the first and then
waits for the second: a process that was emptying the file finds it gone and stops.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from palace.agent.exchange import Exchange
from palace.agent.outbox_files import append, flush_folder, is_at, locked, make_folder, opened, read_all
from palace.agent.outbox_files import replace as replace_file
from palace.config.folders import file_of_user
from palace.errors import BadRequest, DataRefused, OutboxError, PalaceError

FOLDER = "outbox"
LARGEST = 64 * 1024 * 1024
"""Bytes of an outbox, at most: weeks of conversation, but no full disk."""
DISCARD_SECONDS = 30.0
"""Seconds that discarding waits for the exchange that is being filed."""
LOCK_SECONDS = 1.0
"""Seconds to wait for another process that holds the file, normally for milliseconds."""


@dataclass(frozen=True, slots=True)
class Emptied:
    """The result of filing the outbox."""

    filed: int = 0
    """Exchanges that were filed."""
    refused: int = 0
    """Exchanges that can never be filed; they are kept in a file beside the outbox."""
    left: int = 0
    problem: PalaceError | None = None
    """The error that ended it early."""
    note: str = ""
    """Why nothing was done without an error: another process, or another thread, is emptying the outbox."""


@dataclass(frozen=True, slots=True)
class WaitingExchange:
    """An exchange in the outbox, or one that can never be filed."""

    conversation: str
    """Id of its conversation; "" where the line cannot be read."""
    messages: int
    said_at: datetime | None
    """Time of its first message."""
    size_bytes: int
    reason: str = ""
    """Why it can never be filed; "" while it waits."""


@dataclass(frozen=True, slots=True)
class OutboxContents:
    """The exchanges of one user that wait to be filed, in order."""

    file: Path
    waiting: tuple[WaitingExchange, ...]
    refused: tuple[WaitingExchange, ...]
    refused_file: Path
    """The file of exchanges that can never be filed."""

    def __len__(self) -> int:
        """Count the exchanges."""
        return len(self.waiting) + len(self.refused)


@dataclass(frozen=True, slots=True)
class Outbox:
    """The outbox of one user of one palace."""

    path: Path
    largest: int = LARGEST

    @classmethod
    def of(cls, home: Path, palace: str, user: str) -> Outbox:
        """Return the outbox of a user; ``palace`` identifies the database and holds no secret."""
        return cls(file_of_user(home / FOLDER, palace, user))

    @property
    def refused_path(self) -> Path:
        """Return the path of the file of exchanges that can never be filed."""
        return self.path.with_suffix(".refused.jsonl")

    @property
    def rules_path(self) -> Path:
        """Return the path of the copy of the user's redaction rules."""
        return self.path.with_suffix(".rules.json")

    @property
    def is_empty(self) -> bool:
        """Return whether nothing waits."""
        try:
            return self.path.lstat().st_size == 0
        except OSError:
            return True

    def count(self) -> int:
        """Count the waiting exchanges; an unfinished last line does not count.

        Raises:
            OutboxError: the file cannot be read.
        """
        with self._translated("read"):
            return _count(read_all(self.path))

    def count_if_readable(self) -> int:
        """Count the waiting exchanges; 0 if the outbox cannot be used, which ``palace doctor`` reports."""
        with suppress(PalaceError):
            return self.count()
        return 0

    def count_refused(self) -> int:
        """Count the exchanges that can never be filed."""
        try:
            return sum(1 for line in self.refused_path.read_bytes().split(b"\n") if line.strip())
        except OSError:
            return 0

    def contents(self, hide: Callable[[str], str]) -> OutboxContents:
        """List the waiting and the refused exchanges; ``hide`` removes secrets from names and reasons."""
        waiting = tuple(_shown(line, "", hide) for line in _lines(self.path))
        refused = tuple(_shown(*_read_refused(line), hide) for line in _lines(self.refused_path))
        return OutboxContents(self.path, waiting, refused, self.refused_path)

    def add(self, exchange: Exchange) -> None:
        """Add an exchange; it is on disk on return.

        Raises:
            OutboxError: the outbox is full, cannot be written, or is not private to its owner.
        """
        line = exchange.written().encode() + b"\n"
        with self._translated("written"):
            make_folder(self.path.parent)
            with self._locked():
                append(self.path, line, self.largest)

    def empty(self, file: Callable[[Exchange], object], *, seconds: float | None = None) -> Emptied:
        """File the exchanges in order, until the outbox is empty, an error occurs or the time is over.

        Nothing is done while another process is emptying it.
        """
        if self.is_empty:
            return Emptied()
        deadline = None if seconds is None else time.monotonic() + seconds
        try:
            with self._filing(0), opened(self.path, os.O_RDWR) as descriptor:
                return self._emptied(descriptor, file, deadline)
        except BlockingIOError:
            return Emptied(left=self.count(), note="another process, or another thread, is filing what waits")
        except FileNotFoundError:
            return Emptied()  # discarded just now
        except OSError as problem:
            return Emptied(left=self.count_if_readable(), problem=self._error("read", problem))
        except PalaceError as problem:
            return Emptied(left=self.count_if_readable(), problem=problem)

    def discard(self) -> int:
        """Delete the waiting and the refused exchanges; return how many were waiting.

        After return none of them is filed any more, except one that another process was filing at that moment.

        Raises:
            OutboxError: it cannot be written, or another process takes too long to file an exchange.
        """
        if not self.path.parent.is_dir():
            return 0
        with self._translated("written"):
            with self._locked():
                waiting = self.count_if_readable()
                for path in (self.path, self.path.with_suffix(".new"), self.refused_path, self.rules_path):
                    path.unlink(missing_ok=True)
            try:
                with self._filing(DISCARD_SECONDS):
                    self.refused_path.unlink(missing_ok=True)
            except BlockingIOError as problem:
                raise OutboxError(
                    "another process is still filing what was said: what waited behind it is thrown away, ask once more"
                ) from problem
        return waiting

    def discard_refused(self) -> int:
        """Delete the exchanges that can never be filed; return how many there were.

        Raises:
            OutboxError: it cannot be read, or is not private to its owner.
        """
        if not self.path.parent.is_dir():
            return 0
        with self._translated("written"), self._locked():
            refused = _count(read_all(self.refused_path))
            self.refused_path.unlink(missing_ok=True)
        return refused

    def _emptied(self, descriptor: int, file: Callable[[Exchange], object], deadline: float | None) -> Emptied:
        """File the lines of the open outbox one by one; lines added meanwhile are left for the next call."""
        filed = refused = offset = 0
        problem: PalaceError | None = None
        try:
            with self._translated("read"), self._locked():
                lines = re.findall(rb"[^\n]*\n|[^\n]+", read_all(self.path))
            for line in lines:
                # Discarded meanwhile, or no time left.
                if not is_at(descriptor, self.path) or (deadline is not None and time.monotonic() >= deadline):
                    break
                if line.strip():
                    is_filed = self._file(line, file)
                    filed, refused = filed + is_filed, refused + (not is_filed)
                    with self._translated("written"):
                        os.pwrite(descriptor, b" " * len(line.rstrip(b"\n")), offset)
                offset += len(line)
        except PalaceError as caught:
            problem = caught
        finally:
            # Also on cancellation: what is filed need not be filed again.
            self._cut_off(descriptor, offset)
        return Emptied(filed, refused, self.count(), problem)

    def _file(self, line: bytes, file: Callable[[Exchange], object]) -> bool:
        """File a line, or set it aside if it can never be filed; return whether it was filed."""
        try:
            file(Exchange.read(line.decode()))
        except (BadRequest, DataRefused) as why:
            self._refuse(line, " ".join(str(why).split()))
        except (PalaceError, OSError):
            raise
        except Exception:  # noqa: BLE001 — whatever is odd about one line, those behind it are not held up
            self._refuse(line, "it cannot be read")
        else:
            return True
        return False

    def _refuse(self, line: bytes, reason: str) -> None:
        now, text = datetime.now(UTC).isoformat(), line.decode("utf-8", "replace")
        written = json.dumps({"refused_at": now, "reason": reason, "line": text}).encode() + b"\n"
        with self._translated("written"), self._locked():
            append(self.refused_path, written, self.largest)

    def _cut_off(self, descriptor: int, offset: int) -> None:
        """Remove the filed lines; on a full disk they stay as blanks until the next call."""
        with suppress(OSError), self._locked():
            if not offset or not is_at(descriptor, self.path):
                return
            rest = read_all(self.path)[offset:]
            if rest.strip():
                replace_file(self.path, rest)
            else:
                self.path.unlink(missing_ok=True)
            flush_folder(self.path.parent)

    def _locked(self) -> AbstractContextManager[None]:
        return locked(self.path.with_suffix(".lock"), LOCK_SECONDS)

    def _filing(self, seconds: float) -> AbstractContextManager[None]:
        return locked(self.path.with_suffix(".filing"), seconds)

    @contextmanager
    def _translated(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            raise self._error(what, problem) from problem

    def _error(self, what: str, problem: OSError) -> OutboxError:
        return OutboxError(f"the outbox {self.path} cannot be {what}: {problem.strerror or problem}")


def _count(data: bytes) -> int:
    return sum(1 for line in data.splitlines(keepends=True) if line.endswith(b"\n") and line.strip())


def _lines(path: Path) -> list[bytes]:
    return [line for line in read_all(path).split(b"\n") if line.strip()]


def _read_refused(line: bytes) -> tuple[bytes, str]:
    try:
        fields = json.loads(line)
        return str(fields["line"]).encode("utf-8", "replace"), str(fields["reason"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return line, "it cannot be read"


def _shown(line: bytes, reason: str, hide: Callable[[str], str]) -> WaitingExchange:
    try:
        exchange = Exchange.read(line.decode())
    except (ValueError, RecursionError):
        return WaitingExchange("", 0, None, len(line), hide(reason or "it cannot be read"))
    said_at = _moment(exchange.messages[0].get("created_at"))
    return WaitingExchange(hide(exchange.conversation), len(exchange.messages), said_at, len(line), hide(reason))


def _moment(written: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(written) if isinstance(written, str) else None
    except ValueError:
        return None
    return moment if moment and moment.tzinfo else None
