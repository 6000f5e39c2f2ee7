"""Which folder a name of Cursor's stands for: a path in which every sign but letters and digits became a hyphen."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

_OTHER = re.compile(r"[^A-Za-z0-9]+")
_HOME = re.compile(r"(?:[A-Za-z]-)?(?:home|Users)-[^-]+-(.+)")
_MOST = 2000
"""So many folders are looked at to find one."""


def find_folder(name: str) -> str | None:
    """Find the folder on this machine that is written so.

    Several may be; the first by name is taken, which gives the same every time.
    """
    found = next(_folders(Path(os.sep), name.lower(), [_MOST]), None) if name.strip("-") else None
    return None if found is None else str(found)


def below_home(name: str) -> str | None:
    """Give what of a name stands behind that of a home folder, all of it where none is told."""
    below = _HOME.fullmatch(name)
    return (below[1] if below else name.strip("-")) or None


def _folders(parent: Path, wanted: str, left: list[int]) -> Iterator[Path]:
    """Find the folders below one whose path is written so."""
    try:
        names = sorted(entry.name for entry in os.scandir(parent) if entry.is_dir())
    except OSError:
        return
    for name in names:
        written = _written(name)
        left[0] -= 1
        if left[0] < 0:
            return
        if not written or not wanted.startswith(written):
            continue
        rest = wanted[len(written) :]
        if not rest:
            yield parent / name
        elif rest.startswith("-"):
            yield from _folders(parent / name, rest[1:], left)


def _written(name: str) -> str:
    return _OTHER.sub("-", name).strip("-").lower()
