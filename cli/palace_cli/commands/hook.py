"""``palace hook``: what coding agents call; they come by ``palace_hook.client``, and whoever else calls it by here."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from palace_cli import options, output

SECONDS = 1.45
"""What an answer may take here."""
MOST_BYTES = 8 << 20


class HarnessName(StrEnum):
    """The programs whose hooks are understood."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"
    CURSOR = "cursor"


Event = Annotated[
    str,
    typer.Argument(metavar="EVENT", help="What has happened: session-start, prompt, stop, pre-compact or session-end."),
]
Harness = Annotated[
    HarnessName | None,
    typer.Option("--harness", help="The program that calls it; told by what it sends where it is not given."),
]


def hook(event: Event, *, harness: Harness = None, user: options.User = None) -> None:
    """Answer a coding agent's hook: recall at a prompt, file at a stop.

    It reads what the agent sends from standard input, and writes what the agent takes, or nothing. Whatever happens, it
    ends within 1.6 seconds and with 0; what failed is told by `palace doctor`. `palace connect` sets it up.

    \b
    palace hook session-start --harness claude-code
    palace hook prompt --harness codex
    """
    from palace_hook import cold

    sent = sys.stdin.buffer.read(MOST_BYTES + 1)
    told = {
        "event": event,
        "harness": harness.value if harness else None,
        "user": user,
        "folder": str(Path.cwd()),
        "input": sent.decode("utf-8", "replace"),
    }
    output.write_raw(cold.answer(told, SECONDS))
    cold.wake()
