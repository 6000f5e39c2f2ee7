"""The state of a session while it lasts: the folder where it began, the drawers injected into it, and its last prompts.

Each session has files in the home folder, readable by the owner alone. The folder is written at the first event of any
kind and never changed; the program that the host starts writes it before anything of Palace is imported
(``palace_hook.notes``). The rest holds no secrets and may be lost: then a drawer may be injected twice. Files are
deleted a week after the last event.
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

from palace.config.checkout import key_of_folder
from palace_hook.notes import BEGAN, HOOKS, make_private, write_whole

FOLDER = "sessions"
MOST_DRAWERS = 400
"""Injected drawers that are remembered, the latest ones."""
MOST_PROMPTS = 3
"""Prompts that are remembered, to judge follow-ups by."""
LONGEST_PROMPT = 500
"""Characters that are kept of each prompt."""
KEPT_SECONDS = 7 * 86_400
LARGEST = 1 << 20
SWEPT = 500
"""Files that one sweep looks at, at most."""


@dataclass(frozen=True, slots=True)
class Session:
    """The state of a session."""

    folder: str = ""
    """The folder where it began; it decides about the project even if the agent changes folders."""
    drawers: tuple[int, ...] = ()
    """Ids of the drawers that were injected and that the model still sees."""
    prompts: tuple[str, ...] = ()
    """The person's last prompts, the latest last."""

    def with_drawers(self, drawers: Iterable[int]) -> Session:
        """Return a copy with further injected drawers."""
        every = tuple(dict.fromkeys((*self.drawers, *drawers)))
        return replace(self, drawers=every[-MOST_DRAWERS:])

    def with_prompt(self, prompt: str) -> Session:
        """Return a copy with a further prompt, which must be redacted."""
        return replace(self, prompts=(*self.prompts, prompt[:LONGEST_PROMPT])[-MOST_PROMPTS:])


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of one user in a home folder."""

    home: Path
    user: str

    def load(self, session: str) -> Session:
        """Load the state of a session; an empty one if it is missing or invalid."""
        if not session:
            return Session()
        try:
            fields = json.loads(read_file(self._path(session), LARGEST))
            return Session(
                _text(fields["folder"]),
                tuple(each for each in fields["drawers"] if isinstance(each, int))[-MOST_DRAWERS:],
                tuple(_text(each)[:LONGEST_PROMPT] for each in fields["prompts"])[-MOST_PROMPTS:],
            )
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return Session()

    def save(self, session: str, known: Session) -> None:
        """Write the state atomically; on failure the old one stays."""
        if not session:
            return
        fields = {"user": self.key, "folder": known.folder, "drawers": known.drawers, "prompts": known.prompts}
        with suppress(OSError):
            make_private(str(self.home), HOOKS, FOLDER)
            write_whole(str(self._path(session)), json.dumps(fields).encode())

    def end(self, session: str) -> None:
        """Delete the prompts of a session that has ended."""
        known = self.load(session)
        if known.prompts:
            self.save(session, replace(known, prompts=()))

    def forget(self) -> None:
        """Delete the prompts of all sessions of this user, and what was injected into them.

        The folder of each session stays until it is swept: it quotes nobody, names no user, and the session may go on.
        Without it, the session would be taken to begin wherever its agent is working then.
        """
        for path in self._files(FOLDER):
            with suppress(OSError):
                if _is_of(self.key, read_file(path, LARGEST)):
                    path.unlink()

    def sweep(self) -> None:
        """Delete the files of sessions without events for a week, of all users."""
        oldest = time.time() - KEPT_SECONDS
        for files in (self._files(FOLDER), self._files(BEGAN)):
            # A random sample each time, so that all old files are found in the end.
            for path in files if len(files) <= SWEPT else random.sample(files, SWEPT):
                with suppress(OSError):
                    if path.lstat().st_mtime < oldest:
                        path.unlink()

    def _files(self, folder: str) -> list[Path]:
        with suppress(OSError):
            return list((self.home / HOOKS / folder).iterdir())
        return []

    def _path(self, session: str) -> Path:
        name = sha256(f"{self.user}\0{session}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return self.home / HOOKS / FOLDER / f"{name}.json"

    @property
    def key(self) -> str:
        """Return a digest of the user's name, for names of files."""
        return sha256(self.user.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def agreed(folders: tuple[str, ...]) -> str:
    """Return the folder where a session is working; "" if it was started in folders of several projects.

    In that case its project is unknown, and it gets no memories.
    """
    if len({*folders}) <= 1:
        return folders[0] if folders else ""
    keys = {key_of_folder(folder) if folder else "" for folder in folders}
    return folders[0] if len(keys) == 1 and "" not in keys else ""


def read_file(path: Path, largest: int) -> bytes:
    """Read at most so many bytes of a file that is not a link.

    Raises:
        OSError: the system refuses.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(largest)


def _is_of(user: str, content: bytes) -> bool:
    """Check whether a file belongs to a user; an invalid file may be anybody's, so it counts."""
    try:
        return bool(json.loads(content).get("user", user) == user)
    except (ValueError, AttributeError, RecursionError):
        return True


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
