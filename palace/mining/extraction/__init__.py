"""Reading names and claims by a language model: windows of turns, prompts, checked replies, and what it costs."""
