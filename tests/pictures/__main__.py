"""Writes the pictures of the documentation."""

from __future__ import annotations

from tests.pictures.pictures import write

if __name__ == "__main__":
    write()
