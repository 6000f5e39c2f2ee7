"""The result of a turn: the block for the current message, the messages to send, and a way to finish it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from palace.agent.gate import Decision
from palace.agent.query import Query
from palace.models import Hit


@dataclass(frozen=True, slots=True)
class Finished:
    """The result of filing an exchange."""

    is_filed: bool = False
    """Whether it is in the palace: durable, and searchable by its words."""
    is_waiting: bool = False
    """Whether it waits in the outbox, to be filed with a later turn."""
    drawers_new: int = 0
    notes: tuple[str, ...] = ()
    """Failures, one line each."""
    timings: Mapping[str, float] = field(default_factory=dict, compare=False)
    """Milliseconds by step: "file", to file or enqueue it; empty where there was nothing to file."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What memory returns for one message of a person."""

    block: str
    """The memory block for the message; "" where there is none."""
    hits: tuple[Hit, ...]
    """The hits in the block, best first; none of them is in the history already."""
    decision: Decision
    """Whether recall ran, and why."""
    query: Query | None
    """The query; None where recall did not run."""
    messages: list[Any]
    """The whole request: the history with the blocks of earlier turns, byte for byte, and the message with its own."""
    timings: Mapping[str, float]
    """Milliseconds by step: "blocks", "gate", "query", "recall", "write", "keep", "working", "total"; "recall.embed"
    and others within recall."""
    notes: tuple[str, ...] = ()
    """Failures and omissions, one line each."""
    session: str | None = None
    """The program's id of the conversation, if it has one."""
    left_out: int = 0
    """How many messages working memory left out of those to send (docs/working-memory.md)."""
    _finish: Callable[[object, bool], Finished] = field(default=lambda *_: Finished(), repr=False, compare=False)

    def finish(self, reply: object = None, *, later: bool = False) -> Finished:
        """File the message and the reply, without waiting for any index step.

        ``reply`` is a text, a message, several of them (tool calls and their results among them), or the whole response
        of an API. Failures of memory are never raised: what cannot be filed now waits in the outbox. The same reply
        object again files nothing. With ``later``, it is only put into the outbox, for programs that are about to end.
        """
        return self._finish(reply, later)
