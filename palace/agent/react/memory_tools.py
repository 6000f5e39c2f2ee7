"""The tools by which the model of an agent uses its memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from palace.agent.react.learning import used_tools
from palace.agent.react.memory import EPISODES, FACTS, AgentMemory, block_of
from palace.agent.react.origin import evidence_of, origin_of
from palace.agent.react.request import AgentRun
from palace.agent.react.tools import Tool
from palace.models import Memory

MOST = 20
"""Memories that one call of a tool returns at most."""


@dataclass(frozen=True, slots=True)
class MemoryTools:
    """The tools of one run."""

    memory: AgentMemory
    run: AgentRun
    conversation: str
    seen: list[Memory]
    """The memories that the model has seen."""
    used_before: bool
    """Whether it saw results of tools in earlier runs."""
    in_time: Callable[[Callable[[], str]], str]
    """Returns what a function returns, and raises an error where that takes too long."""

    def tools(self) -> tuple[Tool, ...]:
        """Return them."""
        return tuple(
            Tool.of(each, origin="memory") for each in (self.retrieve_memory, self.recall_experience, self.store_fact)
        )

    def retrieve_memory(self, query: str, limit: int = 5) -> str:
        """Look up facts that are remembered: what the person said, likes, has, decided."""
        return self.in_time(lambda: self._look_up(query, FACTS, limit))

    def recall_experience(self, goal: str, limit: int = 3) -> str:
        """Look up earlier tasks with a like goal: their steps, outcome and lessons."""
        return self.in_time(lambda: self._look_up(goal, EPISODES, limit))

    def store_fact(self, fact: str) -> str:
        """Remember one fact for later conversations, as one sentence that can be understood alone."""
        return self.in_time(lambda: self._store(fact))

    def _look_up(self, query: str, types: tuple[str, ...], limit: int) -> str:
        memories = self.memory.retrieve(query, types, min(max(limit, 1), MOST))
        self.seen.extend(memories)
        return block_of(memories).strip() or "There are no memories about this."

    def _store(self, fact: str) -> str:
        said, seen = self.run.request.said, any(str(each.origin) == "tool" for each in self.seen)
        origin = origin_of(fact, said, has_seen_tools=self.used_before or seen or bool(used_tools(self.run)))
        evidence = self.memory.file(self.conversation, evidence_of(fact, said))
        return f"Stored as {self.memory.store(fact, FACTS[0], origin, list(filter(None, evidence))).id}."
