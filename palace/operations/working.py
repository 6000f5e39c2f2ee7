"""Working memory of a palace: strategies from the settings, stored checkpoints, calls of a model in the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from palace.agent.context_window.stored import Checkpoints, Hiding, KeepingUp, Talk, working_memory_of
from palace.agent.context_window.summariser import TIMEOUT, ModelSummariser
from palace.agent.context_window.windows import Kept, WorkingMemory
from palace.budget import Purse, budget_of
from palace.config.effective import Effective
from palace.config.table import check_agent
from palace.db.summaries import SummedUp, drop_summary, list_summaries
from palace.errors import BadRequest, DatabaseRefused, DatabaseUnavailable
from palace.models import OnProgress, intake
from palace.models.intake import bounded_id
from palace.opened import OpenPalace, Verbs

_PREFIX = "openai:"
"""Before the name of a conversation that a program files; its reader is imported by nobody who files nothing."""


class WorkingVerbs(Verbs):
    """What working memory needs of a palace; its strategies do without one."""

    def __init__(self, opened: OpenPalace) -> None:
        super().__init__(opened)
        self.keeping = KeepingUp(Checkpoints(opened.database), self._hiding)

    def keep(
        self,
        history: Sequence[Any],
        *,
        session: str | None = None,
        agent: str | None = None,
        memory: WorkingMemory | None = None,
        asks: bool = True,
        progress: OnProgress | None = None,
    ) -> Kept:
        """Choose what is sent of a conversation; one that is summed up goes on from the checkpoint of its ``session``.

        ``memory`` is the strategy, unless given that of the user's settings or of the ``agent``'s. Without ``asks`` no
        model is asked, and ``is_due`` says that a summary is. The checkpoint is kept for 30 days, without secrets, and
        goes when anything that it sums up is forgotten.

        Raises:
            BadRequest: the history is none; nothing that a model or the database does keeps the messages back.
        """
        of = check_agent(agent)
        chosen = memory if memory is not None else self.memory(agent=agent)
        if not callable(getattr(chosen, "keep", None)):
            raise BadRequest(f"memory must be a working memory, not {type(chosen).__name__}: see SummaryBuffer")
        name = intake.name("session", session)
        talk = None if name is None else Talk(_identity_of(name), of)
        return self.keeping.keep(chosen, history, talk, asks=asks, progress=progress)

    def memory(self, *, agent: str | None = None, model: str | None = None) -> WorkingMemory:
        """Give the strategy that the settings of the user, or of an agent, say; ``model`` is whose tokens it counts."""
        return working_memory_of(self._effective(check_agent(agent)), self.summariser, model=model)

    def sessions(self) -> tuple[SummedUp, ...]:
        """List the conversations whose checkpoints are kept, the latest first."""
        listed = self._opened.run(list_summaries)
        return tuple(replace(each, session=each.session.removeprefix(_PREFIX)) for each in listed)

    def drop(self, session: str, *, agent: str | None = None) -> bool:
        """Drop the checkpoint of a conversation: the next summary is made anew. Tell whether there was one."""
        identity, of = _identity_of(intake.text("session", session)), check_agent(agent)
        self.keeping.checkpoints.note(Talk(identity, of), None)
        return self._opened.run(lambda opened: drop_summary(opened, identity, of))

    def summariser(self, model: str, *, timeout: float = TIMEOUT, api_base: str | None = None) -> ModelSummariser:
        """Name the model that sums conversations up, as litellm does; nothing is called yet.

        Its calls go to the ledger as ``memory_summary``, and are paid from the day's budget (``budget_usd_daily`` and
        ``budget_tokens_daily``). ``timeout`` seconds bound each.
        """
        named = ModelSummariser.of(model, timeout=timeout, api_base=api_base)
        return ModelSummariser(named.language_model, Purse(self._opened.database, budget_of(self._opened.settings)))

    def _effective(self, agent: str) -> Effective:
        try:
            return self._opened.effective(agent or None)
        except (DatabaseUnavailable, DatabaseRefused):  # as the process has them: a request goes on without a database
            return Effective.of(self._opened.settings, {}, agent or None)

    def _hiding(self) -> Hiding:
        # Only who sums something up waits for the rules to be imported.
        from palace.mining.keeping import find_rules
        from palace.nlp.secrets import redact

        rules = self._opened.run(lambda session: find_rules(session, self._opened.settings))
        return lambda text: redact(text, rules).text


def _identity_of(session: str) -> str:
    """Give the identity that the conversation has when it is filed."""
    return f"{_PREFIX}{bounded_id(session)}"
