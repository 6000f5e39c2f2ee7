"""The result of a turn: the block for the message at hand, the messages to send, and how it is finished."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from palace.agent.gate import Decision
from palace.agent.query import Query
from palace.models import Hit


@dataclass(frozen=True, slots=True)
class Finished:
    """What came of filing an exchange."""

    is_filed: bool = False
    """Whether it is in the palace: durable, and found by its words."""
    is_waiting: bool = False
    """Whether it waits in the outbox, from where the next turn that can files it."""
    drawers_new: int = 0
    notes: tuple[str, ...] = ()
    """What failed, one line each."""
    timings: Mapping[str, float] = field(default_factory=dict, compare=False)
    """Milliseconds by step: "file", to file it or have it wait; none where nothing was to be filed."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What memory has for one message of a person."""

    block: str
    """What is put beside the message; "" where there is nothing."""
    hits: tuple[Hit, ...]
    """What the block says, the best first; none of them is in the history already."""
    decision: Decision
    """Whether anything was looked for, and why."""
    query: Query | None
    """What was asked; None where nothing was."""
    messages: list[Any]
    """The whole request: the history with the blocks of earlier turns, byte for byte, and the message with its own."""
    timings: Mapping[str, float]
    """Milliseconds by step: "blocks", "gate", "query", "recall", "write", "keep", "working", "total"; "recall.embed"
    and so on within."""
    notes: tuple[str, ...] = ()
    """What failed, or was left out, one line each."""
    session: str | None = None
    """What its conversation is known by, where the program says so."""
    left_out: int = 0
    """How many messages are not among those to send, because working memory left them out (docs/working-memory.md)."""
    _finish: Callable[[object], Finished] = field(default=lambda _: Finished(), repr=False, compare=False)

    def finish(self, reply: object = None) -> Finished:
        """File the message and what was said to it, without waiting for any index step.

        ``reply`` is a text, a message, several of them (calls of tools and their results among them), or the whole
        answer of an API. Never raises for memory's sake: what cannot be filed now waits in the outbox. The same once
        more files nothing again.
        """
        return self._finish(reply)
