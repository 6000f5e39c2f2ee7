"""Chance against the front door: command lines that nobody would type, and files that nobody meant to write."""
