"""Working memory in a palace: strategies from the settings, stored checkpoints, model calls in the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from palace.agent.context_window.stored import (
    PREFIX,
    ChatKey,
    Checkpoints,
    Hiding,
    StoredWorkingMemory,
    identity_of,
    working_memory_of,
)
from palace.agent.context_window.summariser import TIMEOUT, ModelSummariser
from palace.agent.context_window.windows import Kept, WorkingMemory
from palace.budget import Purse, budget_of
from palace.config.effective import Effective
from palace.config.table import check_agent
from palace.db.summaries import SummedUp, drop_summary, list_summaries
from palace.errors import BadRequest, DatabaseRefused, DatabaseUnavailable
from palace.models import OnProgress, intake
from palace.opened import OpenPalace, Verbs


class WorkingVerbs(Verbs):
    """Working memory with a palace's settings and stored checkpoints; the strategies also work without one."""

    def __init__(self, opened: OpenPalace) -> None:
        super().__init__(opened)
        self.stored = StoredWorkingMemory(Checkpoints(opened.database), self._hiding)

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
        """Choose the messages of a conversation to send; a summary continues from the checkpoint of its ``session``.

        ``memory`` is the strategy, by default that of the user's settings or of the ``agent``'s. If ``asks`` is False
        no model is called, and ``is_due`` tells whether a summary is due. The checkpoint is stored for 30 days, without
        secrets, and deleted when a message that it covers is forgotten. Failures of the model or the database become
        warnings.

        Raises:
            BadRequest: the history is not a list of messages.
        """
        of = check_agent(agent)
        chosen = memory if memory is not None else self.memory(agent=agent)
        if not callable(getattr(chosen, "keep", None)):
            raise BadRequest(f"memory must be a working memory, not {type(chosen).__name__}: see SummaryBuffer")
        name = intake.name("session", session)
        chat = None if name is None else ChatKey(identity_of(name), of)
        return self.stored.keep(chosen, history, chat, asks=asks, progress=progress)

    def memory(self, *, agent: str | None = None, model: str | None = None) -> WorkingMemory:
        """Return the strategy in the settings of the user, or of an agent; tokens are counted as ``model``'s."""
        return working_memory_of(self._effective(check_agent(agent)), self.summariser, model=model)

    def sessions(self) -> tuple[SummedUp, ...]:
        """List the conversations with a stored checkpoint, the latest first."""
        listed = self._opened.run(list_summaries)
        return tuple(replace(each, session=each.session.removeprefix(PREFIX)) for each in listed)

    def drop(self, session: str, *, agent: str | None = None) -> bool:
        """Delete a conversation's checkpoint, so that the next summary starts anew; return whether there was one."""
        identity, of = identity_of(intake.text("session", session)), check_agent(agent)
        self.stored.checkpoints.note(ChatKey(identity, of), None)
        return self._opened.run(lambda opened: drop_summary(opened, identity, of))

    def summariser(self, model: str, *, timeout: float = TIMEOUT, api_base: str | None = None) -> ModelSummariser:
        """Return a model that summarises conversations, by its name in litellm; nothing is called yet.

        Its calls are recorded in the ledger as ``memory_summary``, and count against the daily budget
        (``budget_usd_daily`` and ``budget_tokens_daily``). Each takes at most ``timeout`` seconds.
        """
        named = ModelSummariser.of(model, timeout=timeout, api_base=api_base)
        return ModelSummariser(named.language_model, Purse(self._opened.database, budget_of(self._opened.settings)))

    def _effective(self, agent: str) -> Effective:
        try:
            return self._opened.effective(agent or None)
        except (DatabaseUnavailable, DatabaseRefused):  # fall back to the settings of the process
            return Effective.of(self._opened.settings, {}, agent or None)

    def _hiding(self) -> Hiding:
        # The rules are imported only for summaries.
        from palace.mining.redaction import find_rules
        from palace.nlp.secrets import redact

        rules = self._opened.run(lambda session: find_rules(session, self._opened.settings))
        return lambda text: redact(text, rules).text
