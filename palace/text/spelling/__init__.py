"""Mistyped words: which of a query may be one, and which of the words that somebody uses was meant. Pure."""
