"""What failed in hooks, a line each: they fail without a word to the program around them, and doctor says it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from palace_hook.notes import HOOKS, LARGEST_LOG, LOG, note_failure

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


def note(home: Path, event: object, harness: object, code: str, *, step: str = "") -> None:
    """Write down that a hook failed; where that fails as well, or there is no home, nothing is done."""
    note_failure(str(home), event, harness, code, step)


def list_failures(home: Path, *, since: datetime | None = None) -> Sequence[Failure]:
    """List what failed, the latest last; lines that make no sense are passed over."""
    with suppress(OSError):
        text = (home / HOOKS / LOG).read_bytes()[-2 * LARGEST_LOG :].decode("ascii", "replace")
        found = [failure for line in text.splitlines() if (failure := _read(line)) is not None]
        return [failure for failure in found if since is None or failure.at >= since]
    return []


def code_of(problem: Exception) -> str:
    """Return the code of an error: that of Palace's own, else the name of its class."""
    code = getattr(problem, "code", None)
    return code if isinstance(code, str) else type(problem).__name__


def _read(line: str) -> Failure | None:
    try:
        at, *words = line.split(" ")
        event, harness, code, step = ("" if word == "-" else word for word in words)
        return Failure(datetime.strptime(at, _TIME).replace(tzinfo=UTC), event, harness, code, step)
    except ValueError:
        return None
