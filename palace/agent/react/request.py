"""A request to an agent, its steps, and the run that answers it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any, Literal

from pydantic import Field

from palace.agent.messages import text_in
from palace.agent.react.settings import Named


class AgentRequest(Named):
    """A question to an agent, with all that belongs to it."""

    question: str = Field(min_length=1)
    history: list[Any] = Field(default_factory=list)
    """The messages before the question, as chat APIs take them."""
    user: str | None = None
    """The user whose memory is used; an agent with ``Palaces`` needs it."""
    streaming: bool = False
    """Whether the run proceeds while it is iterated, rather than before it is returned."""
    state: dict[str, Any] = Field(default_factory=dict)
    """The current state of the program, which the model sees as JSON."""
    group: str | None = None
    """The collection of memories, a wing; None for the agent's own."""
    conversation_id: str | None = None
    """The conversation to continue; without one the run is a conversation of its own."""
    enable_memory: bool = True
    """Whether memory is used; without it an agent sends exactly what ``ReActLoop`` sends."""

    @property
    def said(self) -> list[str]:
        """The texts that the person wrote, the question last."""
        users = (each for each in self.history if isinstance(each, Mapping) and each.get("role") == "user")
        return [*filter(None, (text_in(each.get("content")) for each in users)), self.question]


@dataclass(frozen=True, slots=True)
class AgentStep:
    """One thought with its action and the observation that followed."""

    thought: str
    action: str
    """Name of the tool."""
    arguments: str
    """JSON, as the model wrote it."""
    observation: str
    is_failed: bool = False
    """Whether the tool failed or could not be called."""
    origin: Literal["tool", "memory"] = "tool"
    """Whether a tool of the program was called, or one of the agent's own memory."""


@dataclass(slots=True)
class AgentRun:
    """The run for one request. Iterate it for its events: pieces of the model's text, and each step.

    Unless the request is ``streaming``, it is over when it is returned.
    """

    request: AgentRequest
    id: str = field(default_factory=lambda: f"run-{token_hex(8)}")
    """Its conversation, unless the request names one."""
    steps: list[AgentStep] = field(default_factory=list)
    """The steps so far."""
    iterations: int = 0
    """Replies of the model so far."""
    is_finished: bool = False
    """Whether the model answered by itself, rather than because its iterations were used up."""
    notes: list[str] = field(default_factory=list)
    """Failures that did not end the run, one line each."""
    memories: tuple[str, ...] = ()
    """Pointers of the memories that were put before the question."""
    reply: str = ""
    """The answer; "" until the run is over."""
    events: Iterator[str | AgentStep] = field(default_factory=lambda: iter(()))

    def __iter__(self) -> Iterator[str | AgentStep]:
        """Go on with the run, and yield its events."""
        return self.events

    @property
    def answer(self) -> str:
        """The answer, once the run is over.

        Raises:
            LanguageModelError: the model did not reply, or the day's budget is used up.
        """
        while not self.reply and next(self.events, None) is not None:
            pass
        return self.reply
