"""What failed in hooks, a line each: they fail without a word to the program around them, and doctor tells it.

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

from palace.folders import make_private

FOLDER, LOG = "hooks", "failures.log"
MOST_BYTES = 64 * 1024
"""Of the log; where it has grown larger, its older half goes."""
_WORD = re.compile(r"[^A-Za-z0-9_.:-]+")
_LONGEST_WORD = 60
_PARTS = 5


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
    words = (_word(event), _word(harness), _word(code), _word(step))
    line = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {' '.join(words)}\n".encode()
    with suppress(OSError):
        if not home.is_dir():
            return
        path = make_private(home, FOLDER) / LOG
        descriptor = os.open(
            path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600
        )
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


def _shorten(path: Path) -> None:
    """Keep the later half, whole lines; whoever writes meanwhile may lose a line."""
    kept = path.read_bytes()[-MOST_BYTES // 2 :].partition(b"\n")[2]
    new = path.with_suffix(f".{os.getpid()}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(kept)
    new.replace(path)


def _word(text: str) -> str:
    return _WORD.sub("_", text)[:_LONGEST_WORD] or "-"


def _read(line: str) -> Failure | None:
    parts = line.split(" ")
    if len(parts) != _PARTS:
        return None
    try:
        at = datetime.strptime(parts[0], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None
    event, harness, code, step = ("" if part == "-" else part for part in parts[1:])
    return Failure(at, event, harness, code, step)
