"""Extraction of names and claims, by rules or a language model: windows of turns, prompts, checked replies, costs."""
