"""Clients of language models and embedders; no other package calls a model."""
