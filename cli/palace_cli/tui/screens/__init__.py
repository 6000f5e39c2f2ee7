"""Screens: what they ask of the source, and what of the answer goes to which widget."""
