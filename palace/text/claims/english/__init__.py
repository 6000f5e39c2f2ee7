"""Claims as they are made in English."""

from __future__ import annotations

from palace.text.claims.english.reader import read_sentence

__all__ = ["read_sentence"]
