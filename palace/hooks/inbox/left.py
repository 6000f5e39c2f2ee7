"""The notes that hooks leave, each a file below the home that is written in one step: none is half there.

A note says which transcript has grown and where its session is at work; what was said stands in the transcript alone.
Whoever works on a note renames it first: what a hook leaves meanwhile is another, and what a killed worker had is found
by the next.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from palace.folders import make_private
from palace.hooks.failures import FOLDER as HOOKS
from palace.hooks.sessions import write_whole

FOLDER = "inbox"
LEFT, TAKEN = ".json", ".taken"
MOST = 2000
"""Notes that wait at most; every session has but one."""
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

    @property
    def name(self) -> str:
        """What its file is called: one for each transcript of a user in a palace."""
        told = f"{self.user or ''}\0{self.transcript}"
        if self.database is not None:
            told = f"{told}\0{self.database}\0{self.schema}"
        return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class InboxFull(OSError):
    """So much waits that nobody can be at work on it."""


def leave(home: Path, left: Left) -> None:
    """Leave a note; it takes the place of the one that waits for the same transcript.

    Raises:
        InboxFull: as many wait as ever may. OSError: the system refuses.
    """
    folder = make_private(home, HOOKS, FOLDER)
    path = folder / f"{left.name}{LEFT}"
    if not path.exists() and _count(folder) >= MOST:
        raise InboxFull
    write_whole(path, json.dumps(asdict(left)).encode())


def is_empty(home: Path) -> bool:
    """Tell whether nothing waits."""
    return not _names(home)


def take(home: Path, is_wanted: Callable[[Left], bool] = lambda _: True) -> list[tuple[Path, Left]]:
    """Take what waits, the oldest first, and what was taken before and never done. One that makes no sense goes.

    What is not wanted here is left to others as it is: not even its name changes.
    """
    found: dict[Path, Left] = {}
    for name in _names(home):
        path = home / HOOKS / FOLDER / name
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
    for name in _names(home):
        path = home / HOOKS / FOLDER / name
        with suppress(OSError):
            yield _read(path), path.lstat().st_mtime


def done(path: Path) -> None:
    """Throw a note away that was taken."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _names(home: Path) -> list[str]:
    with suppress(OSError), os.scandir(home / HOOKS / FOLDER) as found:
        return sorted(entry.name for entry in found if _is_note(entry))
    return []


def _is_note(entry: os.DirEntry[str]) -> bool:
    """Tell whether it may be a note; a folder was left by nobody of ours, and stays."""
    return entry.name.endswith((LEFT, TAKEN)) and entry.name[0] != "." and not entry.is_dir(follow_symlinks=False)


def _count(folder: Path) -> int:
    with os.scandir(folder) as found:
        return sum(1 for _ in found)


def _read(path: Path) -> Left | None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(LARGEST + 1)
    try:
        told = json.loads(content)
        texts = [told[name] for name in ("harness", "session", "transcript", "folder", "event")]
        user, at, is_typed = told["user"], told["at"], told.get("is_typed") is True
        variables = {name: value for name, value in told.get("variables", {}).items() if isinstance(value, str)}
        database, schema = told.get("database"), told.get("schema", "")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if not isinstance(database, str | None) or not isinstance(schema, str):
        return None
    left = _checked(texts, user, at, is_typed=is_typed)
    return left and replace(left, variables=variables, database=database, schema=schema)


def _checked(texts: list[Any], user: Any, at: Any, *, is_typed: bool) -> Left | None:
    if not all(isinstance(each, str) for each in texts) or not isinstance(user, str | None):
        return None
    if isinstance(at, bool) or not isinstance(at, (int, float)) or not abs(at) < LATEST:
        return None
    harness, session, transcript, folder, event = texts
    return Left(harness, session, transcript, folder, user, event, float(at), is_typed)
