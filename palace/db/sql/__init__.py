"""Statements kept as files, because they are more than a plain select or insert, and their parameters."""
