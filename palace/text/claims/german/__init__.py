"""Claims as they are made in German."""

from __future__ import annotations

from palace.text.claims.german.reader import is_german, read_sentence

__all__ = ["is_german", "read_sentence"]
