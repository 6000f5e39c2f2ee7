"""Embedding generations and the vectors in them."""
