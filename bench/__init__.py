"""Benchmarks: run beside each other, results as files, tables made from the files."""
