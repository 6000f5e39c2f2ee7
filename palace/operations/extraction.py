"""Extract names and claims from filed drawers by the language model of the settings: estimate the cost, and run it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

from palace.ai.llm import Price
from palace.budget import today_of
from palace.cancellation import Cancellation, ended_by, go_on
from palace.db.filing.rebuilding import list_conversations
from palace.db.filing.steps import make_step_pending
from palace.db.ledger import sum_spent
from palace.errors import BadRequest
from palace.mining.extraction.asking import LONGEST_REPLY, Asking, Planned
from palace.mining.extraction.prompt import prompt_for
from palace.mining.index import Runner
from palace.models import OnProgress, Wing
from palace.models.activity import REBUILT
from palace.models.graph import ExtractionEstimate, ExtractionSummary
from palace.opened import OpenPalace, Verbs
from palace.operations.activity import rebuilt, recorded
from palace.operations.tree import TreeVerbs

STEPS = ("extraction", "topics")
"""Index steps that use the model's replies."""


class ExtractionVerbs(Verbs):
    """Extraction of names and claims from filed drawers by a language model."""

    def estimate(self, *, wing: str | None = None) -> ExtractionEstimate:
        """Estimate the cost of extraction from everything the model has not read; nothing is sent.

        Raises:
            BadRequest: the settings name no model; ``NotFound``: there is no such wing.
        """
        unread, budget = self._unread(wing), today_of(self._opened.settings)
        conversations = calls = tokens = 0
        cost, drawers = Decimal(0), set[int]()
        for plan in unread.plans():
            conversations += 1
            for _, window in plan.wanted:
                most = unread.asking.most_of(prompt_for(window))
                calls, tokens, cost = calls + 1, tokens + most.tokens, cost + most.cost_usd
                drawers.update(window.drawers)
        spent = self._opened.run(lambda session: sum_spent(session, budget.since))
        return ExtractionEstimate(
            model=unread.asking.model,
            wing=unread.wing.name if unread.wing else None,
            conversations=conversations,
            calls=calls,
            drawers=len(drawers),
            tokens=tokens,
            cost_usd=cost,
            is_priced=Price.of(unread.asking.model).cost(read=1, written=LONGEST_REPLY) > 0,
            tokens_left=max(budget.tokens - spent.tokens, 0),
            cost_left_usd=max(budget.cost_usd - spent.cost_usd, Decimal(0)),
        )

    def run(
        self, *, wing: str | None = None, progress: OnProgress | None = None, cancel: Cancellation | None = None
    ) -> ExtractionSummary:
        """Let the model read everything it has not read, within the daily budget; its replies are stored.

        What exceeds the budget, or fails, keeps the extraction by rules; the same call continues with it.

        Raises:
            BadRequest: the settings name no model; ``NotFound``: there is no such wing.
            Cancelled: ``cancel`` was cancelled; replies so far are kept.
        """
        started, opened = time.monotonic(), self._opened
        with ended_by(cancel):
            opened.database.shared.check_schema()
            unread = self._unread(wing)
            with recorded(opened, REBUILT) as tell:
                waiting = [plan.conversation_id for plan in unread.plans()]
                steps = [step for step in opened.steps if step.name in STEPS]
                for step in steps:
                    opened.run(partial(make_step_pending, step=step.made, conversations=waiting))
                work = replace(opened.work_without_model(progress), asking=unread.asking)
                runner = Runner(work, steps, asked=True)
                runner.run(waiting)
                summary = ExtractionSummary(
                    model=unread.asking.model,
                    wing=unread.wing.name if unread.wing else None,
                    conversations=len(waiting),
                    read=unread.asking.read,
                    unread=unread.asking.unread,
                    dropped=unread.asking.dropped,
                    tokens=sum(call.tokens for call in unread.asking.calls),
                    cost_usd=work.cost_usd,
                    seconds=time.monotonic() - started,
                    warnings=tuple(runner.warnings),
                )
                by_model = {name: getattr(summary, name) for name in ("model", "read", "unread", "dropped")}
                tell(rebuilt(summary) | {"extraction": by_model})
            return summary

    def _unread(self, wing: str | None) -> _Unread:
        asking = Asking.of(self._opened.database, self._opened.settings, self._opened.names)
        if asking is None:
            raise BadRequest("no model is set that could read the palace: set PALACE_EXTRACTION_MODEL")
        asking.sends_all = True
        return _Unread(self._opened, asking, None if wing is None else TreeVerbs(self._opened).wing(wing))


@dataclass(frozen=True, slots=True)
class _Unread:
    """The drawers of a wing, or of the whole palace, that the model has not read."""

    opened: OpenPalace
    asking: Asking
    wing: Wing | None

    def plans(self) -> Iterator[Planned]:
        """Yield the plans of the conversations with anything to send."""
        wing_id = self.wing.id if self.wing else None
        for number in self.opened.run(lambda session: list_conversations(session, wing_id)):
            go_on()
            plan = self.asking.plan(number)
            if plan.wanted:
                yield plan
