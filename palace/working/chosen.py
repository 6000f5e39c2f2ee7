"""The working memory that settings choose. Pure."""

from __future__ import annotations

from collections.abc import Callable

from palace.settings.personal.effective import Effective
from palace.working.kept import WorkingMemory
from palace.working.summary.buffer import LEAST as LEAST_SUMMED_UP
from palace.working.summary.buffer import SummaryBuffer
from palace.working.summary.summariser import Summariser
from palace.working.windows import LEAST, BufferWindow, TokenWindow, WholeHistory


def working_memory_of(
    effective: Effective, summariser_of: Callable[[str], Summariser], *, model: str | None = None
) -> WorkingMemory:
    """Give the strategy that holds; ``model`` says whose tokens are counted."""
    budget, least = effective.working_tokens, effective.working_least
    match effective.working_memory:
        case "buffer_window":
            return BufferWindow(effective.working_messages)
        case "token_window":
            return TokenWindow(model, budget=budget, least=least or LEAST)
        case "summary_buffer" if effective.summary_model:
            return SummaryBuffer(
                summariser_of(effective.summary_model),
                model,
                budget=budget,
                trigger=effective.summary_trigger,
                target=effective.summary_target,
                recent=effective.summary_recent,
                least=least or LEAST_SUMMED_UP,
            )
        case "summary_buffer":
            # Only the environment and the file can say one without the other.
            return TokenWindow(model, budget=budget, least=least or LEAST_SUMMED_UP)
        case _:
            return WholeHistory()
