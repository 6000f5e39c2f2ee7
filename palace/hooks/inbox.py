"""The inbox of a home: notes that hooks leave for a worker, one file each, written atomically.

A note (``palace_hook.notes``) says which transcript has grown and where its session works; it holds no messages. A
worker renames a note before working on it: hooks then write new notes, and the next worker finds those of a worker that
was killed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from palace.hooks.sessions import read_file
from palace_hook.notes import HOOKS, INBOX

LEFT, TAKEN = ".json", ".taken"
LARGEST = 64 * 1024
LATEST = 1e11
"""Seconds since 1970 beyond which a time is invalid."""


@dataclass(frozen=True, slots=True)
class Left:
    """A note on a transcript that has grown."""

    harness: str
    session: str
    transcript: str
    folder: str
    """The folder where the session began."""
    user: str | None
    """The user whose palace it goes to, as hook and worker may differ in it; None for the user of the settings."""
    event: str = ""
    at: float = 0.0
    """When it was left, in seconds since 1970."""
    is_typed: bool = False
    """Whether the command line named the user: then a new user is not created, it may be a typo."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """The hook's ``PALACE_`` variables that select a palace, if it was left before settings were read."""
    database: str | None = None
    """Where the database of that palace is, as ``place_of`` writes it; "" for the one of the settings. None in notes of
    an earlier version."""
    schema: str = ""
    """The schema of that palace; "" for that of the settings."""


def is_empty(home: Path) -> bool:
    """Return whether no notes wait."""
    return not _paths(home)


def take(home: Path, is_wanted: Callable[[Left], bool] = lambda _: True) -> list[tuple[Path, Left]]:
    """Take the waiting notes, oldest first, including those not finished before; delete invalid ones.

    Notes that are not wanted are left untouched for other workers.
    """
    found: dict[Path, Left] = {}
    for path in _paths(home):
        taken = path.with_suffix(TAKEN)
        with suppress(OSError):
            seen = _read(path)
            if seen is not None and not is_wanted(seen):
                continue
            if path.suffix == LEFT:
                path.replace(taken)
            left = _read(taken)
            if left is None:
                taken.unlink(missing_ok=True)
            else:
                found[taken] = left
    return sorted(found.items(), key=lambda each: each[1].at)


def iter_waiting(home: Path) -> Iterator[tuple[Left | None, float]]:
    """Yield each waiting note and the time it was last written, without taking it; None for an invalid note."""
    for path in _paths(home):
        with suppress(OSError):
            yield _read(path), path.lstat().st_mtime


def done(path: Path) -> None:
    """Delete a note that was taken."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _paths(home: Path) -> list[Path]:
    """List the files that may be notes; folders are left alone."""
    folder = home / HOOKS / INBOX
    with suppress(OSError), os.scandir(folder) as found:
        notes = (each for each in found if each.name.endswith((LEFT, TAKEN)) and not each.name.startswith("."))
        return sorted(folder / each.name for each in notes if not each.is_dir(follow_symlinks=False))
    return []


def _read(path: Path) -> Left | None:
    """Read a note; None if it is invalid."""
    try:
        fields = json.loads(read_file(path, LARGEST + 1))
        texts = [fields[name] for name in ("harness", "session", "transcript", "folder", "event")]
        user, at, is_typed = fields["user"], fields["at"], fields.get("is_typed") is True
        variables = {name: value for name, value in fields.get("variables", {}).items() if isinstance(value, str)}
        database, schema = fields.get("database"), fields.get("schema", "")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if not all(isinstance(each, str) for each in (*texts, schema)):
        return None
    if not all(isinstance(each, str | None) for each in (user, database)):
        return None
    if isinstance(at, bool) or not isinstance(at, (int, float)) or not abs(at) < LATEST:
        return None
    harness, session, transcript, folder, event = texts
    return Left(harness, session, transcript, folder, user, event, float(at), is_typed, variables, database, schema)
