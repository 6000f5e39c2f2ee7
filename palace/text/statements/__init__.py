"""What sort of statement a sentence is, and which of its words tell something. Pure."""

from __future__ import annotations

from palace.text.statements.decisions import says_decision
from palace.text.statements.kinds import is_request, leans_back
from palace.text.statements.telling_words import telling_words

__all__ = ["is_request", "leans_back", "says_decision", "telling_words"]
