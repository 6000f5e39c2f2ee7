"""What an index step is, and what steps work with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from decimal import Decimal
from typing import Any

from palace.db.database import UserDatabase, UserSession
from palace.db.filing import closets
from palace.db.filing.conversations import lock_conversation
from palace.db.filing.rebuilding import list_drawer_ids
from palace.db.filing.steps import list_pending_steps, mark_done
from palace.db.ledger import record_calls
from palace.mining.embed import EmbeddingRun
from palace.mining.extraction.asking import Asking
from palace.models import CallRecord, FiledTurn, OnProgress, Phase, Progress, StepVersion


@dataclass(slots=True)
class Work:
    """What steps work with, and what they have come to so far. Each count is one step's, so threads share it."""

    database: UserDatabase
    open_embedding: Callable[[], EmbeddingRun]
    """Prepares to embed into the generation that is active now."""
    zone: tzinfo = UTC
    """The person's, in which the days that a text speaks of are cut."""
    report: OnProgress | None = None
    person: tuple[str, ...] = ()
    """What the person whose palace it is goes by."""
    steps: tuple[IndexStep, ...] = ()
    """The steps of this palace, each behind those it needs."""
    runs: list[EmbeddingRun] = field(default_factory=list)
    """One for each generation that was active meanwhile."""
    conversations: int = 0
    """Cut anew to the end; so are the next three."""
    drawers: int = 0
    passages: int = 0
    embedded_anew: int = 0
    closets: int = 0
    """Closets of the conversations whose topics were drawn."""
    drawn: int = 0
    """Conversations whose topics were drawn."""
    extracted: int = 0
    """Conversations that were read for names and claims."""
    names: int = 0
    """Names in them, each once a conversation."""
    claims: int = 0
    calls: list[CallRecord] = field(default_factory=list)
    """Of the models that steps asked beside the embedding one."""
    asking: Asking | None = None
    """What the run at hand asks a model about names and claims; None where the settings name no model for it."""
    expected: dict[Phase, int] = field(default_factory=dict)
    """How much there is to do, as far as that is known."""

    @property
    def embedding(self) -> EmbeddingRun:
        """The run that embeds into the active generation, as it was when this was asked first."""
        return self.runs[-1] if self.runs else self.reopen()

    def reopen(self) -> EmbeddingRun:
        """Begin to embed into the generation that is active now.

        Raises:
            EmbeddingError: the settings name another model than the palace has.
        """
        run = self.open_embedding()
        self.runs.append(run)
        return run

    @property
    def model(self) -> str | None:
        """The model that reads names and claims, where the settings name one."""
        return self.asking.model if self.asking else None

    @property
    def embedded(self) -> int:
        """Passages and sentences that were embedded."""
        return self.embedded_anew + self.embedded_late

    @property
    def embedded_late(self) -> int:
        """Those of them that had been filed or cut without a vector."""
        return sum(run.embedded for run in self.runs)

    @property
    def cost_usd(self) -> Decimal:
        """What the model calls cost."""
        embedding = (call for run in self.runs for call in run.calls)
        asked = self.asking.calls if self.asking else ()
        return sum((call.cost_usd for call in (*embedding, *asked, *self.calls)), start=Decimal(0))

    def record(self, purpose: str, calls: Sequence[CallRecord]) -> None:
        """Write to the ledger what calls of a model cost that a step asked, whether they succeeded or not."""
        if calls:
            self.calls += calls
            self.database.run(lambda session: record_calls(session, purpose, calls))

    def expect(self, phase: Phase, more: int) -> None:
        """Note that there is more to do."""
        self.expected[phase] = self.expected.get(phase, 0) + more

    def tell(self, phase: Phase, done: int, unit: str, what: str | None = None) -> None:
        """Tell the caller how far a phase is; called from several threads."""
        if self.report:
            self.report(Progress(phase, done, max(done, self.expected.get(phase, 0)), unit, what))


@dataclass(frozen=True, slots=True)
class IndexStep(ABC):
    """One thing that is made from drawers, conversation by conversation."""

    made: StepVersion
    """Its name and version. With another version, what there is already is pending."""
    needs: tuple[str, ...] = ()
    """The steps that come first, by name."""
    participle: str = "done"
    """For people: not everything is …"""
    calls_model: bool = True
    """Whether it asks a model, which takes time, may cost money and may fail."""
    phase: Phase | None = None
    """As what its progress is told; None where it tells none."""

    @property
    def name(self) -> str:
        """What it is called in the database and to people."""
        return self.made.name

    def list_pending(
        self, session: UserSession, *, among: Sequence[int] | None = None, asked: bool = False
    ) -> list[int]:
        """List the conversations that wait for it, among some or all; ``asked`` those as well for which it failed."""
        return list_pending_steps(session, self.made, among=among, asked=asked)

    def count(self, session: UserSession, conversations: Sequence[int]) -> int:  # noqa: ARG002
        """Count what there is to do for conversations, in the units that its progress is told in."""
        return len(conversations)

    def drop(self, work: Work, conversations: Sequence[int]) -> None:  # noqa: B027 — most steps keep nothing elsewhere
        """Take away what was made of conversations of which no drawer is left, and is kept where they are not.

        What stands in the database went with them. It is called once they are gone, and not again.
        """

    @abstractmethod
    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Do it for some conversations and note it of each that is done; begun again, it goes on with the others.

        Raises:
            PalaceError: it failed for one of them; which, whoever calls finds out with one at a time.
        """


@dataclass(frozen=True, slots=True)
class ConversationStep(IndexStep):
    """Makes something of a conversation's drawers, all of them together, and again whenever they change."""

    @abstractmethod
    def make(self, work: Work, turns: Sequence[FiledTurn]) -> Any:
        """Make it of a conversation's drawers, in order; no transaction is open, so a model may be asked here.

        What a model costs goes to ``work.record``.

        Raises:
            ModelError: it cannot be made of this conversation; the others go on, and it is tried again later.
        """

    @abstractmethod
    def write(self, session: UserSession, conversation_id: int, made: Any) -> None:
        """Write it in the place of what there was; the conversation is locked, and as ``make`` saw it.

        It may be called again with the same, should the transaction be lost: what is written twice stands once.
        """

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Make it for some conversations; one that changed meanwhile is read again."""
        for conversation_id in conversations:
            while not self._do_one(work, conversation_id):
                pass

    def _do_one(self, work: Work, conversation_id: int) -> bool:
        turns = work.database.run(lambda session: closets.list_turns(session, conversation_id))
        made = self.make(work, turns) if turns else None

        def write(session: UserSession) -> bool:
            if not lock_conversation(session, conversation_id):
                return True
            if list_drawer_ids(session, conversation_id) != [turn.drawer_id for turn in turns]:
                return False
            if turns:
                self.write(session, conversation_id, made)
                mark_done(session, self.made, [conversation_id])
            return True

        return work.database.run(write)
