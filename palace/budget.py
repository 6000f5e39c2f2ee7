"""Calls of models, paid from the day's budget: the maximum is reserved before a call, the real cost recorded after it.

No transaction is open while a model is called. A reservation counts for every other process that calls meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from palace.ai.embedders.protocol import EmbeddedTexts, Embedder
from palace.cancellation import unstopped
from palace.config.settings import Settings
from palace.db.database import UserDatabase
from palace.db.ledger import EMBEDDING, NOTHING, record_calls, reserve_call, settle_call
from palace.errors import BudgetSpent, EmbeddingError, LanguageModelError
from palace.models import CallRecord, CallSubject, DailyBudget

if TYPE_CHECKING:
    from palace.ai.llm import LanguageModel, Message

Read = TypeVar("Read")
SPENT = "the day's budget is used up"


@runtime_checkable
class PaidEmbedder(Protocol):
    """An embedder whose calls cost money."""

    def most_of(self, texts: Sequence[str]) -> CallRecord | None:
        """Estimate the most that embedding some texts can cost; None where it costs nothing."""


@dataclass(slots=True)
class Hold:
    """A reservation for a call; the caller sets ``calls`` to the calls that were made."""

    calls: Sequence[CallRecord]


@dataclass(frozen=True, slots=True)
class Purse:
    """Pays for the calls of one user."""

    database: UserDatabase
    budget: Callable[[], DailyBudget] | None = None
    """The budget for calls today; None for no limit, where nothing can be reserved."""
    subject: CallSubject = NOTHING
    """What the calls are about, for the ledger."""

    @contextmanager
    def hold(self, purpose: str, most: CallRecord | None) -> Iterator[Hold | None]:
        """Reserve the most a call may cost; yield None where the budget has less left, and then call nothing.

        When the block is left, the calls in ``Hold.calls`` are recorded in the ledger; a call that did not report
        counts in full. Without ``most`` nothing is reserved.
        """
        if most is None:
            free = Hold(())
            try:
                yield free
            finally:
                self.record(purpose, free.calls)
            return
        if self.budget is None:
            raise ValueError("without a budget nothing can be set aside")
        budget = self.budget()
        number = self.database.run(lambda session: reserve_call(session, purpose, most, self.subject, budget))
        if number is None:
            yield None
            return
        hold = Hold((most,))
        try:
            yield hold
        finally:
            made = tuple(hold.calls)
            with unstopped():
                self.database.run(lambda session: settle_call(session, number, purpose, made, self.subject))

    def record(self, purpose: str, calls: Sequence[CallRecord]) -> None:
        """Record calls in the ledger for which nothing was reserved."""
        if calls:
            with unstopped():
                self.database.run(lambda session: record_calls(session, purpose, calls, self.subject))

    def embed(self, embedder: Embedder, texts: Sequence[str], *, are_queries: bool = False) -> EmbeddedTexts:
        """Embed texts and record the calls in the ledger, whether they succeeded or not.

        Raises:
            BudgetSpent: it may cost more than is left of the day's budget; nothing was sent.
            EmbeddingError: as the embedder does.
        """
        call = embedder.embed_queries if are_queries else embedder.embed_passages
        most = embedder.most_of(texts) if self.budget and isinstance(embedder, PaidEmbedder) else None
        with self.hold(EMBEDDING, most) as hold:
            if hold is None:
                raise BudgetSpent(f"{SPENT} (budget_usd_daily)")
            try:
                done = call(texts)
            except EmbeddingError as problem:
                hold.calls = problem.calls
                raise
            hold.calls = done.calls
            return done

    def ask(
        self,
        model: LanguageModel,
        purpose: str,
        prompt: Sequence[Message],
        longest: int,
        read: Callable[[str], Read | None],
    ) -> Read:
        """Ask a language model once, for at most ``longest`` tokens, and return what ``read`` makes of its reply.

        Raises:
            LanguageModelError: the budget is used up, the model did not reply, or ``read`` returned None.
        """
        from palace.ai.llm import MALFORMED, Price, counted, most_of, unusable

        most = most_of(model.model, Price.of(model.model), prompt, written=longest)
        with self.hold(purpose, most) as hold:
            if hold is None:
                raise LanguageModelError(f"{SPENT} (budget_usd_daily, budget_tokens_daily)")
            hold.calls = (replace(most, outcome="cancelled"),)
            try:
                reply = model.ask(prompt)
            except LanguageModelError as problem:
                hold.calls = [counted(call, most) for call in problem.calls]
                raise
            hold.calls = [counted(call, most) for call in reply.calls]
            value = read(reply.value)
            if value is None:
                hold.calls = [*hold.calls[:-1], *(replace(call, outcome=MALFORMED) for call in hold.calls[-1:])]
                raise LanguageModelError(unusable(model, reply.value))
            return value


def today_of(settings: Settings) -> DailyBudget:
    """Return the limits on calls in the settings, and when the user's day began."""
    midnight = datetime.now(settings.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    return DailyBudget(midnight, settings.budget_tokens_daily, settings.budget_usd_daily)


def budget_of(settings: Settings) -> Callable[[], DailyBudget]:
    """Return a function that returns the day's budget at the moment it is called."""
    return partial(today_of, settings)


def seconds_left(settings: Settings) -> float:
    """Return the seconds until the user's day ends and a new budget begins."""
    midnight = today_of(settings).since + timedelta(days=1)
    return max((midnight.astimezone(UTC) - datetime.now(UTC)).total_seconds(), 0.0)
