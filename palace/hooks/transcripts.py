"""Check which transcripts may be mined: files of this account, at the named path, and not behind a link.

The path comes from the caller of the hook, and mined text is shown to agents later.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path, PurePath

from palace.config.checkout import home_folder

ENDINGS = (".jsonl", ".json")
"""File endings of coding agents' transcripts."""
LARGEST = 1 << 30
"""Bytes of a transcript, at most; usual ones are some megabytes."""
_NOT_FILES = ("/dev", "/proc", "/sys")
_FOLDERS = {
    "claude-code": (".claude", ("projects/*",)),
    "codex": (".codex", ("sessions/*/*/*", "archived_sessions")),
    "gemini": (".gemini", ("tmp/*/chats",)),
    "qwen": (".qwen", ("projects/*/chats",)),
    "cursor": (".cursor", ("projects/*/agent-transcripts/*",)),
}
"""Where programs keep transcripts, below their own folder; each file is named by the id of its session."""


def where_it_lies(transcript: str, harness: str) -> str:
    """Return the path of a transcript; if it does not exist, the latest file of that name in the program's folders.

    It moves to another folder when a worktree is removed, a folder is renamed or a session is archived.
    """
    named = Path(transcript) if transcript.startswith("/") and "\0" not in transcript else None
    if named is None or harness not in _FOLDERS or os.path.lexists(named):
        return transcript
    own, patterns = _FOLDERS[harness]
    roots = {home_folder() / own, *(each for each in named.parents if each.name == own)}
    found: dict[str, float] = {}
    for root in roots:
        for pattern in patterns:
            with suppress(OSError):
                candidates = [each / named.name for each in root.glob(pattern)]
                found |= {str(path): path.lstat().st_mtime for path in candidates if path.is_file()}
    return max(found, key=lambda path: found[path], default=transcript)


def refusal(path: str) -> str:
    """Return a one-word code for why a transcript is not mined, or "" if it may be.

    The file may be replaced a moment later, but only by someone with write access to the folder: the account itself.
    """
    if not path or "\0" in path or not path.startswith("/"):
        return "no_path"
    if not path.endswith(ENDINGS):
        return "no_transcript"
    try:
        found, folder = os.lstat(path), os.stat(os.path.dirname(path))  # noqa: PTH116, PTH120 — bytes of any shape
        real = os.path.realpath(os.path.dirname(path))  # noqa: PTH120
    except (OSError, ValueError):
        return "vanished"
    if f"/{''.join(PurePath(real).parts[1:2])}" in _NOT_FILES:
        return "no_file"
    return _of_file(found) or _of_folder(folder)


def _of_file(found: os.stat_result) -> str:
    if stat.S_ISLNK(found.st_mode):
        return "a_link"
    if not stat.S_ISREG(found.st_mode):
        return "no_file"
    if found.st_uid != os.geteuid():
        return "of_another_account"
    if found.st_mode & stat.S_IWOTH:
        return "others_write"
    return "too_large" if found.st_size > LARGEST else ""


def _of_folder(found: os.stat_result) -> str:
    if found.st_uid not in {os.geteuid(), 0}:
        return "of_another_account"
    return "others_write" if found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX else ""
