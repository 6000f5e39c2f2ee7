"""Asking a model about one window: paid from the budget, in the ledger, once more where a reply cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from palace.ai.llm import MALFORMED, Message, counted, find_object, unusable
from palace.cancellation import go_on, unstopped
from palace.db.database import UserDatabase
from palace.db.ledger import reserve_call, settle_call
from palace.errors import LanguageModelError
from palace.mining.extraction.extractor import PURPOSE, Extractor
from palace.mining.extraction.prompt import prompt_for, repair_prompt
from palace.mining.extraction.windows import Window
from palace.models import CallRecord, CallSubject

if TYPE_CHECKING:
    from palace.mining.extraction.reply import Replied


class OutOfBudget(Exception):
    """What a call may take is more than is left of the day's budget; it was not made."""


@dataclass(slots=True)
class Caller:
    """Asks about windows on behalf of a user."""

    database: UserDatabase
    extractor: Extractor
    calls: list[CallRecord]
    """Every call so far; several threads add to it."""

    def ask(self, window: Window, subject: CallSubject) -> Replied:
        """Ask about a window; once more where the reply cannot be used.

        Raises:
            OutOfBudget: there is not enough left for the first call.
            LanguageModelError: the model did not reply, or twice with what cannot be used.
            Cancelled: the call under way was cancelled.
        """
        prompt: Sequence[Message] = prompt_for(window)
        replied, text = self._call(prompt, subject)
        if replied is not None:
            return replied
        with suppress(OutOfBudget):
            replied, text = self._call(repair_prompt(prompt, text), subject)
        if replied is None:
            raise LanguageModelError(unusable(self.extractor.language_model, text))
        return replied

    def _call(self, prompt: Sequence[Message], subject: CallSubject) -> tuple[Replied | None, str]:
        """Make one call; give what it replied, None where that cannot be used, and its text."""
        from palace.mining.extraction.reply import Replied

        go_on()
        most, budget = self.extractor.most_of(prompt), self.extractor.budget()
        number = self.database.run(lambda session: reserve_call(session, PURPOSE, most, subject, budget))
        if number is None:
            raise OutOfBudget
        calls: Sequence[CallRecord] = ()
        try:
            reply = self.extractor.language_model.ask(prompt)
            found = find_object(Replied, reply.value)
            calls = reply.calls if found else (*reply.calls[:-1], *(_malformed(call) for call in reply.calls[-1:]))
        except LanguageModelError as problem:
            calls = problem.calls
            go_on()
            if not calls or calls[-1].outcome != MALFORMED:
                raise
            return None, ""
        finally:
            self._settle(number, most, calls, subject)
        return found, reply.value

    def _settle(self, number: int, most: CallRecord, calls: Sequence[CallRecord], subject: CallSubject) -> None:
        """Write down what was paid for, though the call under way is cancelled."""
        made = [counted(call, most) for call in calls]
        self.calls += made
        with unstopped():
            self.database.run(lambda session: settle_call(session, number, PURPOSE, made, subject))


def _malformed(call: CallRecord) -> CallRecord:
    return replace(call, outcome=MALFORMED)
