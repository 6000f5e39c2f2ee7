"""How turns are taken as a person's settings have it, where the program does not say. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from palace.settings.personal.effective import Effective
from palace.settings.personal.table import ASKING
from palace.turns.gate import Rules
from palace.turns.injection.writing import Format
from palace.turns.loop.options import QueryStrategy, TurnOptions
from palace.turns.query.asking import Rewriter
from palace.working.chosen import working_memory_of
from palace.working.kept import WorkingMemory
from palace.working.summary.summariser import Summariser


@dataclass(frozen=True, slots=True)
class Models:
    """The language models that settings name."""

    rewriter_of: Callable[[str], Rewriter]
    """Gives the one that writes queries."""
    summariser_of: Callable[[str], Summariser]
    """Gives the one that sums conversations up."""


def options_of(given: TurnOptions | None, effective: Effective, models: Models) -> TurnOptions:
    """Say how a turn is taken: what the program gives goes before the settings, but for what these turn off."""
    if given is not None:
        working = given.working or _working(effective, models, given.model)
        memory, files = given.memory and effective.enabled, given.files and effective.auto_mine
        return replace(given, memory=memory, files=files, working=working)
    strategy, model = cast(QueryStrategy, effective.query_strategy), effective.query_model
    if strategy in ASKING and model is None:
        # The environment and the file are not looked at together: no turn fails for what they say.
        strategy = "local"
    return TurnOptions(
        memory=effective.enabled,
        files=effective.auto_mine,
        top_k=effective.top_k,
        token_budget=effective.injection_tokens,
        format=cast(Format, effective.injection),
        accounts=effective.accounts,
        strategy=strategy,
        rewriter=models.rewriter_of(model) if model and strategy in ASKING else None,
        rules=Rules(
            greeting="greeting" in effective.gate,
            tool="tool" in effective.gate,
            knowledge="knowledge" in effective.gate,
        ),
        floor=effective.floor,
        least_similarity=effective.similarity_threshold,
        working=_working(effective, models, None),
    )


def _working(effective: Effective, models: Models, model: str | None) -> WorkingMemory | None:
    if effective.working_memory == "none":
        return None  # the history is the program's: it is sent to the byte
    return working_memory_of(effective, models.summariser_of, model=model)
