"""What came of one message, as ``palace chat --json`` tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from palace.records import Hit


@dataclass(frozen=True, slots=True)
class Answered:
    """One message with what was recalled for it and what was replied."""

    session: str
    message: str
    """As it was typed."""
    reply: str
    """What the model said, as far as it came; "" where it said nothing."""
    model: str | None
    is_stopped: bool
    """Whether the reply was ended early."""
    problem: str
    """Why there is no reply, or not all of it; "" where there is."""
    searched: bool
    reason: str
    """Why memory was looked at, or not."""
    query: str | None
    """What was asked; None where nothing was."""
    hits: tuple[Hit, ...]
    """What was put in, the best first."""
    block: str
    """The text that was put beside the message."""
    timings_ms: Mapping[str, float]
    is_filed: bool
    is_waiting: bool
    """Whether it waits in the outbox."""
    notes: tuple[str, ...]
    """What failed, one line each."""
