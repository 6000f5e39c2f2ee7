"""Reserve standard input and output for the protocol, before anything can print.

From then on, output of libraries and child processes goes to standard error, and only the protocol reads standard
input.
"""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass

_ABOVE_STANDARD = 3


@dataclass(frozen=True, slots=True)
class Wire:
    """File descriptors reserved for the protocol: one to read, one to write."""

    reads: int
    writes: int

    @classmethod
    def taken(cls) -> Wire:
        """Take over standard input and output.

        Raises:
            OSError: one of them is closed.
        """
        reads, writes = (fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, _ABOVE_STANDARD) for number in (0, 1))
        nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        return cls(reads, writes)
