"""The entry point of ``palace``: hooks, for which a person waits at each prompt, bypass the slow imports."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes as long to import as everything that a hook needs
    from typing import NoReturn

HELP = {"-h", "--help"}
WHY = "why"
"""The word that a person uses with ``hook`` in place of an event."""
WITH_A_VALUE = {"--user", "-u"}
"""Options before the command that take a value."""


def main() -> NoReturn:
    """Run the program; the entry point of ``palace``."""
    words = sys.argv[1:]
    if _is_hook(words):
        words.remove("hook")
        _answer_hook(words)
    from palace_cli import process

    process.main(_run)


def _run() -> None:
    # Imports make hundreds of thousands of objects that stay; by Python's defaults, the garbage collector searched
    # them so often that it took 30 % of the time of `palace recall`.
    gc.set_threshold(300_000, 20, 50)
    from palace_cli.app import main as run

    run()


def _is_hook(words: list[str]) -> bool:
    """Return whether a program calls a hook; a person who types it at a terminal without an event gets the help."""
    if "hook" not in words or HELP & set(words):
        return False
    if any(word == WHY and words[number - 1] not in WITH_A_VALUE for number, word in enumerate(words)):
        return False
    index = words.index("hook")
    is_command = all(
        word.startswith("-") or words[max(number - 1, 0)] in WITH_A_VALUE for number, word in enumerate(words[:index])
    )
    takes_it = index > 0 and words[index - 1] in WITH_A_VALUE
    return is_command and not takes_it and (words[index + 1 :] != [] or not os.isatty(0))


def _answer_hook(words: list[str]) -> NoReturn:
    """Answer a hook, and exit with 0 in any case: the calling program must not notice failures."""
    try:
        from palace_hook.client import main as answer

        answer(words)
    finally:
        os._exit(0)
