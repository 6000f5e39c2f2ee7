"""Open conversations of an agent: each run is stored, and memories are made of them when a conversation ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from palace.agent.guard import Outcome, log_failure
from palace.agent.react.learning import Invocation, episode_of
from palace.agent.react.memory import EPISODES, FACTS, AgentMemory
from palace.agent.react.open_runs import StoredRuns
from palace.errors import NotFound, PalaceError

MOST = 1_000
"""Conversations that one process ends when it closes, at most; the others end when they are idle."""
LONGEST = 100
"""Runs after which a conversation is stored, and begins anew."""
SHOWN = 10
"""The latest runs of a conversation whose summaries the next run gets."""
EVERY = 300
"""Seconds between two searches for conversations that are over."""
Key = tuple[str, str, str]
"""User, collection, and the id of the conversation."""


@dataclass(slots=True)
class Taken:
    """A conversation that this process takes part in."""

    memory: AgentMemory
    pending: list[Invocation] = field(default_factory=list)
    """Runs that are not stored yet."""


class Conversations:
    """The conversations of an agent, which one thread in the background reads and changes, in order."""

    def __init__(self) -> None:
        self._open: dict[Key, Taken] = {}
        self._looked: dict[tuple[str, str], float] = {}
        self._thread = ThreadPoolExecutor(1, "palace-agent")

    def runs(self, key: Key, memory: AgentMemory, seconds: float) -> list[Invocation]:
        """Return the latest runs of a conversation; none if their summaries are not ready in time."""

        def read() -> list[Invocation]:
            pending = self._open[key].pending if key in self._open else []
            with suppress(PalaceError):
                return [*StoredRuns(memory).read(key[-1]), *pending]
            return pending

        with suppress(TimeoutError):
            return self._thread.submit(read).result(seconds)[-SHOWN:]
        return []

    def add(
        self, key: Key, memory: AgentMemory, make: Callable[[], Invocation], *, ends: bool, logs: bool = True
    ) -> None:
        """Add a run to a conversation, in the background, and end it if it has only this one.

        Unless ``logs``, no failure is logged: that of the run is already.
        """

        def work() -> None:
            taken = self._open.setdefault(key, Taken(memory))
            taken.pending.append(make())
            store = self._promote if ends else self._keep
            self._attempt(store, key, memory, logs=logs)
            if len(self._open) > MOST:
                del self._open[next(iter(self._open))]
            self._attempt(self._end_others, key, memory, logs=logs)

        self._thread.submit(work)

    def end(self, key: Key, memory: AgentMemory) -> None:
        """End a conversation, of this or of an earlier process; one that is unknown has ended already."""
        self._thread.submit(self._attempt, self._promote, key, memory).result()

    def purge(self, user: str, memory: AgentMemory) -> None:
        """Delete what agents stored in a collection of a user, open conversations too."""

        def work() -> None:
            for key in [each for each in self._open if each[:2] == (user, memory.wing)]:
                del self._open[key]
            stored = StoredRuns(memory)
            for name in list(stored.names()):
                stored.drop(name)
            memory.delete()

        self._thread.submit(work).result()

    def close(self) -> None:
        """End the conversations that this process took part in, and wait until their memories are stored."""
        for key, taken in self._thread.submit(lambda: [*self._open.items()]).result():
            self.end(key, taken.memory)

    def _attempt(
        self, step: Callable[[Key, AgentMemory], None], key: Key, memory: AgentMemory, *, logs: bool = True
    ) -> None:
        """Do something with a conversation; it stays as it is if that fails."""
        started = time.perf_counter()
        try:
            step(key, memory)
        except PalaceError as problem:
            if logs:
                log_failure("agent", Outcome(problem.code), step=step.__name__.strip("_"), started=started)

    def _keep(self, key: Key, memory: AgentMemory) -> None:
        pending, runs = self._open[key].pending, list[Invocation]()

        def with_pending(stored: Sequence[Invocation]) -> Sequence[Invocation]:
            runs[:] = [*stored, *(_filed(memory, key[-1], run) for run in pending)]
            return runs

        StoredRuns(memory).change(key[-1], with_pending)
        pending.clear()
        if len(runs) >= LONGEST:
            self._promote(key, memory)

    def _promote(self, key: Key, memory: AgentMemory) -> None:
        pending = self._open[key].pending if key in self._open else ()

        def store(stored: Sequence[Invocation]) -> Sequence[Invocation]:
            _store(memory, [*stored, *(_filed(memory, key[-1], run) for run in pending)])
            return ()

        StoredRuns(memory).change(key[-1], store)
        self._open.pop(key, None)

    def _end_others(self, key: Key, memory: AgentMemory) -> None:
        """End the conversations of a collection that are idle, of earlier processes too, and delete what is too old."""
        user, wing, own = key
        now, settings = datetime.now(UTC), memory.settings
        if time.monotonic() - self._looked.get((user, wing), -EVERY) < EVERY:
            return
        self._looked[user, wing] = time.monotonic()
        idle = now - timedelta(minutes=settings.idle_minutes)
        for name in [each for each in StoredRuns(memory).names(before=idle) if each != own]:
            self._promote((user, wing, name), memory)
        if settings.retention_days:
            memory.delete(before=now - timedelta(days=settings.retention_days))


def _filed(memory: AgentMemory, conversation: str, run: Invocation) -> Invocation:
    """File the messages of a run that memories will cite, and return it with pointers in their place."""
    settings = memory.settings
    facts = run.facts if settings.enable_auto_fact_extraction else ()
    if not facts and not settings.enable_episode_recording:
        return run.filed((), ())
    cited = dict.fromkeys(text for fact in facts for text in fact.evidence if text != run.question)
    said = [*cited, run.question]
    pointers = memory.file(conversation, said, run.answer)
    at = dict(zip(said, pointers, strict=False))
    standing = [fact._replace(evidence=tuple(filter(None, map(at.get, fact.evidence)))) for fact in facts]
    return run.filed([fact for fact in standing if fact.evidence], list(filter(None, pointers[len(cited) :])))


def _store(memory: AgentMemory, runs: Sequence[Invocation]) -> None:
    """Store the facts of some runs and an episode, unless what they stand on was forgotten meanwhile."""
    for fact in (fact for run in runs for fact in run.facts):
        with suppress(NotFound):
            memory.store(fact.text, FACTS[0], fact.origin, fact.evidence)
    pointers = [pointer for run in runs for pointer in run.pointers]
    if pointers and memory.settings.enable_episode_recording:
        with suppress(NotFound):
            origin = "tool" if any(run.steps for run in runs) else "assistant"
            memory.store(episode_of(runs), EPISODES[0], origin, pointers)
