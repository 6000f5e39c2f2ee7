"""What people claim of themselves and of others in their messages."""

from __future__ import annotations

from palace.text.claims.reading import read_claims

__all__ = ["read_claims"]
