"""Everything the command line writes to stdout: a value as a person reads it or as one JSON document.

Long output at a terminal comes a screen at a time, in a pipe never. What is handed to the pager is what would have been
written: remembered text has nothing left in it that acts on a terminal, and ``less`` passes on colours alone (``-R``).
It is started without a shell.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any, BinaryIO, TypeVar

from rich.console import Console, RenderableType

from palace.errors import PalaceError
from palace.models.codec import to_json
from palace_cli.render.visible import escaped_json, visible

UNBOUNDED = 10_000
"""Columns of output that is not a terminal: nothing is wrapped or cut, each row stays one line."""

READABLE = 100
"""Columns that flowing text fills at most."""

LONGEST_LINE = 200
"""Characters of a remembered text that is told on one line where there is no width to fit."""

_STYLES: dict[bool | None, dict[str, Any]] = {
    None: {},
    True: {"force_terminal": True, "color_system": "standard", "no_color": False},
    False: {"color_system": None},
}
"""What makes Rich write styles, colours and bold and underlined alike, or leave them out."""

T = TypeVar("T")


def present(value: T, view: Callable[[T], RenderableType], *, as_json: bool, colour: bool | None = None) -> None:
    """Write a value: as JSON, or as its view shows it; in colour on a terminal unless ``colour`` says otherwise."""
    if as_json:
        write_json(value)
    else:
        _write_view(view(value), colour)


def write_json(value: object) -> None:
    """Write one JSON document in UTF-8, whatever the terminal's encoding (RFC 8259, section 8.1).

    What would act on a terminal, or cannot be seen there, is escaped.
    """
    _write_bytes(escaped_json(to_json(value, indent=2)).encode("utf-8", "backslashreplace") + b"\n")


def write_json_line(value: object) -> None:
    """Write one JSON document on a line of its own, as ``write_json`` does; for commands that answer several times."""
    _write_bytes(escaped_json(to_json(value)).encode("utf-8", "backslashreplace") + b"\n")


def write_line(text: str) -> None:
    """Write one line as it is; for text of our own."""
    _write_text(text + "\n")


def write_text(text: str) -> None:
    _write_text(text)


def write_verbatim(text: str) -> None:
    """Write remembered text exactly; on a terminal, control characters become visible instead of acting."""
    _write_text(visible(text) if is_terminal() else text)


def write_all_verbatim(parts: Iterable[str]) -> None:
    """Write remembered texts as ``write_verbatim`` does, one behind the other, what is long by pages on a terminal."""
    for text in paged(map(visible, parts) if is_terminal() else parts):
        _write_text(text)


def write_raw(text: str) -> None:
    """Write remembered text exactly, byte for byte, to whatever stdout is."""
    _write_bytes(text.encode("utf-8", "surrogatepass"))


def stream() -> BinaryIO:
    """Give stdout to whoever writes a whole document to it piece by piece."""
    sys.stdout.flush()
    return sys.stdout.buffer


def is_terminal() -> bool:
    """Whether a person sees what is written."""
    return sys.stdout.isatty()


def text_width() -> int:
    """Return how many columns flowing text has."""
    return min(shutil.get_terminal_size((READABLE, 24)).columns, READABLE)


def longest_line() -> int | None:
    """Return how many characters of a text one line tells; None on a terminal, where its width says."""
    return None if is_terminal() else LONGEST_LINE


def _write_view(view: RenderableType, colour: bool | None) -> None:
    on_terminal = is_terminal()
    console = Console(
        file=sys.stdout,
        markup=False,
        emoji=False,
        highlight=False,
        width=None if on_terminal else UNBOUNDED,
        **_STYLES[colour],
    )
    with console.capture() as capture:
        console.print(view)
    lines = capture.get().splitlines()
    for text in paged(("".join(f"{line.rstrip()}\n" for line in lines),)):
        _write_text(text)


def _write_text(text: str) -> None:
    _write_bytes(text.encode(sys.stdout.encoding, "backslashreplace"))


def _write_bytes(data: bytes) -> None:
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise PalaceError(f"standard output cannot be written: {problem.strerror}") from problem


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
