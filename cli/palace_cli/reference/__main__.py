"""Writes the reference, or checks it."""

from __future__ import annotations

import typer

from palace_cli.reference import main

if __name__ == "__main__":
    typer.run(main)
