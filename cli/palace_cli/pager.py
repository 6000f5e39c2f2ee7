"""Long output at a terminal, a screen at a time; never in a pipe.

What is handed to the pager is what would have been written: remembered text has nothing left in it that acts on a
terminal, and ``less`` passes on colours alone (``-R``). It is started without a shell.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain

USUAL = "less"
LESS = "FRX"
"""Leave at once where it fits, show colours, leave the text on the screen; unless ``LESS`` says otherwise."""


class _Paging:
    """Whether this process pages at all."""

    is_wanted = True


def want_pager(wanted: bool) -> None:
    """Page from now on what is long, or nothing."""
    _Paging.is_wanted = wanted


def pager_command() -> list[str]:
    """Give the pager's command line: ``PALACE_PAGER``, else ``PAGER``, else less; empty where nothing is paged."""
    if not (_Paging.is_wanted and sys.stdout.isatty() and sys.stdin.isatty()) or os.environ.get("TERM") == "dumb":
        return []
    chosen = os.environ.get("PALACE_PAGER", os.environ.get("PAGER", USUAL))
    try:
        words = shlex.split(chosen)
    except ValueError:
        return []
    if not words or words == ["cat"] or shutil.which(words[0]) is None:
        return []
    return words


def paged(parts: Iterable[str]) -> Iterator[str]:
    """Show text in the pager as soon as it is longer than the screen; give back what is to be written as it is.

    A page that is left early ends the text: what was not read of it is not made.
    """
    command = pager_command()
    if not command:
        yield from parts
        return
    rest, begun, lines = iter(parts), list[str](), 0
    width, height = shutil.get_terminal_size()
    for part in rest:
        begun.append(part)
        lines += sum(1 + len(line) // max(1, width) for line in part.splitlines())
        if lines >= height:
            _show(command, chain(begun, rest))
            return
    yield from begun


def _show(command: list[str], parts: Iterable[str]) -> None:
    environment = {"LESS": LESS, "LV": "-c", **os.environ}
    sys.stdout.flush()
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment) as pager, _left_to_the_pager():
        assert pager.stdin is not None
        with suppress(BrokenPipeError):
            for part in parts:
                pager.stdin.write(part.encode(sys.stdout.encoding, "backslashreplace"))
        with suppress(BrokenPipeError):
            pager.stdin.close()
        pager.wait()


@contextmanager
def _left_to_the_pager() -> Iterator[None]:
    """Let Ctrl-C be the pager's: it ends a search there, and not the program under it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
