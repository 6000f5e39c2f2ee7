"""The language model that reads names and claims, as the settings name it, with what it may take in a day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import Decimal

from palace.ai.llm import LanguageModel, Message, Price, most_of
from palace.ai.remote_llm import RemoteLanguageModel
from palace.config.settings import Settings
from palace.models import CallRecord, DailyBudget

PURPOSE = "memory_extract"
LONGEST_REPLY = 4_000
"""Tokens of a reply: that of fifty turns has some two thousand."""


@dataclass(frozen=True, slots=True)
class Extractor:
    """A language model with its limits."""

    language_model: LanguageModel
    parallel: int
    """How many windows it is asked about at once."""
    tokens_a_day: int
    cost_a_day: Decimal
    zone: tzinfo
    """In which a day begins."""

    @property
    def model(self) -> str:
        """The model's name."""
        return self.language_model.model

    @property
    def price(self) -> Price:
        """What it takes for a token; the first look loads the price list."""
        return Price.of(self.model)

    def budget(self) -> DailyBudget:
        """Give what it may take today, and since when."""
        midnight = datetime.now(self.zone).replace(hour=0, minute=0, second=0, microsecond=0)
        return DailyBudget(midnight, self.tokens_a_day, self.cost_a_day)

    def most_of(self, prompt: Sequence[Message]) -> CallRecord:
        """Reckon what one call may take at most, as it stands in the ledger while it is under way."""
        return most_of(self.model, self.price, prompt, written=LONGEST_REPLY)


def extractor_for(settings: Settings) -> Extractor | None:
    """Give the extractor that the settings describe, without loading or calling its model yet; None without a model."""
    if settings.extraction_model is None:
        return None
    language_model = RemoteLanguageModel(
        settings.extraction_model, timeout=settings.extraction_timeout_seconds, longest_reply=LONGEST_REPLY
    )
    return Extractor(
        language_model,
        settings.extraction_parallel,
        settings.daily_tokens,
        settings.daily_usd,
        settings.zone,
    )
