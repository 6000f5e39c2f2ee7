"""What a strategy keeps of a history, and what every strategy promises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from palace.records import CallRecord
from palace.working.summary.checkpoint import Checkpoint


@dataclass(frozen=True, slots=True)
class Kept:
    """What of a history is sent."""

    messages: list[Any]
    """Ready to send, in their order: the very objects that were given."""
    left_out: int
    """How many messages of the history are not among them."""
    tokens: int | None = None
    """What they take, the beginning of the reply with it; None where nothing was counted."""
    is_exact: bool = False
    """Whether texts were counted by the model's own tokenizer."""
    warnings: tuple[str, ...] = ()
    """What a person should know, in a line each."""
    checkpoint: Checkpoint | None = None
    """To be given with the next history of the conversation, by a strategy that sums up."""
    calls: tuple[CallRecord, ...] = ()
    """Calls of a model that were made for it."""
    is_due: bool = False
    """Whether a summary is due that was not made: nobody was to be asked, it failed, or it takes further requests."""


class WorkingMemory(Protocol):
    """Chooses what of a conversation is sent with its next request."""

    @property
    def name(self) -> str:
        """What settings call it."""

    def keep(self, history: Sequence[Any], checkpoint: Checkpoint | None = None) -> Kept:
        """Choose what is sent of a history, the newest message last.

        What is kept begins with a user's message, behind system messages, which all stay at their places. A call of a
        tool and its results are kept together or not at all. The history is not changed.

        Raises:
            BadRequest: the history is none.
        """
