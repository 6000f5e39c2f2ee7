"""Asks a language model about windows of conversations, in parallel, and stores its replies; the rest is read by rules.

Only turns that the current run files, or that this model was shown before, may be sent; all turns if the user asked for
that. Every call is charged to the daily budget, and no transaction is open during a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from palace.ai.llm import MALFORMED, LanguageModel, Message, Price, counted, find_object, most_of, unusable
from palace.ai.remote_llm import RemoteLanguageModel
from palace.budget import SPENT, Purse, budget_of
from palace.cancellation import go_on, unstopped
from palace.config.settings import Settings
from palace.db import replies as store
from palace.db.database import UserDatabase, UserSession
from palace.db.filing.closets import list_turns
from palace.errors import LanguageModelError
from palace.mining.extraction.prompt import PROMPT, prompt_for, repair_prompt, shown
from palace.mining.extraction.windows import Window, digest_of, said_turns, windows_of
from palace.models import CallRecord, CallSubject, FiledTurn, doubts
from palace.models.graph import StoredReply

if TYPE_CHECKING:
    from palace.mining.extraction.reply import Replied

PURPOSE = "memory_extract"
LONGEST_REPLY = 4_000
"""Most tokens of a reply; one about fifty turns has some two thousand."""
MOST_IN_A_ROW = 3
"""After this many consecutive windows without a reply, asking stops."""


class _OutOfBudget(Exception):
    """A call may cost more than is left of the day's budget, so it was not made."""


@dataclass(frozen=True, slots=True)
class Planned:
    """The windows of one conversation, and which of them to ask about."""

    conversation_id: int
    subject: CallSubject
    windows: tuple[tuple[bytes, Window], ...]
    """All windows of the conversation, each with the digest of its reply."""
    wanted: tuple[tuple[bytes, Window], ...]
    """Windows without a reply so far."""
    beyond: int
    """Turns in no window, because there are too many."""


@dataclass(slots=True)
class Asking:
    """The requests of one run to a model, and their results."""

    database: UserDatabase
    language_model: LanguageModel
    settings: Settings
    person: tuple[str, ...] = ()
    """Names of the palace's owner."""
    run_id: int | None = None
    """The run whose turns may be sent."""
    sends_all: bool = False
    """Whether all turns may be sent, because the user asked for it."""
    calls: list[CallRecord] = field(default_factory=list)
    read: int = 0
    """Windows that the model read."""
    unread: int = 0
    """Windows that the model should have read and did not."""
    beyond: int = 0
    """Turns in no window, because conversations are too long."""
    dropped: int = 0
    """Names and claims dropped because the turns do not contain them."""
    failure: str = ""
    """Why the first window failed."""
    stopped: str = ""
    is_out_of_budget: bool = False
    _in_a_row: int = 0

    @classmethod
    def of(cls, database: UserDatabase, settings: Settings, person: tuple[str, ...]) -> Asking | None:
        """Return an ``Asking`` for the model of the settings, not loaded yet; None if they name no model."""
        if settings.extraction_model is None:
            return None
        patience = settings.extraction_timeout_seconds
        model = RemoteLanguageModel(settings.extraction_model, timeout=patience, longest_reply=LONGEST_REPLY)
        return cls(database, model, settings, person)

    @property
    def model(self) -> str:
        """Name of the model."""
        return self.language_model.model

    def most_of(self, prompt: Sequence[Message]) -> CallRecord:
        """Return the most that a call may cost, for reservation in the ledger."""
        return most_of(self.model, Price.of(self.model), prompt, written=LONGEST_REPLY)

    def plan(self, conversation_id: int) -> Planned:
        """Determine what to ask about a conversation."""

        def look(session: UserSession) -> tuple[list[FiledTurn], list[StoredReply], set[int], str | None]:
            new = set() if self.run_id is None else store.list_filed_by(session, conversation_id, self.run_id)
            turns, kept = list_turns(session, [conversation_id]), store.list_replies(session, [conversation_id])
            source = store.find_source(session, conversation_id)
            return turns.get(conversation_id, []), kept.get(conversation_id, []), new, source

        turns, kept, new, source = self.database.run(look)
        mine = [reply for reply in kept if reply.model == self.model]
        # An imported reply does not prove that this installation showed the model the turns.
        may_send = new.union(*(reply.drawers for reply in mine if not reply.is_imported))
        said = said_turns(turns, self.person, self.settings.zone)
        windows, beyond = windows_of(said, lambda drawer_id: self.sends_all or drawer_id in may_send)
        known = {reply.digest for reply in mine if reply.prompt == PROMPT or not self.sends_all}
        cut = tuple((digest_of(self.model, shown(window)), window) for window in windows)
        wanted = tuple(
            (digest, window)
            for digest, window in cut
            if digest not in known and (self.sends_all or not new.isdisjoint(window.drawers))
        )
        return Planned(conversation_id, CallSubject(conversation_id, source), cut, wanted, beyond)

    def ask(self, conversations: Sequence[int]) -> None:
        """Ask about the planned windows of conversations, and store the replies.

        Raises:
            Cancelled: the current call was cancelled; earlier replies are stored.
        """
        plans = [self.plan(number) for number in conversations]
        self.beyond += sum(plan.beyond for plan in plans)
        plans = [plan for plan in plans if plan.wanted]
        if not plans:
            return
        pool = ThreadPoolExecutor(self.settings.extraction_parallel, thread_name_prefix="palace-extract")
        try:
            asked = [
                pool.submit(copy_context().run, self._read, plan, digest, window)
                for plan in plans
                for digest, window in plan.wanted
            ]
            for future in asked:
                self._note(future)
        finally:
            pool.shutdown(cancel_futures=True)
        for plan in plans:
            # Newer replies replace others about the same turns.
            digests = [digest for digest, _ in plan.windows]
            covered = partial(store.drop_covered, model=self.model, digests=digests)
            self.database.run(partial(covered, conversation_id=plan.conversation_id))

    @property
    def warnings(self) -> list[str]:
        """Warnings about what the model did not read, and why, one line each."""
        told = list(doubts(self.calls))
        why = self.stopped or self.failure
        if self.unread:
            every = self.read + self.unread
            told.append(f"{self.unread:,} of {every:,} stretches of turns were read by rules, not by the model: {why}")
        if self.beyond:
            told.append(f"{self.beyond:,} turns of very long conversations were read by rules, not by the model")
        return told

    def _read(self, plan: Planned, digest: bytes, window: Window) -> int:
        """Ask about a window and store what is valid; return the number of dropped items."""
        if self.stopped:
            raise LanguageModelError(self.stopped)
        try:
            replied = self._reply_to(window, plan.subject)
        except _OutOfBudget as problem:
            usd, tokens = self.settings.budget_usd_daily, self.settings.budget_tokens_daily
            self.stopped = f"{SPENT} (budget_usd_daily {usd:f}, budget_tokens_daily {tokens:,})"
            self.is_out_of_budget = True
            raise LanguageModelError(self.stopped) from problem
        from palace.mining.extraction.checks import check_reply

        checked = check_reply(replied, window)
        stored = StoredReply(digest, self.model, PROMPT, window.drawers, checked.kept)
        with unstopped():
            self.database.run(lambda session: store.store_reply(session, plan.conversation_id, stored))
        return checked.dropped

    def _note(self, future: Future[int]) -> None:
        """Record the result of a window; after several consecutive failures asking stops."""
        try:
            self.dropped += future.result()
            self.read += 1
            self._in_a_row = 0
        except LanguageModelError as problem:
            self.unread += 1
            self._in_a_row += 1
            self.failure = self.failure or str(problem)
            if self._in_a_row >= MOST_IN_A_ROW and not self.stopped:
                self.stopped = str(problem)

    def _reply_to(self, window: Window, subject: CallSubject) -> Replied:
        """Ask about a window, a second time if the reply is unusable.

        Raises:
            _OutOfBudget: the day's budget does not cover the first call.
            LanguageModelError: the model did not reply, or its second reply is unusable too.
            Cancelled: the call under way was cancelled.
        """
        prompt: Sequence[Message] = prompt_for(window)
        replied, text = self._call(prompt, subject)
        if replied is None:
            with suppress(_OutOfBudget):
                replied, text = self._call(repair_prompt(prompt, text), subject)
        if replied is None:
            raise LanguageModelError(unusable(self.language_model, text))
        return replied

    def _call(self, prompt: Sequence[Message], subject: CallSubject) -> tuple[Replied | None, str]:
        """Make one call; return the parsed reply, or None if it is unusable, and its text."""
        # The models of replies are built at import, which would slow down programs that ask nothing.
        from palace.mining.extraction.reply import Replied

        go_on()
        most, purse = self.most_of(prompt), Purse(self.database, budget_of(self.settings), subject)
        with purse.hold(PURPOSE, most) as hold:
            if hold is None:
                raise _OutOfBudget
            calls: Sequence[CallRecord] = ()
            try:
                reply = self.language_model.ask(prompt)
                found, calls = find_object(Replied, reply.value), reply.calls
                if found is None:
                    calls = (*calls[:-1], *(replace(call, outcome=MALFORMED) for call in calls[-1:]))
            except LanguageModelError as problem:
                calls = problem.calls
                go_on()
                if not calls or calls[-1].outcome != MALFORMED:
                    raise
                return None, ""
            finally:
                hold.calls = [counted(call, most) for call in calls]
                self.calls += hold.calls
            return found, reply.value
