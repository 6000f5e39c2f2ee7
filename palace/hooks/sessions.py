"""What is known of a session while it lasts: where it began, what was injected into it, and the last messages.

A file for each session below the home, for its owner alone, without secrets. It is a help and no record: where it is
lost, something may be injected twice. It goes a week after the session was last heard of.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from palace.folders import make_private
from palace.hooks.began import FOLDER as BEGAN
from palace.hooks.failures import FOLDER as HOOKS

FOLDER = "sessions"
MOST_DRAWERS = 400
"""Drawers that are known to have been injected, the latest."""
MOST_PROMPTS = 3
"""Messages that a follow-up is judged by."""
LONGEST_PROMPT = 500
"""Characters that are kept of each."""
KEPT_SECONDS = 7 * 86_400
LARGEST = 1 << 20
SWEPT = 500
"""Files that one look for old ones goes through at most."""


@dataclass(frozen=True, slots=True)
class Session:
    """What is known of a session."""

    folder: str = ""
    """Where it began: where an agent goes meanwhile changes nothing of whose memory it is given."""
    drawers: tuple[int, ...] = ()
    """What was injected into it and is still seen."""
    prompts: tuple[str, ...] = ()
    """The person's last messages, the latest last."""

    def told(self, drawers: Iterable[int]) -> Session:
        """Add what was injected."""
        every = tuple(dict.fromkeys((*self.drawers, *drawers)))
        return replace(self, drawers=every[-MOST_DRAWERS:])

    def asked(self, prompt: str) -> Session:
        """Add a message of the person, without its secrets."""
        return replace(self, prompts=(*self.prompts, prompt[:LONGEST_PROMPT])[-MOST_PROMPTS:])

    def emptied(self) -> Session:
        """Forget what the model sees no longer."""
        return replace(self, drawers=(), prompts=())

    def ended(self) -> Session:
        """Keep nothing that was said."""
        return replace(self, prompts=())


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of one user, below a home."""

    home: Path
    user: str

    def load(self, session: str) -> Session:
        """Read what is known of a session; nothing where it is missing or makes no sense."""
        if not session:
            return Session()
        try:
            told = json.loads(_read(self._path(session)))
            return Session(
                _text(told["folder"]),
                tuple(each for each in told["drawers"] if isinstance(each, int))[-MOST_DRAWERS:],
                tuple(_text(each)[:LONGEST_PROMPT] for each in told["prompts"])[-MOST_PROMPTS:],
            )
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return Session()

    def save(self, session: str, known: Session) -> None:
        """Write it whole, or leave it as it was."""
        if not session:
            return
        with suppress(OSError):
            make_private(self.home, HOOKS, FOLDER)
            path = self._path(session)
            told = {"user": self._key(), "folder": known.folder, "drawers": known.drawers, "prompts": known.prompts}
            write_whole(path, json.dumps(told).encode())

    def forget(self) -> None:
        """Throw away what was said in all sessions of this user, and what was injected into them.

        Where a session began stays until it is swept away: it is no word of anybody, the session may go on, and whose
        it is does not stand there. Without it, it would begin again wherever its agent happens to be at work.
        """
        for path in self._files():
            with suppress(OSError):
                if _is_of(self._key(), _read(path)):
                    path.unlink()

    def sweep(self) -> None:
        """Throw away what was not heard of for long, of whomever."""
        oldest = time.time() - KEPT_SECONDS
        for path in (*_some(self._files()), *_some(self._files(BEGAN))):
            with suppress(OSError):
                if path.lstat().st_mtime < oldest:
                    path.unlink()

    def _files(self, folder: str = FOLDER) -> list[Path]:
        with suppress(OSError):
            return list((self.home / HOOKS / folder).iterdir())
        return []

    def _path(self, session: str) -> Path:
        name = sha256(f"{self.user}\0{session}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return self.home / HOOKS / FOLDER / f"{name}.json"

    def _key(self) -> str:
        return sha256(self.user.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def write_whole(path: Path, content: bytes) -> None:
    """Write a file for its owner alone, in one step.

    Raises:
        OSError: the system refuses; nothing of it is left.
    """
    new = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise


def _is_of(user: str, content: bytes) -> bool:
    """Tell whether a file is of a user; one that makes no sense is nobody's, and may hold words of anybody."""
    try:
        return bool(json.loads(content).get("user", user) == user)
    except (ValueError, AttributeError, RecursionError):
        return True


def _some(files: list[Path]) -> list[Path]:
    """Choose as many as one look takes, others each time: what is old is found in the end."""
    return files if len(files) <= SWEPT else random.sample(files, SWEPT)


def _read(path: Path) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(LARGEST)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
