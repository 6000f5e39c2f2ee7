"""Screens: they ask the palace, and hand the answers to widgets."""
