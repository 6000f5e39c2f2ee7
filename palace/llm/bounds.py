"""What a call may take at most: so much is set aside for it, and counts where nobody says what it took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from palace.llm.prices import Price, reckon_tokens
from palace.llm.protocol import Message
from palace.records import CallRecord

MALFORMED = "malformed"
UNFINISHED = "unfinished"
"""What a call is in the ledger until its end was seen."""
_PERHAPS_BILLED = frozenset({"timeout", "unavailable"})
"""Of such a call nobody knows whether the model replied: a budget is to hold."""


def most_of(model: str, price: Price, prompt: Sequence[Message], *, written: int) -> CallRecord:
    """Reckon what one call may take at most, as it stands in the ledger while it is under way."""
    read = reckon_tokens(prompt)
    return CallRecord(model, read + written, price.cost(read=read, written=written), 0.0, UNFINISHED)


def counted(call: CallRecord, most: CallRecord) -> CallRecord:
    """Count for a reply without a number of tokens that can be true what it may have taken: a budget is to hold."""
    if call.tokens or call.outcome not in ("ok", MALFORMED, *_PERHAPS_BILLED):
        return call
    if call.outcome in _PERHAPS_BILLED:
        return replace(call, tokens=most.tokens, cost_usd=most.cost_usd)
    told = f"{call.model} gives no token counts that can be true: the ledger counts what calls may take at most"
    return replace(call, tokens=most.tokens, cost_usd=most.cost_usd, doubt=told)
