"""What a prompt will come to: tokens, reckoned from its length, and dollars, by litellm's price list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from palace.llm.protocol import Message
from palace.provider import price_of

BYTES = 3
"""Of UTF-8 that are reckoned a token; most languages have more."""
AROUND = 10
"""Tokens around a message."""


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a token; zero for a model that the price list does not know."""

    read: Decimal
    written: Decimal

    @classmethod
    def of(cls, model: str) -> Price:
        """Look a model up."""
        return cls(price_of(model, "input"), price_of(model, "output"))

    def cost(self, *, read: int, written: int) -> Decimal:
        """Give what tokens cost."""
        return read * self.read + written * self.written


def reckon_tokens(prompt: Sequence[Message]) -> int:
    """Reckon how many tokens a prompt has, rather more than fewer."""
    return sum(AROUND + -(-len(message.content.encode("utf-8", "replace")) // BYTES) for message in prompt)
