"""The two streams of a program that speaks over them: taken for the protocol alone, before anything can print.

What a library or a child writes to standard output goes to standard error from then on, and nobody but the protocol
reads standard input.
"""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass

_ABOVE_STANDARD = 3


@dataclass(frozen=True, slots=True)
class Wire:
    """Descriptors of the protocol's own: where it reads, and where it writes."""

    reads: int
    writes: int

    @classmethod
    def taken(cls) -> Wire:
        """Take standard input and output.

        Raises:
            OSError: one of them is closed.
        """
        reads, writes = (fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, _ABOVE_STANDARD) for number in (0, 1))
        nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        return cls(reads, writes)
