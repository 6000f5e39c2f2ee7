"""The beginning of the ``palace`` program: what a person waits for at each prompt goes its own way at once."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes as long to import as all that a hook needs
    from typing import NoReturn

HELP = {"-h", "--help"}
WHY = "why"
"""What a person asks of hooks, in place of an event."""


def main() -> NoReturn:
    """Run the program; the entry point of ``palace``."""
    words = sys.argv[1:]
    if words[:1] == ["hook"] and words[1:] and words[1] != WHY and not HELP & set(words):
        _answer_hook(words[1:])
    from palace_cli.running.process import main as run

    run()


def _answer_hook(words: list[str]) -> NoReturn:
    """Answer a hook, and end with 0 also where that cannot even begin: its program must not notice."""
    try:
        from palace_hook.client import main as answer

        answer(words)
    finally:
        import os

        os._exit(0)
