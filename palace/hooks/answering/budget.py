"""How much a block may take, and how it is written."""

from __future__ import annotations

from datetime import tzinfo
from typing import cast

from palace.llm.tokens import TokenCounter, estimate_tokens
from palace.settings.personal.effective import Effective
from palace.turns.injection.writing import Format, Writer

MOST_TOKENS = 2000
"""Of any block: what every program takes whole."""
MOST_CHARACTERS = 8000
WAKE_TOKENS = 600
_CHARACTERS = MOST_CHARACTERS / MOST_TOKENS


def weigh(block: str) -> int:
    """Count the tokens of a block, so that none within ``MOST_TOKENS`` has more than ``MOST_CHARACTERS``."""
    return max(estimate_tokens(block), int(-(-len(block) // _CHARACTERS)))


def writer_of(zone: tzinfo, effective: Effective, tokens: int) -> Writer:
    """Give what writes a block of so many tokens at most, or of as many as the person's settings say."""
    budget = min(tokens, effective.injection_tokens, MOST_TOKENS)
    counter = TokenCounter("hooks", is_exact=False, count=weigh)
    return Writer(cast(Format, effective.injection), counter, budget, zone, effective.accounts)
