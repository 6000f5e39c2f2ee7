"""How much memory there is to work with: the machine's, or what the container around us may use of it."""

from __future__ import annotations

import os
from pathlib import Path

MEGABYTE = 2**20
LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Where Linux says what a container may use, in either way; "max", or a huge number, where nothing limits it."""


def usable_memory() -> int:
    """Give how many bytes of memory this process and its server may use together."""
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min((physical, *(limit for limit in map(_limit, LIMITS) if limit is not None)))


def share_of_memory(part: int, *, least: int, most: int) -> int:
    """Give one ``part``-th of the memory in whole megabytes, neither less than ``least`` nor more than ``most``."""
    return max(least, min(usable_memory() // MEGABYTE // part, most))


def _limit(file: Path) -> int | None:
    try:
        written = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return int(written) if written.isdecimal() else None
