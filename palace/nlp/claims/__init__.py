"""What people claim of themselves and of others, read from the parse of their sentences; ``reader`` reads it."""

from __future__ import annotations

from palace.nlp.claims.reader import examples, read_claims

__all__ = ["examples", "read_claims"]
