"""Joining: what another palace gathered is filed into one that has things of its own."""
