"""What a language model replied about a stretch of a conversation, and what asking about the rest would take."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A reply that is kept, so that it need not be asked for again."""

    digest: bytes
    """Of the model and the turns as it was shown them."""
    model: str
    prompt: int
    """The version of what it was told to do."""
    drawers: tuple[int, ...]
    """What it was shown, in order."""
    reply: dict[str, Any]
    """What of it stood up to the drawers."""
    is_imported: bool = False
    """Whether a file brought it: nothing was sent from here."""


@dataclass(frozen=True, slots=True)
class ExtractionEstimate:
    """What it would take to have a language model read what it has not read yet."""

    model: str
    wing: str | None
    """The wing it is confined to; None for the whole palace."""
    conversations: int
    """Of which something would be sent."""
    calls: int
    drawers: int
    """That would be sent."""
    tokens: int
    """At most, sent and received together; reckoned from the length of what would be sent."""
    cost_usd: Decimal
    """At most, by litellm's prices; 0 where they do not list the model."""
    is_priced: bool
    """Whether they do."""
    tokens_left: int
    """Of today's budget; what goes beyond is for another day."""
    cost_left_usd: Decimal
    """The same in money."""


@dataclass(frozen=True, slots=True)
class ExtractionSummary:
    """What came of having a language model read what is filed."""

    model: str
    wing: str | None
    """The wing it was confined to; None for the whole palace."""
    conversations: int
    """Of which something was to be sent."""
    read: int
    """Stretches of turns that the model read."""
    unread: int
    """Stretches that it was to read and did not; the same call goes on with them."""
    dropped: int
    """Names and claims of its replies that do not stand in the turns they cite."""
    tokens: int
    cost_usd: Decimal
    seconds: float
    warnings: tuple[str, ...] = ()
