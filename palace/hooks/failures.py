"""What failed in hooks, a line each: they fail without a word to the program around them, and doctor says it.

A line says when, which event of which program, and what kind of failure, by words of ours alone: nothing that anybody
said or sent, no path and no name stands in it. Little but the standard library is imported here: that something else
cannot be imported is among what is noted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from palace.config.folders import make_private

FOLDER, LOG = "hooks", "failures.log"
MOST_BYTES = 64 * 1024
"""Of the log; where it has grown larger, its older half goes."""
_NO_WORD = re.compile(r"[^A-Za-z0-9_.:-]+")
_LONGEST_WORD = 60
_TIME = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class Failure:
    """One hook that failed."""

    at: datetime
    event: str
    harness: str
    code: str
    """What kind of failure it was: "timeout", "database_unavailable", "import_failed" …"""
    step: str = ""
    """What was being done."""


def note(home: Path, event: str, harness: str, code: str, *, step: str = "") -> None:
    """Write down that a hook failed; where that fails as well, or there is no home, nothing is done."""
    words = (_NO_WORD.sub("_", word)[:_LONGEST_WORD] or "-" for word in (event, harness, code, step))
    line = f"{datetime.now(UTC):{_TIME}} {' '.join(words)}\n".encode()
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    with suppress(OSError):
        if not home.is_dir():
            return
        path = make_private(home, FOLDER) / LOG
        descriptor = os.open(path, flags, 0o600)
        try:
            os.write(descriptor, line)
            size = os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)
        if size > MOST_BYTES:
            _shorten(path)


def list_failures(home: Path, *, since: datetime | None = None) -> Sequence[Failure]:
    """List what failed, the latest last; lines that make no sense are passed over."""
    with suppress(OSError):
        text = (home / FOLDER / LOG).read_bytes()[-2 * MOST_BYTES :].decode("ascii", "replace")
        found = [failure for line in text.splitlines() if (failure := _read(line)) is not None]
        return [failure for failure in found if since is None or failure.at >= since]
    return []


def code_of(problem: Exception) -> str:
    """Return the code of an error: that of Palace's own, else the name of its class."""
    code = getattr(problem, "code", None)
    return code if isinstance(code, str) else type(problem).__name__


def _shorten(path: Path) -> None:
    """Keep the later half, whole lines; whoever writes meanwhile may lose a line."""
    kept = path.read_bytes()[-MOST_BYTES // 2 :].partition(b"\n")[2]
    new = path.with_suffix(f".{os.getpid()}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(kept)
    new.replace(path)


def _read(line: str) -> Failure | None:
    try:
        at, *words = line.split(" ")
        event, harness, code, step = ("" if word == "-" else word for word in words)
        return Failure(datetime.strptime(at, _TIME).replace(tzinfo=UTC), event, harness, code, step)
    except ValueError:
        return None
