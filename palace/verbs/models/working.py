"""Working memory whose calls of a model are this palace's: in its ledger, and paid from the day's budget."""

from __future__ import annotations

from palace.opened import OpenPalace
from palace.paying import budget_of
from palace.working.summary.ledger import LedgerPayer
from palace.working.summary.summariser import TIMEOUT, ModelSummariser


class WorkingVerbs:
    """What working memory needs of a palace; its strategies do without one."""

    def __init__(self, opened: OpenPalace) -> None:
        self._opened = opened

    def summariser(self, model: str, *, timeout: float = TIMEOUT, api_base: str | None = None) -> ModelSummariser:
        """Name the model that sums conversations up, as litellm does; nothing is called yet.

        Its calls go to the ledger as ``memory_summary``, and are paid from the day's budget (``budget_usd_daily`` and
        ``budget_tokens_daily``). ``timeout`` seconds bound each.
        """
        named = ModelSummariser.of(model, timeout=timeout, api_base=api_base)
        return ModelSummariser(
            named.language_model, LedgerPayer(self._opened.database, budget_of(self._opened.settings))
        )
