"""Key phrases: the few words that name a part of a conversation and tell it from the other parts."""

from __future__ import annotations

from palace.text.keyphrases.phrases import key_phrases

__all__ = ["key_phrases"]
