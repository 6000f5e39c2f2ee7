"""What people claim of themselves and of others, read from the parse of their sentences; ``reading`` reads it."""

from __future__ import annotations

from palace.text.parsed.reading import read_claims

__all__ = ["read_claims"]
