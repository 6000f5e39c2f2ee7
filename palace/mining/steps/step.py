"""The interface of index steps, and their shared working state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from decimal import Decimal
from typing import Any

from palace.cancellation import go_on
from palace.db.database import UserDatabase, UserSession
from palace.db.filing import closets
from palace.db.filing.conversations import lock_conversations
from palace.db.filing.rebuilding import list_drawer_ids
from palace.db.filing.steps import list_pending_steps, mark_done
from palace.db.ledger import record_calls
from palace.mining.embed import EmbeddingRun
from palace.mining.extraction.asking import Asking
from palace.models import CallRecord, FiledTurn, OnProgress, Phase, Progress, StepVersion

MOST_BYTES = 1_000_000
"""Most bytes of text that a step reads together, unless one conversation has more."""
MOST_DRAWERS = 2_000
"""Most drawers that a step reads together, unless one conversation has more."""
TurnsByConversation = Mapping[int, Sequence[FiledTurn]]
"""Maps conversations to their drawers, in order."""


@dataclass(slots=True)
class Work:
    """What index steps work with, and their progress. Each count belongs to one step, so threads share the object."""

    database: UserDatabase
    open_embedding: Callable[[], EmbeddingRun]
    """Returns a run that embeds into the currently active generation."""
    zone: tzinfo = UTC
    """The user's time zone, by which dates in texts are resolved."""
    report: OnProgress | None = None
    person: tuple[str, ...] = ()
    """Names of the palace's owner."""
    steps: tuple[IndexStep, ...] = ()
    """The steps of this palace, each after those it needs."""
    runs: list[EmbeddingRun] = field(default_factory=list)
    """One run for each generation that was active meanwhile."""
    conversations: int = 0
    """Conversations completely cut again; the next three count the same step."""
    drawers: int = 0
    passages: int = 0
    embedded_anew: int = 0
    closets: int = 0
    """Closets of the conversations whose topics were computed."""
    drawn: int = 0
    """Conversations whose topics were computed."""
    extracted: int = 0
    """Conversations whose names and claims were extracted."""
    names: int = 0
    """Names in them, each counted once per conversation."""
    claims: int = 0
    calls: list[CallRecord] = field(default_factory=list)
    """Calls of models other than the embedding model."""
    asking: Asking | None = None
    """This run's requests to the extraction model; None if the settings name none."""
    expected: dict[Phase, int] = field(default_factory=dict)
    """Amount of work by phase, as far as known."""

    @property
    def embedding(self) -> EmbeddingRun:
        """The run for the active generation, as of its first use."""
        return self.runs[-1] if self.runs else self.reopen()

    def reopen(self) -> EmbeddingRun:
        """Begin a run for the currently active generation.

        Raises:
            EmbeddingError: the settings name another model than the palace has.
        """
        run = self.open_embedding()
        self.runs.append(run)
        return run

    @property
    def model(self) -> str | None:
        """Name of the extraction model, or None."""
        return self.asking.model if self.asking else None

    @property
    def embedded(self) -> int:
        """Number of embedded passages and sentences."""
        return self.embedded_anew + self.embedded_late

    @property
    def embedded_late(self) -> int:
        """How many of them had been filed or cut without a vector."""
        return sum(run.embedded for run in self.runs)

    @property
    def cost_usd(self) -> Decimal:
        """Total cost of the model calls in US dollars."""
        embedding = (call for run in self.runs for call in run.calls)
        asked = self.asking.calls if self.asking else ()
        return sum((call.cost_usd for call in (*embedding, *asked, *self.calls)), start=Decimal(0))

    def record(self, purpose: str, calls: Sequence[CallRecord]) -> None:
        """Write calls that a step made to the ledger, successful or not."""
        if calls:
            self.calls += calls
            self.database.run(lambda session: record_calls(session, purpose, calls))

    def expect(self, phase: Phase, more: int) -> None:
        """Add to the known amount of work of a phase."""
        self.expected[phase] = self.expected.get(phase, 0) + more

    def tell(self, phase: Phase, done: int, unit: str, what: str | None = None) -> None:
        """Report the progress of a phase; called from several threads."""
        if self.report:
            self.report(Progress(phase, done, max(done, self.expected.get(phase, 0)), unit, what))


@dataclass(frozen=True, slots=True)
class IndexStep(ABC):
    """One kind of data derived from drawers, conversation by conversation."""

    made: StepVersion
    """Name and version; a new version makes existing results pending."""
    needs: tuple[str, ...] = ()
    """Names of the steps that must run before."""
    participle: str = "done"
    """Used in messages: "not everything is …"."""
    calls_model: bool = True
    """Whether it calls a model, which takes time, may cost money and may fail."""
    phase: Phase | None = None
    """The phase that its progress is reported as; None for no reports."""

    @property
    def name(self) -> str:
        """Name in the database and in messages."""
        return self.made.name

    def list_pending(
        self, session: UserSession, *, among: Sequence[int] | None = None, asked: bool = False
    ) -> list[int]:
        """Return pending conversations, of ``among`` or all; ``asked`` includes those for which it failed."""
        return list_pending_steps(session, self.made, among=among, asked=asked)

    def count(self, session: UserSession, conversations: Sequence[int]) -> int:  # noqa: ARG002
        """Return the amount of work for conversations, in the unit of the step's progress."""
        return len(conversations)

    def drop(self, work: Work, conversations: Sequence[int]) -> None:  # noqa: B027 — most steps keep nothing elsewhere
        """Remove external data about conversations that have no drawers left.

        Data in the database is deleted with them. Called once, after they are gone.
        """

    @abstractmethod
    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Process conversations and record each that is done; a later call goes on after an interruption.

        Raises:
            PalaceError: it failed for one of them; the caller retries each alone to find out which.
        """


@dataclass(frozen=True, slots=True)
class BatchStep(IndexStep):
    """A step that derives data from all drawers of a conversation, again whenever they change; several at a time."""

    @abstractmethod
    def make_each(self, work: Work, turns: TurnsByConversation) -> Iterator[tuple[int, Any]]:
        """Yield conversations with their results; no transaction is open, so models may be called."""

    @abstractmethod
    def write_each(self, session: UserSession, made: Mapping[int, Any]) -> None:
        """Replace the stored results of all these conversations; they are locked and unchanged since ``make_each``."""

    def count_written(self, work: Work, made: Any) -> None:
        """Count a conversation's result, and report progress, once it is written."""

    def mark(self, session: UserSession, conversations: Sequence[int]) -> None:
        """Mark the step as done for conversations whose results are written."""
        mark_done(session, self.made, conversations)

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Process conversations in groups, or one by one with a model; those that change meanwhile are done again."""
        for group in self._groups(work, conversations):
            left = group
            while left:
                left = self._do_together(work, left)

    def _groups(self, work: Work, conversations: Sequence[int]) -> Iterator[list[int]]:
        if self.calls_model:
            yield from ([each] for each in conversations)
            return
        sizes = work.database.run(lambda session: closets.measure_texts(session, conversations))
        group: list[int] = []
        size = drawers = 0
        for each in conversations:
            more, also = sizes.get(each, (0, 0))
            if group and (size + more > MOST_BYTES or drawers + also > MOST_DRAWERS):
                yield group
                group, size, drawers = [], 0, 0
            group.append(each)
            size, drawers = size + more, drawers + also
        yield group

    def _do_together(self, work: Work, conversations: Sequence[int]) -> list[int]:
        """Process conversations together; return those that changed meanwhile."""
        turns = work.database.run(lambda session: closets.list_turns(session, conversations))
        made: dict[int, Any] = {}

        def write(session: UserSession) -> tuple[list[int], list[int]]:
            lock_conversations(session, list(made))
            filed = list_drawer_ids(session, list(made))
            same = {each: [turn.drawer_id for turn in turns[each]] == filed.get(each) for each in made}
            if done := [each for each in made if same[each]]:
                self.write_each(session, {each: made[each] for each in done})
                self.mark(session, done)
            return done, [each for each in made if not same[each] and each in filed]

        try:
            for conversation_id, result in self.make_each(work, turns):
                made[conversation_id] = result
                go_on()
        finally:
            # What was made before a failure is kept: only the rest is done again.
            written, changed = work.database.run(write) if made else ([], [])
            for each in written:
                self.count_written(work, made[each])
        return changed


@dataclass(frozen=True, slots=True)
class ConversationStep(BatchStep):
    """A step that derives data from all drawers of a conversation, again whenever they change."""

    @abstractmethod
    def make(self, work: Work, turns: Sequence[FiledTurn]) -> Any:
        """Compute the result from a conversation's drawers, in order; no transaction is open, so models may be called.

        Record the cost of calls with ``work.record``.

        Raises:
            ModelError: a model failed for this conversation; it is retried later, and the others go on.
        """

    @abstractmethod
    def write(self, session: UserSession, conversation_id: int, made: Any) -> None:
        """Replace the stored result; the conversation is locked and unchanged since ``make``.

        May be called again with the same result if the transaction is lost, so it must be idempotent.
        """

    def make_each(self, work: Work, turns: TurnsByConversation) -> Iterator[tuple[int, Any]]:
        """Compute the results one after the other."""
        for conversation_id, each in turns.items():
            yield conversation_id, self.make(work, each)

    def write_each(self, session: UserSession, made: Mapping[int, Any]) -> None:
        """Write the results one after the other."""
        for conversation_id, result in made.items():
            self.write(session, conversation_id, result)
