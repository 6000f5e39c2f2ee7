"""What a hook asks, however it comes here: through the socket of a worker, or in the process that the host started."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PROTOCOL = 1
"""Of what goes over the socket; one that names another is declined."""
LONGEST_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class HookRequest:
    """One call of ``palace hook``."""

    text: str
    """What the program sent, as it was read from standard input."""
    event: str = ""
    """What the command line calls the event."""
    harness: str | None = None
    user: str | None = None
    """Whose palace the command line names; None for that of the settings."""
    folder: str = ""
    """Where the hook was started, for what does not say where it is at work."""
    seconds: float = LONGEST_SECONDS
    """What is left of the time, as whoever asks has it."""
    is_left: bool = False
    """Whether whoever asks has left the note that the transcript has grown."""

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> HookRequest:
        """Take a request as it is sent over the socket; what is of another type counts as missing."""
        named = {name: told.get(name) for name in ("event", "harness", "user", "folder", "input")}
        said = {name: value if isinstance(value, str) else None for name, value in named.items()}
        seconds = told.get("seconds")
        is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and seconds > 0
        return cls(
            said["input"] or "",
            said["event"] or "",
            said["harness"] or None,
            said["user"],
            said["folder"] or "",
            float(seconds) if is_number and seconds is not None else LONGEST_SECONDS,
            told.get("left") is True,
        )
