"""The working memory of a run: thoughts, actions and observations; above a threshold the older ones are summarised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from palace.agent.context_window.checkpoint import Checkpoint
from palace.agent.context_window.summary import SummaryBuffer
from palace.agent.react.model import ModelReply
from palace.agent.react.request import AgentStep

VERBATIM = 4
"""The latest messages that are kept as they are: two actions with their observations."""
_HEAD: dict[str, Any] = {"role": "user", "content": "?"}
"""Stands for the question, which is always sent, and costs nothing here."""


@dataclass(slots=True)
class Trace:
    """The messages since the question."""

    buffer: SummaryBuffer
    notes: list[str]
    """Where failures to summarise are noted."""
    _messages: list[Any] = field(default_factory=lambda: [_HEAD])
    _checkpoint: Checkpoint | None = None

    def add(self, reply: ModelReply, steps: Sequence[AgentStep]) -> None:
        """Add a reply of the model and the observations of its calls."""
        self._messages.append(reply.as_message())
        if not reply.tool_calls:
            self._messages.append({"role": "user", "content": f"Observation: {steps[0].observation}"})
        for call, step in zip(reply.tool_calls, steps, strict=False):
            self._messages.append({"role": "tool", "tool_call_id": call.id, "content": step.observation})

    def messages(self, question: Any) -> list[Any]:
        """Return what follows the history: a summary of older steps if there is one, the question, the latest steps."""
        kept = self.buffer.keep(self._messages, self._checkpoint)
        self._checkpoint = kept.checkpoint
        self.notes.extend(kept.warnings)
        latest = [each for each in kept.messages if each is not _HEAD]
        summary = [latest.pop(0)] if latest and latest[0]["role"] == "system" else []
        return [*summary, question, *latest]
