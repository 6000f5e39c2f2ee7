"""Failures of hooks, one line each: hooks fail silently, and ``palace doctor`` reports them."""

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
    """One failure of a hook."""

    at: datetime
    event: str
    harness: str
    code: str
    """What failed: "timeout", "database_unavailable", "import_failed" …"""
    step: str = ""
    """The step at which it failed."""


def note(home: Path, event: object, harness: object, code: str, *, step: str = "") -> None:
    """Log the failure of a hook; does nothing if that fails as well, or there is no home."""
    note_failure(str(home), event, harness, code, step)


def list_failures(home: Path, *, since: datetime | None = None) -> Sequence[Failure]:
    """List the failures, the latest last; invalid lines are skipped."""
    with suppress(OSError):
        text = (home / HOOKS / LOG).read_bytes()[-2 * LARGEST_LOG :].decode("ascii", "replace")
        found = [failure for line in text.splitlines() if (failure := _read(line)) is not None]
        return [failure for failure in found if since is None or failure.at >= since]
    return []


def code_of(problem: Exception) -> str:
    """Return the code of one of Palace's errors, else the name of the error's class."""
    code = getattr(problem, "code", None)
    return code if isinstance(code, str) else type(problem).__name__


def _read(line: str) -> Failure | None:
    try:
        at, *words = line.split(" ")
        event, harness, code, step = ("" if word == "-" else word for word in words)
        return Failure(datetime.strptime(at, _TIME).replace(tzinfo=UTC), event, harness, code, step)
    except ValueError:
        return None
