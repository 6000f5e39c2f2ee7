"""Summaries paid from the day's budget, each call in the palace's ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from palace.cancellation import unstopped
from palace.errors import LanguageModelError, ModelError
from palace.llm.bounds import counted, most_of
from palace.llm.prices import Price
from palace.llm.protocol import Message, Reply
from palace.records import CallRecord, CallSubject, DailyBudget
from palace.store.database import UserDatabase
from palace.store.ledger.reserved import reserve_call, settle_call
from palace.working.summary.summariser import LONGEST_REPLY, Renewed

PURPOSE = "memory_summary"
_NOTHING = CallSubject()


@dataclass(frozen=True, slots=True)
class LedgerPayer:
    """Pays for the calls of one user."""

    database: UserDatabase
    budget: Callable[[], DailyBudget]
    """What calls may take today."""

    def pay(self, model: str, prompt: Sequence[Message], ask: Callable[[], Reply[Renewed]]) -> Reply[Renewed]:
        """Set aside what a call may take, make it, and write down what it took.

        Raises:
            LanguageModelError: the call failed, or the day's budget is used up and it was not made.
            DatabaseUnavailable: there is no ledger to write it to, and it was not made.
        """
        most = most_of(model, Price.of(model), prompt, written=LONGEST_REPLY)
        budget = self.budget()
        number = self.database.run(lambda session: reserve_call(session, PURPOSE, most, _NOTHING, budget))
        if number is None:
            raise LanguageModelError("the day's budget is used up")
        calls: Sequence[CallRecord] = ()
        try:
            reply = ask()
            calls = reply.calls
        except ModelError as problem:
            calls = problem.calls
            raise
        finally:
            made = [counted(call, most) for call in calls]
            with unstopped():
                self.database.run(lambda session: settle_call(session, number, PURPOSE, made, _NOTHING))
        return reply
