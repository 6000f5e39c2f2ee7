"""Measuring answers: a reader model answers from what the product recalls, a judge model tells which are right."""
