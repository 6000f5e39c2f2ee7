"""Where the palace's home is, told without importing anything of Palace: ``palace.settings`` says it otherwise."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT_HOME = "/var/lib/palace"


def find_home() -> Path:
    """Give the folder that ``PALACE_HOME`` names, else that of this account."""
    named = os.environ.get("PALACE_HOME")
    if named:
        return Path(os.path.abspath(os.path.expanduser(named)))  # noqa: PTH100, PTH111 — pathlib's raises
    if os.geteuid() == 0:
        return Path(ROOT_HOME)
    if sys.platform == "darwin":
        return Path(os.path.expanduser("~/Library/Application Support/palace"))  # noqa: PTH111
    data = os.environ.get("XDG_DATA_HOME", "")
    return Path(data if data.strip() else os.path.expanduser("~/.local/share"), "palace")  # noqa: PTH111
