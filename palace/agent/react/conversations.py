"""Open conversations of an agent: what each run left, and how memories are stored when a conversation ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from palace.agent.guard import Outcome, log_failure
from palace.agent.react.learning import Invocation, episode_of
from palace.agent.react.memory import EPISODES, FACTS, AgentMemory
from palace.errors import PalaceError

MOST = 1_000
"""Conversations that are open at once; with more, the oldest one ends."""
SHOWN = 10
"""The latest runs of a conversation whose summaries the next run gets."""
Key = tuple[str, str, str]
"""User, collection, and the id of the conversation."""


class Conversations:
    """The open conversations of an agent, which one thread in the background reads and changes, in order."""

    def __init__(self) -> None:
        self._open: dict[Key, tuple[AgentMemory, list[Invocation]]] = {}
        self._thread = ThreadPoolExecutor(1, "palace-agent")

    def runs(self, key: Key, seconds: float) -> list[Invocation]:
        """Return the latest runs of a conversation; none if their summaries are not ready in time."""
        with suppress(TimeoutError):
            _, runs = self._thread.submit(self._open.get, key, (None, [])).result(seconds)
            return runs[-SHOWN:]
        return []

    def add(self, key: Key, memory: AgentMemory, make: Callable[[], Invocation], *, ends: bool) -> None:
        """Add a run to a conversation, in the background, and end it if it has only this one."""

        def work() -> None:
            self._open.setdefault(key, (memory, []))[1].append(make())
            if ends or len(self._open) > MOST:
                self._promote(key if ends else next(iter(self._open)))

        self._thread.submit(work)

    def end(self, key: Key) -> None:
        """End a conversation; one that is unknown has ended already."""
        self._thread.submit(self._promote, key).result()

    def drop(self, user: str, wing: str) -> None:
        """Drop the open conversations of a user in a collection without storing them."""
        for key in self._thread.submit(lambda: [*self._open]).result():
            if key[:2] == (user, wing):
                self._thread.submit(self._open.pop, key, None).result()

    def close(self) -> None:
        """End all conversations, and wait until their memories are stored."""
        for key in self._thread.submit(lambda: [*self._open]).result():
            self.end(key)

    def _promote(self, key: Key) -> None:
        """Store the facts and the episode of a conversation; it stays open if that fails."""
        if key not in self._open:
            return
        started = time.perf_counter()
        try:
            _store(key[-1], *self._open[key])
        except PalaceError as problem:
            log_failure("agent", Outcome(problem.code), step="promote", started=started)
        else:
            del self._open[key]


def _store(conversation: str, memory: AgentMemory, runs: Sequence[Invocation]) -> None:
    """File the questions and answers of some runs, and store facts and an episode that cite them."""
    settings = memory.settings
    facts = [(fact, number) for number, run in enumerate(runs) for fact in run.facts]
    facts = facts if settings.enable_auto_fact_extraction else []
    if not facts and not settings.enable_episode_recording:
        return
    pointers = memory.file(conversation, *(text for run in runs for text in (run.question, run.answer)))
    for (fact, origin), number in facts:
        memory.store(fact, FACTS[0], origin, pointers[2 * number : 2 * number + 1])
    if settings.enable_episode_recording:
        origin = "tool" if any(run.steps for run in runs) else "assistant"
        memory.store(episode_of(runs), EPISODES[0], origin, pointers)
