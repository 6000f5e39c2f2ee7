"""How much a process holds at most, told by the kernel; Linux alone tells and forgets it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

LONGEST_SECONDS = 10
LARGEST_MEGABYTES = 600
"""Of the process that runs commands: all that it holds."""
LARGEST_GROWTH = 400
"""Megabytes that reading one file may take, beside what the trial held before."""

_STATUS, _FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class TookTooLong(BaseException):
    """Raised in the midst of what does not end; nothing that is tried catches it."""


@dataclass(slots=True)
class Growth:
    """What a block took."""

    megabytes: int = 0


@contextmanager
def watched() -> Iterator[Growth]:
    """Measure what the block holds at most beside what was held before, and raise where it takes too long.

    Raises:
        TookTooLong: the block has had its seconds.
    """
    growth, before = Growth(), held("VmRSS")
    forget_peak()
    former = signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_SECONDS)
    try:
        yield growth
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
        growth.megabytes = max(held("VmHWM") - before, 0)


def forget_peak() -> None:
    """Have the kernel measure the peak from now on."""
    if _FORGET.exists():
        _FORGET.write_text("5")


def _too_long(_: int, __: FrameType | None) -> None:
    raise TookTooLong


def held(kind: str) -> int:
    """Give a figure of this process in megabytes; 0 where there is no /proc."""
    if not _STATUS.exists():
        return 0
    return next(int(line.split()[1]) >> 10 for line in _STATUS.read_text().splitlines() if line.startswith(kind))
