"""What people claim of themselves and of others, read from the parse of their sentences; ``reader`` reads it."""

from __future__ import annotations

from palace.text.claims.reader import read_claims

__all__ = ["read_claims"]
