"""Words that say nothing about what a text is about."""

from __future__ import annotations

from palace.patterns import rules

STOP_WORDS = rules("words").words("stop")
"""English function words and the verbs, adverbs and quantities of everyday talk; lower case."""
TALK_WORDS = rules("words").words("talk")
"""Words of everyday talk and advice that name nothing alone, though they may close a phrase ("wiring options")."""
