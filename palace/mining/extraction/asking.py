"""Asking a model about conversations: which windows, several at once, their replies kept; what fails is left to rules.

What may be sent is what the run at hand files, and what that model was shown already; all of it where somebody asked
for that. No transaction is open while a model is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field

from palace.cancellation import unstopped
from palace.db import replies as store
from palace.db.database import UserDatabase, UserSession
from palace.errors import LanguageModelError
from palace.mining.extraction.calling import Caller, OutOfBudget
from palace.mining.extraction.extractor import Extractor
from palace.mining.extraction.prompt import PROMPT, shown
from palace.mining.extraction.windows import SaidTurn, Window, digest_of, windows_of
from palace.models import CallRecord, CallSubject, doubts
from palace.models.graph import StoredReply

MOST_IN_A_ROW = 3
"""After so many windows in a row without a reply nothing more is asked."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What there is to ask about one conversation."""

    conversation_id: int
    subject: CallSubject
    windows: tuple[tuple[bytes, Window], ...]
    """All that it is cut into, each with the digest of its reply."""
    wanted: tuple[tuple[bytes, Window], ...]
    """Those of which there is no reply yet."""
    beyond: int
    """Turns that no window holds, because there are too many."""


@dataclass(slots=True)
class Asking:
    """What one run asks a model, and what came of it."""

    database: UserDatabase
    extractor: Extractor
    run_id: int | None = None
    """The run that files; what it files may be sent."""
    sends_all: bool = False
    """Whether everything may be sent, as somebody asked for."""
    calls: list[CallRecord] = field(default_factory=list)
    read: int = 0
    """Windows that the model read."""
    unread: int = 0
    """Windows that it was to read and did not."""
    beyond: int = 0
    """Turns of conversations that are too long to be shown to their end."""
    dropped: int = 0
    """Names and claims that did not stand up to what was said."""
    failure: str = ""
    """What the first window without a reply failed for."""
    stopped: str = ""
    """Why nothing more is asked."""
    is_out_of_budget: bool = False
    _in_a_row: int = 0

    def plan(self, conversation_id: int, turns: Sequence[SaidTurn]) -> Planned:
        """Say what is to be asked about a conversation."""
        model = self.extractor.model

        def look(session: UserSession) -> tuple[list[StoredReply], set[int], str | None]:
            new = set() if self.run_id is None else store.list_filed_by(session, conversation_id, self.run_id)
            return store.list_replies(session, conversation_id), new, store.find_source(session, conversation_id)

        kept, new, source = self.database.run(look)
        mine = [reply for reply in kept if reply.model == model]
        # What a file says that this model was shown, it was not shown from here.
        may_send = new.union(*(reply.drawers for reply in mine if not reply.is_imported))
        windows, beyond = windows_of(turns, lambda drawer_id: self.sends_all or drawer_id in may_send)
        known = {reply.digest for reply in mine if reply.prompt == PROMPT or not self.sends_all}
        cut = tuple((digest_of(model, shown(window)), window) for window in windows)
        wanted = tuple(
            (digest, window)
            for digest, window in cut
            if digest not in known and (self.sends_all or not new.isdisjoint(window.drawers))
        )
        return Planned(conversation_id, CallSubject(conversation_id, source), cut, wanted, beyond)

    def ask(self, conversations: Sequence[int], turns_of: Callable[[int], Sequence[SaidTurn]]) -> None:
        """Ask about some conversations what is to be asked, and keep the replies.

        Raises:
            Cancelled: the call under way was cancelled; what was replied is kept.
        """
        plans = [self.plan(number, turns_of(number)) for number in conversations]
        self.beyond += sum(plan.beyond for plan in plans)
        if not any(plan.wanted for plan in plans):
            return
        caller = Caller(self.database, self.extractor, self.calls)
        pool = ThreadPoolExecutor(self.extractor.parallel, thread_name_prefix="palace-extract")
        try:
            asked = [
                (plan, pool.submit(copy_context().run, self._read, caller, plan, digest, window))
                for plan in plans
                for digest, window in plan.wanted
            ]
            for _, future in asked:
                self._note(future)
        finally:
            pool.shutdown(cancel_futures=True)
        for plan in plans:
            if plan.wanted:
                self._tidy(plan)

    @property
    def warnings(self) -> list[str]:
        """Say what was not read by the model, and why, in one line each."""
        told = list(doubts(self.calls))
        why = self.stopped or self.failure
        if self.unread:
            every = self.read + self.unread
            told.append(f"{self.unread:,} of {every:,} stretches of turns were read by rules, not by the model: {why}")
        if self.beyond:
            told.append(f"{self.beyond:,} turns of very long conversations were read by rules, not by the model")
        return told

    def _read(self, caller: Caller, plan: Planned, digest: bytes, window: Window) -> int:
        """Ask about a window and keep what stands up to it; give how much did not."""
        if self.stopped:
            raise LanguageModelError(self.stopped)
        try:
            replied = caller.ask(window, plan.subject)
        except OutOfBudget as problem:
            self.stopped, self.is_out_of_budget = self._spent(), True
            raise LanguageModelError(self.stopped) from problem
        from palace.mining.extraction.checks import check_reply

        checked = check_reply(replied, window)
        stored = StoredReply(digest, self.extractor.model, PROMPT, window.drawers, checked.kept)
        with unstopped():
            self.database.run(lambda session: store.store_reply(session, plan.conversation_id, stored))
        return checked.dropped

    def _note(self, future: Future[int]) -> None:
        """Take up how it went with a window; several that fail in a row are taken for all."""
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

    def _tidy(self, plan: Planned) -> None:
        """Drop what newer replies about the same turns take the place of."""
        digests = [digest for digest, _ in plan.windows]
        model = self.extractor.model
        self.database.run(lambda session: store.drop_covered(session, plan.conversation_id, model, digests))

    def _spent(self) -> str:
        extractor = self.extractor
        return (
            f"the day's budget is used up (budget_usd_daily {extractor.cost_a_day:f},"
            f" budget_tokens_daily {extractor.tokens_a_day:,})"
        )
