"""Cuts remembered text down to the lines of a terminal that it may fill."""

from __future__ import annotations

from math import ceil

from rich.cells import cell_len
from rich.text import Text

from palace.records import Hit, Span
from palace_cli.render.visible import one_line, visible
from palace_cli.terminal.styles import FOUND

ELLIPSIS = "…"

LINES = 4
"""How many lines of the terminal a long drawer's excerpt fills, about."""

SHORT_LINES = 8
"""How many where it is written in lines that do not fill the terminal's, such as code or a list."""


def excerpt(hit: Hit, *, width: int) -> Text:
    """Show what of a hit's drawer surrounds its best sentence, in its own lines; the query's words are marked."""
    # What cuts sentences loads the tokenizer, which `palace --help` does without.
    from palace.recall.excerpt import focus_of, shown_lines, shown_span
    from palace.recall.sentence import word_pattern

    content = hit.drawer.content

    def cost(text: str) -> float:
        lines = [cell_len(line) for line in text.splitlines() if line.strip()]
        return max(sum(lines) / (LINES * width), sum(ceil(line / width) for line in lines) / SHORT_LINES)

    shown = shown_span(content, Span(0, len(content)), focus_of(hit), cost, reach=LINES * width)
    text = Text("\n".join(visible(line) for line in shown_lines(content, shown)))
    marked = word_pattern(word for forms in hit.words for word in forms)
    if marked:
        text.highlight_regex(marked, style=FOUND)
    return text


def preview(content: str, *, limit: int) -> str:
    """Show how a text begins, on one line of at most ``limit`` characters and "…"."""
    return _head(one_line(content.strip()), limit)


def _head(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    kept = text[:room]
    at_word_end = text[room] == " " or " " not in kept
    return (kept if at_word_end else kept.rpartition(" ")[0]).rstrip() + ELLIPSIS
