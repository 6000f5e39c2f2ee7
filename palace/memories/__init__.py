"""Memories: how they are made, compared with known ones, and stored."""
