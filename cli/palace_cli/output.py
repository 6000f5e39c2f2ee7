"""Everything that the command line writes to stdout: a value as a human view or as one JSON document.

Long output is paged at a terminal, never in a pipe. The pager gets exactly what would have been written: control
characters of remembered text are neutralised, and ``less`` passes on colours alone (``-R``). It is started without a
shell.
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
"""Columns of output that is no terminal: nothing is wrapped or cut, each row stays on one line."""

READABLE = 100
"""Columns of flowing text, at most."""

LONGEST_LINE = 200
"""Characters of a remembered text on one line, if there is no terminal width to fit."""

_STYLES: dict[bool | None, dict[str, Any]] = {
    None: {},
    True: {"force_terminal": True, "color_system": "standard", "no_color": False},
    False: {"color_system": None},
}
"""Arguments of Rich's console to force or suppress styles, by whether colour is wanted."""

T = TypeVar("T")


def present(value: T, view: Callable[[T], RenderableType], *, as_json: bool, colour: bool | None = None) -> None:
    """Write a value as JSON, or in its human view; ``colour`` overrides whether stdout is a terminal."""
    if as_json:
        write_json(value)
    else:
        _write_view(view(value), colour)


def write_json(value: object, *, indent: int | None = 2) -> None:
    """Write one JSON document in UTF-8, whatever the terminal's encoding (RFC 8259, section 8.1).

    Control and invisible characters are escaped. Without ``indent`` it is one line, for commands with several answers.
    """
    _write_bytes(escaped_json(to_json(value, indent=indent)).encode("utf-8", "backslashreplace") + b"\n")


def write_line(text: str) -> None:
    """Write a line unchanged; for text of our own."""
    write_text(text + "\n")


def write_verbatim(text: str) -> None:
    """Write remembered text exactly; at a terminal, control characters are made visible."""
    write_text(visible(text) if is_terminal() else text)


def write_all_verbatim(parts: Iterable[str]) -> None:
    """Write remembered texts in sequence as ``write_verbatim`` does, paged at a terminal."""
    for text in paged(map(visible, parts) if is_terminal() else parts):
        write_text(text)


def write_raw(text: str) -> None:
    """Write remembered text exactly, byte for byte, whatever stdout is."""
    _write_bytes(text.encode("utf-8", "surrogatepass"))


def stream() -> BinaryIO:
    """Return stdout as a binary stream, for a document that is written in parts."""
    sys.stdout.flush()
    return sys.stdout.buffer


def is_terminal() -> bool:
    """Return whether stdout is a terminal."""
    return sys.stdout.isatty()


def text_width() -> int:
    """Return the width of flowing text in columns."""
    return min(shutil.get_terminal_size((READABLE, 24)).columns, READABLE)


def longest_line() -> int | None:
    """Return how many characters of a text to write on one line; None at a terminal, where its width decides."""
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
        write_text(text)


def write_text(text: str) -> None:
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
"""Exit if it fits on the screen, show colours, leave the text on the screen; unless ``LESS`` is set."""


class _Paging:
    """Whether this process pages output."""

    is_wanted = True


def want_pager(wanted: bool) -> None:
    """Turn paging on or off."""
    _Paging.is_wanted = wanted


def pager_command() -> list[str]:
    """Return the pager's command line: ``PALACE_PAGER``, else ``PAGER``, else less; empty if nothing is to be paged."""
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
    """Show text in the pager once it is longer than the screen; else yield it to be written.

    If the pager is quit early, the remaining parts are not computed.
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
    """Ignore Ctrl-C during the block, so that only the pager handles it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
