"""The two sides of a chat's terminal: what a person types, and what is shown.

The reply goes to standard output as it comes, all about it dim to standard error. What a model says is text and nothing
else: no markup of Rich's is read in it, and nothing in it drives a terminal.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from io import TextIOWrapper

from palace.models import Hit
from palace_cli import diagnostics, output
from palace_cli.render.drawer import preview, said
from palace_cli.render.hits import in_words
from palace_cli.render.visible import one_line, visible
from palace_cli.styles import ASIDE, WARNING

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


SHOWN = 3
"""Hits that are shown unasked; ``/why`` shows all."""
QUOTED = 70
"""Characters of each."""


class Screen:
    """Standard output and standard error of a chat."""

    def __init__(self, *, is_json: bool = False) -> None:
        self.is_json = is_json
        self._held, self._is_open = "", False

    def piece(self, text: str) -> None:
        """Show a piece of a reply."""
        if self.is_json:
            return
        whole = self._held + text
        # The end of a line may come in two pieces.
        self._held = "\r" if whole.endswith("\r") else ""
        shown = visible(whole.removesuffix("\r"))
        if shown:
            self._is_open = not shown.endswith("\n")
            output.write_text(shown)

    def end_reply(self) -> None:
        """End the line that a reply stands on."""
        self._held = ""
        if self._is_open:
            output.write_line("")
        self._is_open = False

    def dim(self, line: str) -> None:
        """Say something beside the talk, on one line."""
        diagnostics.show(f"  {one_line(line)}", style=ASIDE)

    def warn(self, line: str) -> None:
        """Say that something failed, on one line."""
        diagnostics.show(f"  {one_line(line)}", style=WARNING)

    def ask(self, question: str) -> None:
        """Ask something, and leave the cursor behind it."""
        diagnostics.ask(f"{one_line(question)} [y/N] ")

    def recalled(self, hits: Sequence[Hit], reason: str, *, searched: bool) -> None:
        """Show what was recalled and why: a line each, the best first."""
        if not hits:
            self.dim(f"· nothing remembered that is relevant ({reason})" if searched else f"· not looked up: {reason}")
        now = datetime.now(UTC)
        for place, hit in enumerate(hits[:SHOWN]):
            quoted = preview(hit.drawer.content, limit=QUOTED)
            self.dim(f"· {hit.drawer.pointer} {said(hit.drawer, now)}: “{quoted}” ({in_words(hit, hits[:place])})")
        if len(hits) > SHOWN:
            self.dim(f"· and {len(hits) - SHOWN} more: /why")
