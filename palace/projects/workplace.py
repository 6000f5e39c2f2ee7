"""Whether the folder in which a program was started says what is worked on there.

Some programs are started where somebody works; others from a desktop, in the home folder or where they are installed.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from palace.projects.checkout import find_checkout, home_folder

SYSTEM = frozenset(
    ("bin", "boot", "dev", "etc", "lib", "lib64", "nix", "opt", "proc", "run", "sbin", "snap", "sys", "usr", "var")
)
"""Folders of the root in which programs lie, and what they keep: none of it is a project, unless it is a checkout."""
TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 — nothing is written there


def is_workplace(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder is, or lies in, one that somebody works in: a checkout, or a folder of a person's own.

    The home folder and those above it are none, nor are the temporary folder itself, hidden folders, and those of the
    system.
    """
    home = home_folder()
    checkout = find_checkout(folder, home)
    if checkout is None or not checkout.is_there:
        return False
    root = checkout.root
    if root in (home, *home.parents) or root in _temporary():
        return False
    if checkout.is_repository:
        return True
    parts = root.relative_to(home).parts if root.is_relative_to(home) else root.parts[1:]
    is_theirs = root.is_relative_to(home) or any(root.is_relative_to(each) for each in _temporary())
    return not any(part.startswith(".") for part in parts) and (is_theirs or parts[0] not in SYSTEM)


def _temporary() -> set[Path]:
    return {Path(os.path.realpath(each)) for each in (*TEMPORARY, tempfile.gettempdir())}
