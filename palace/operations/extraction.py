"""Having the language model of the settings read what is filed already: what it would take, and doing it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from palace.cancellation import Cancellation, ended_by, go_on
from palace.db.filing.closets import list_turns
from palace.db.filing.rebuilding import list_conversations
from palace.db.filing.steps import make_step_pending
from palace.db.ledger import sum_spent
from palace.errors import BadRequest
from palace.mining.extraction.asking import Asking, Planned
from palace.mining.extraction.extractor import LONGEST_REPLY, Extractor, extractor_for
from palace.mining.extraction.prompt import prompt_for
from palace.mining.extraction.said import as_said, turns_of
from palace.mining.index import Runner
from palace.models import OnProgress, Wing
from palace.models.activity import REBUILT
from palace.models.graph import ExtractionEstimate, ExtractionSummary
from palace.opened import OpenPalace, Verbs
from palace.operations.activity import read_again, told
from palace.operations.tree import TreeVerbs

STEPS = ("extraction", "topics")
"""What is made of replies."""


class ExtractionVerbs(Verbs):
    """Reading names and claims by a language model, of what is filed already."""

    def estimate(self, *, wing: str | None = None) -> ExtractionEstimate:
        """Reckon what it would take to have the model read what it has not read; nothing is sent.

        Raises:
            BadRequest: the settings name no model; ``NotFound``: there is no such wing.
        """
        reading = self._reading(wing)
        return reading.estimate()

    def run(
        self, *, wing: str | None = None, progress: OnProgress | None = None, cancel: Cancellation | None = None
    ) -> ExtractionSummary:
        """Have the model read what it has not read, within the day's budget; its replies are kept.

        What goes beyond the budget, or fails, stays as rules read it; the same call goes on with it.

        Raises:
            BadRequest: the settings name no model; ``NotFound``: there is no such wing.
            Cancelled: ``cancel`` was cancelled; what was replied is kept.
        """
        with ended_by(cancel):
            self._opened.database.shared.check_schema()
            reading = self._reading(wing)
            with told(self._opened, REBUILT) as tell:
                summary = reading.read(progress)
                tell(read_again(summary))
            return summary

    def _reading(self, wing: str | None) -> _Reading:
        extractor = extractor_for(self._opened.settings)
        if extractor is None:
            raise BadRequest("no model is set that could read the palace: set PALACE_EXTRACTION_MODEL")
        return _Reading(self._opened, extractor, None if wing is None else TreeVerbs(self._opened).wing(wing))


@dataclass(frozen=True, slots=True)
class _Reading:
    opened: OpenPalace
    extractor: Extractor
    wing: Wing | None

    def estimate(self) -> ExtractionEstimate:
        extractor, price, budget = self.extractor, self.extractor.price, self.extractor.budget()
        conversations = calls = tokens = 0
        cost, drawers = Decimal(0), set[int]()
        for plan in self._plans():
            conversations += 1
            for _, window in plan.wanted:
                most = extractor.most_of(prompt_for(window))
                calls, tokens, cost = calls + 1, tokens + most.tokens, cost + most.cost_usd
                drawers.update(window.drawers)
        spent = self.opened.run(lambda session: sum_spent(session, budget.since))
        return ExtractionEstimate(
            model=extractor.model,
            wing=self.wing.name if self.wing else None,
            conversations=conversations,
            calls=calls,
            drawers=len(drawers),
            tokens=tokens,
            cost_usd=cost,
            is_priced=price.cost(read=1, written=LONGEST_REPLY) > 0,
            tokens_left=max(budget.tokens - spent.tokens, 0),
            cost_left_usd=max(budget.cost_usd - spent.cost_usd, Decimal(0)),
        )

    def read(self, progress: OnProgress | None) -> ExtractionSummary:
        started = time.monotonic()
        steps = [step for step in self.opened.steps if step.name in STEPS]
        waiting = [plan.conversation_id for plan in self._plans()]
        for step in steps:
            self.opened.run(partial(make_step_pending, step=step.made, conversations=waiting))
        work = self.opened.work_without_model(progress)
        assert work.asking is not None
        work.asking.sends_all = True
        runner = Runner(work, steps, asked=True)
        runner.run(waiting)
        return ExtractionSummary(
            model=self.extractor.model,
            wing=self.wing.name if self.wing else None,
            conversations=len(waiting),
            read=work.asking.read,
            unread=work.asking.unread,
            dropped=work.asking.dropped,
            tokens=sum(call.tokens for call in work.asking.calls),
            cost_usd=work.cost_usd,
            seconds=time.monotonic() - started,
            warnings=tuple(runner.warnings),
        )

    def _plans(self) -> Iterator[Planned]:
        """Go through the conversations of which something is to be sent."""
        opened = self.opened
        asking = Asking(opened.database, self.extractor, sends_all=True)
        wing_id = self.wing.id if self.wing else None
        for number in opened.run(lambda session: list_conversations(session, wing_id)):
            go_on()
            turns = opened.run(partial(list_turns, conversation_id=number))
            plan = asking.plan(number, turns_of(turns, as_said(turns, opened.names, opened.settings.zone)))
            if plan.wanted:
                yield plan
