"""How turns are taken as a person's settings have it, where the program does not say. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from palace.settings.personal.effective import Effective
from palace.settings.personal.table import ASKING
from palace.turns.gate import Rules
from palace.turns.injection.writing import Format
from palace.turns.loop.options import QueryStrategy, TurnOptions
from palace.turns.query.asking import Rewriter
from palace.working.kept import WorkingMemory
from palace.working.windows import BufferWindow, TokenWindow, WholeHistory


def options_of(given: TurnOptions | None, effective: Effective, rewriter_of: Callable[[str], Rewriter]) -> TurnOptions:
    """Say how a turn is taken: what the program gives goes before the settings, but for what these turn off."""
    if given is not None:
        return replace(given, memory=given.memory and effective.enabled, files=given.files and effective.auto_mine)
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
        strategy=strategy,
        rewriter=rewriter_of(model) if model and strategy in ASKING else None,
        rules=Rules(
            greeting="greeting" in effective.gate,
            tool="tool" in effective.gate,
            knowledge="knowledge" in effective.gate,
        ),
        floor=effective.floor,
        least_similarity=effective.similarity_threshold,
        working=None if effective.working_memory is None else working_of(effective),
    )


def working_of(effective: Effective, model: str | None = None) -> WorkingMemory:
    """Give the working memory that the settings name, what fits where they name none; ``model`` counts the tokens."""
    if effective.working_memory == "none":
        return WholeHistory()
    if effective.working_memory == "buffer_window":
        return BufferWindow()
    return TokenWindow(model, budget=effective.working_tokens)
