"""Measures the ranges over which the bundled model is rounded to eight bits; ``python -m bench.minilm`` prints them."""
