"""Exporting and importing palaces."""
