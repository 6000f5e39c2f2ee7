"""Widgets, one a file: they show records and post messages; screens decide."""
