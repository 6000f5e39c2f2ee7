"""What a person types, a message at a time: at a terminal with a prompt, or from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from io import TextIOWrapper

from palace_cli import diagnostics, output

PROMPT, GOES_ON = "> ", ". "
FENCE = '"""'
"""A line of it alone begins a message of several lines, and ends it."""


class Lines:
    """The lines of standard input."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty()
        if isinstance(sys.stdin, TextIOWrapper):
            # What is no UTF-8 is shown as such and said all the same.
            sys.stdin.reconfigure(errors="replace")
        self._is_edited = self.is_terminal and output.is_terminal()
        if self._is_edited:
            with suppress(ImportError):
                # Lines are longer than a terminal's own 4,096 bytes, and edited; nothing of them is kept in a file.
                import readline  # noqa: F401

    def messages(self) -> Iterator[str]:
        """Give each message, without the line's end; blank ones are passed over. Ends at the end of input.

        A line that ends in a backslash goes on with the next; lines between two of three quotation marks are one
        message.

        Raises:
            KeyboardInterrupt: Ctrl-C at the prompt; call it again to go on.
        """
        while (line := self._line(PROMPT)) is not None:
            message = self._fenced() if line.strip() == FENCE else self._continued(line)
            if message.strip():
                yield message

    def answer(self) -> str:
        """Give what stands on the next line, "" at the end of input."""
        return (self._line("") or "").strip()

    def _continued(self, line: str) -> str:
        parts = [line]
        while parts[-1].endswith("\\") and (more := self._line(GOES_ON)) is not None:
            parts[-1] = parts[-1][:-1]
            parts.append(more)
        return "\n".join(parts)

    def _fenced(self) -> str:
        parts = []
        while (line := self._line(GOES_ON)) is not None and line.strip() != FENCE:
            parts.append(line)
        return "\n".join(parts)

    def _line(self, prompt: str) -> str | None:
        if self._is_edited:
            diagnostics.ask()
            with suppress(EOFError):
                return input(prompt)
            return None
        if self.is_terminal:
            diagnostics.ask(prompt)
        line = sys.stdin.readline()
        return line.rstrip("\r\n") if line else None
