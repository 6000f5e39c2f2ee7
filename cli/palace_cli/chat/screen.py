"""The terminal of a chat: reading the person's messages, and showing replies.

Replies go to standard output as they arrive, remarks in a dim style to standard error. The model's text is shown as
plain text: Rich's markup is not interpreted, and nothing in it controls the terminal.
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
"""A line of this alone begins and ends a message of several lines."""


class Lines:
    """Reads the person's messages from standard input."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty()
        if isinstance(sys.stdin, TextIOWrapper):
            # Bytes that are no UTF-8 are replaced, and the message is sent all the same.
            sys.stdin.reconfigure(errors="replace")
        self._is_edited = self.is_terminal and output.is_terminal()
        if self._is_edited:
            with suppress(ImportError):
                # Allows lines beyond the terminal's limit of 4,096 bytes, and editing; no history file is kept.
                import readline  # noqa: F401

    def messages(self) -> Iterator[str]:
        """Yield each message, without the final newline, until the end of input; blank ones are skipped.

        A line that ends in a backslash continues on the next; lines between two lines of three quotation marks are one
        message.

        Raises:
            KeyboardInterrupt: Ctrl-C at the prompt; call it again to continue.
        """
        while (line := self._line(PROMPT)) is not None:
            message = self._fenced() if line.strip() == FENCE else self._continued(line)
            if message.strip():
                yield message

    def answer(self) -> str:
        """Return the next line without surrounding blanks, "" at the end of input."""
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
"""Hits that are shown after each message; ``/why`` shows all."""
QUOTED = 70
"""Characters of each hit."""


class Screen:
    """Writes a chat to standard output and standard error."""

    def __init__(self, *, is_json: bool = False) -> None:
        self.is_json = is_json
        self._held, self._is_open = "", False

    def piece(self, text: str) -> None:
        """Show a piece of a reply."""
        if self.is_json:
            return
        whole = self._held + text
        # "\r\n" may arrive in two pieces.
        self._held = "\r" if whole.endswith("\r") else ""
        shown = visible(whole.removesuffix("\r"))
        if shown:
            self._is_open = not shown.endswith("\n")
            output.write_text(shown)

    def end_reply(self) -> None:
        """End the line of a reply."""
        self._held = ""
        if self._is_open:
            output.write_line("")
        self._is_open = False

    def dim(self, line: str) -> None:
        """Show a remark, on one line."""
        diagnostics.show(f"  {one_line(line)}", style=ASIDE)

    def warn(self, line: str) -> None:
        """Show a warning, on one line."""
        diagnostics.show(f"  {one_line(line)}", style=WARNING)

    def ask(self, question: str) -> None:
        """Show a yes-or-no question, and leave the cursor behind it."""
        diagnostics.ask(f"{one_line(question)} [y/N] ")

    def recalled(self, hits: Sequence[Hit], reason: str, *, searched: bool) -> None:
        """Show the hits with the reasons, one line each, best first; or that there are none."""
        if not hits:
            self.dim(f"· nothing remembered that is relevant ({reason})" if searched else f"· not looked up: {reason}")
        now = datetime.now(UTC)
        for index, hit in enumerate(hits[:SHOWN]):
            quoted = preview(hit.drawer.content, limit=QUOTED)
            self.dim(f"· {hit.drawer.pointer} {said(hit.drawer, now)}: “{quoted}” ({in_words(hit, hits[:index])})")
        if len(hits) > SHOWN:
            self.dim(f"· and {len(hits) - SHOWN} more: /why")
