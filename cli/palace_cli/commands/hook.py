"""``palace hook``: what coding agents call at their events; ``palace_hook`` answers, mostly without coming by here."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from palace_cli import options


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
    """Answer a coding agent's hook: recall for a prompt, file at a stop.

    It reads what the agent sends from standard input, and writes what the agent takes, or nothing. Whatever happens, it
    ends within 1.6 seconds and with 0: what failed is told by `palace doctor`. `palace connect` sets it up.

    \b
    palace hook session-start --harness claude-code
    palace hook prompt --harness codex
    """
    from palace_hook.client import main

    told = [event]
    told += ["--harness", harness.value] if harness else []
    told += ["--user", user] if user is not None else []
    main(told)
