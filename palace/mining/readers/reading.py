"""What every reader is told about the reading it is part of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palace.errors import UnreadableSource


@dataclass(frozen=True, slots=True)
class Reading:
    """The file being read and the moment of reading."""

    file: str
    """As the person would name it, for messages."""
    now: datetime
    """Times more than a day later than this are not believed."""

    def problem(self, reason: str, place: str = "") -> UnreadableSource:
        """Word an error about this file; the caller raises it."""
        return UnreadableSource(self.file, reason, place=place)
