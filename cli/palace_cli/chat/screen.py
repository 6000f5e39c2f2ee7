"""What a chat shows: the reply on standard output as it comes, all about it dim on standard error.

What a model says is text and nothing else: no markup of Rich's is read in it, and nothing in it drives a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from palace.records import Hit
from palace_cli import diagnostics, output
from palace_cli.render.drawer import said
from palace_cli.render.excerpt import preview
from palace_cli.render.hits.why import in_words
from palace_cli.render.visible import one_line, visible
from palace_cli.terminal.styles import ASIDE, WARNING

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
