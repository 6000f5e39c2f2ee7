"""Folders of Palace's own: a home where there is none, and what is closed to all others in it."""

from __future__ import annotations

import os
from pathlib import Path

PRIVATE = 0o700


def make_home(home: Path) -> None:
    """Make a home where there is none, closed to others; what exists is left as it is.

    Root's can be passed through, as the account that the embedded server runs under has to.

    Raises:
        OSError: the system refuses.
    """
    mode = 0o711 if os.geteuid() == 0 else PRIVATE
    for folder in (*reversed(home.parents), home):
        if folder.exists():
            continue
        try:
            folder.mkdir(mode)
        except FileExistsError:  # somebody else has made it meanwhile
            continue
        folder.chmod(mode)


def make_private(home: Path, *names: str) -> Path:
    """Make a folder in a home, and those around it, for this account alone; what exists is left as it is.

    Raises:
        OSError: the system refuses.
    """
    folder = home.joinpath(*names)
    try:
        folder.mkdir(PRIVATE)
    except FileExistsError:
        return folder
    except FileNotFoundError:
        make_home(home)
        for number in range(len(names)):
            home.joinpath(*names[: number + 1]).mkdir(PRIVATE, exist_ok=True)
    return folder
