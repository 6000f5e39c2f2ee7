"""What is known of a session while it lasts: where it began, what was injected into it, and the last messages.

Files for each session below the home, for its owner alone. Where it began is written at its first event of any kind and
changed by none that comes later; the program that the host starts writes it before anything of Palace is imported
(``palace_hook.notes``). The rest is without secrets, a help and no record: where it is lost, something may be injected
twice. Files go a week after a session was last heard of.
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
        """Return it with what was injected."""
        every = tuple(dict.fromkeys((*self.drawers, *drawers)))
        return replace(self, drawers=every[-MOST_DRAWERS:])

    def asked(self, prompt: str) -> Session:
        """Return it with a message of the person, which is without secrets."""
        return replace(self, prompts=(*self.prompts, prompt[:LONGEST_PROMPT])[-MOST_PROMPTS:])


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
            fields = json.loads(read_file(self._path(session), LARGEST))
            return Session(
                _text(fields["folder"]),
                tuple(each for each in fields["drawers"] if isinstance(each, int))[-MOST_DRAWERS:],
                tuple(_text(each)[:LONGEST_PROMPT] for each in fields["prompts"])[-MOST_PROMPTS:],
            )
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return Session()

    def save(self, session: str, known: Session) -> None:
        """Write it whole, or leave it as it was."""
        if not session:
            return
        fields = {"user": self._key(), "folder": known.folder, "drawers": known.drawers, "prompts": known.prompts}
        with suppress(OSError):
            make_private(str(self.home), HOOKS, FOLDER)
            write_whole(str(self._path(session)), json.dumps(fields).encode())

    def end(self, session: str) -> None:
        """Keep nothing of what was said in a session that is over."""
        known = self.load(session)
        if known.prompts:
            self.save(session, replace(known, prompts=()))

    def forget(self) -> None:
        """Throw away what was said in all sessions of this user, and what was injected into them.

        Where a session began stays until it is swept away: it is no word of anybody, the session may go on, and whose
        it is does not stand there. Without it, it would begin again wherever its agent happens to be at work.
        """
        for path in self._files(FOLDER):
            with suppress(OSError):
                if _is_of(self._key(), read_file(path, LARGEST)):
                    path.unlink()

    def sweep(self) -> None:
        """Throw away what was not heard of for long, of whomever."""
        oldest = time.time() - KEPT_SECONDS
        for files in (self._files(FOLDER), self._files(BEGAN)):
            # Others each time: what is old is found in the end.
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

    def _key(self) -> str:
        return sha256(self.user.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def agreed(folders: tuple[str, ...]) -> str:
    """Return the folder where a session is at work; "" if it was started in several that are not of one project.

    Then nobody knows which of them its words are of, and it is given nothing of either.
    """
    if len({*folders}) <= 1:
        return folders[0] if folders else ""
    keys = {key_of_folder(folder) if folder else "" for folder in folders}
    return folders[0] if len(keys) == 1 and "" not in keys else ""


def read_file(path: Path, largest: int) -> bytes:
    """Read a file that is no link, so many bytes at most.

    Raises:
        OSError: the system refuses.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(largest)


def _is_of(user: str, content: bytes) -> bool:
    """Return whether a file is of a user; one that makes no sense is nobody's, and may hold words of anybody."""
    try:
        return bool(json.loads(content).get("user", user) == user)
    except (ValueError, AttributeError, RecursionError):
        return True


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
