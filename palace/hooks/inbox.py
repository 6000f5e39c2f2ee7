"""The notes that hooks leave for a worker, each a file below the home that is written in one step.

A note (``palace_hook.notes``) says which transcript has grown and where its session is at work; what was said stands in
the transcript alone.
Whoever works on a note renames it first: what a hook leaves meanwhile is another, and what a killed worker had is found
by the next.
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
"""Seconds since 1970 that no clock tells."""


@dataclass(frozen=True, slots=True)
class Left:
    """A transcript that has grown."""

    harness: str
    session: str
    transcript: str
    folder: str
    """Where the session began."""
    user: str | None
    """Whose palace it goes to: the settings of the worker that mines it may name another than those of the hook. None
    for that of the settings."""
    event: str = ""
    at: float = 0.0
    """Seconds since 1970 when it was left."""
    is_typed: bool = False
    """Whether the command line named the user: of a slip there no palace is made."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """What the environment of the hook said of whose palace it is, where it was left before settings were read."""
    database: str | None = None
    """Where the database of that palace is, as ``place_of`` writes it; "" for where the settings say. None in notes of
    an earlier version."""
    schema: str = ""
    """The schema of that palace; "" for that of the settings."""


def is_empty(home: Path) -> bool:
    """Return whether nothing waits."""
    return not _paths(home)


def take(home: Path, is_wanted: Callable[[Left], bool] = lambda _: True) -> list[tuple[Path, Left]]:
    """Take what waits, the oldest first, and what was taken before and never done. One that makes no sense goes.

    What is not wanted here is left to others as it is: not even its name changes.
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
    """Look at what waits, and when each was last left, without taking it."""
    for path in _paths(home):
        with suppress(OSError):
            yield _read(path), path.lstat().st_mtime


def done(path: Path) -> None:
    """Throw away a note that was taken."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _paths(home: Path) -> list[Path]:
    """List the files that may be notes; a folder was left by nobody of ours, and stays."""
    folder = home / HOOKS / INBOX
    with suppress(OSError), os.scandir(folder) as found:
        notes = (each for each in found if each.name.endswith((LEFT, TAKEN)) and not each.name.startswith("."))
        return sorted(folder / each.name for each in notes if not each.is_dir(follow_symlinks=False))
    return []


def _read(path: Path) -> Left | None:
    """Read a note; None of one that makes no sense."""
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
