"""Where a session began: written down at its first event of any kind, and changed by none that comes later.

The program that the host starts writes it before anything of Palace is imported (``palace_hook.began``, which does the
same), so that neither a database that hangs nor a busy machine leaves it open. A line for each folder that a session of
that name was started in, anew, written as JSON; the first is where it began.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path

from palace.folders import make_private
from palace.hooks.failures import FOLDER as HOOKS
from palace.projects import key_of_folder

FOLDER = "began"
MOST = 8
"""Folders that are kept of a session; of one that was started in more, it is not known where it is at work."""
LARGEST = 1 << 20
ON = frozenset({"resume", "clear", "compact"})
"""Why a session goes on that was there before: where that happens says nothing of where it began."""
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
"""Of what a file is called after its session; all other names are written as their digest."""
LONGEST_PLAIN = 64


def begin(home: Path, session: str, folder: str, *, anew: bool = False) -> tuple[str, ...]:
    """Write down where a session is at work, unless that is known; give all folders that it was started in.

    ``anew`` says that it is being started, by its program, and does not go on: it may be another session of that name.
    Of a session without a name nobody knows whether it is the one that was heard of before: it has no folder.

    Raises:
        OSError: the system refuses.
    """
    if not session:
        return ()
    path = make_private(home, HOOKS, FOLDER) / file_name(session)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(path, flags, 0o600)
    try:
        known = _folders(os.read(descriptor, LARGEST))
        if folder and (not known or (anew and folder not in known and len(known) <= MOST)):
            folder = folder if len(known) < MOST else ""
            os.write(descriptor, json.dumps(folder).encode() + b"\n")
            known = (*known, folder)
        os.utime(descriptor)
    finally:
        os.close(descriptor)
    return known


def agreed(folders: tuple[str, ...]) -> str:
    """Give the folder where a session is at work; "" where it was started in several that are not of one project.

    Then nobody knows which of them its words are of, and it is given nothing of either.
    """
    if len({*folders}) <= 1:
        return folders[0] if folders else ""
    keys = {key_of_folder(folder) if folder else "" for folder in folders}
    return folders[0] if len(keys) == 1 and "" not in keys else ""


def file_name(session: str) -> str:
    """Give the name of a session's file, the same for all users."""
    if len(session) <= LONGEST_PLAIN and PLAIN.issuperset(session):
        return f"s-{session}"
    return f"h-{sha256(session.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def _folders(content: bytes) -> tuple[str, ...]:
    """Read the folders; what makes no sense is a folder that no project has."""
    return tuple(_folder(line) for line in content.splitlines(keepends=True))


def _folder(line: bytes) -> str:
    try:
        told = json.loads(line) if line.endswith(b"\n") else ""
    except (ValueError, RecursionError):
        return ""
    return told if isinstance(told, str) else ""
