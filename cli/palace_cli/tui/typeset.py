"""Text as lines of a terminal: verbatim, or as the Markdown that it may be. Slow enough to be done in a thread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO

from rich.console import Console, RenderableType
from rich.text import Text
from rich.theme import Theme
from textual.strip import Strip

from palace_cli.render.visible import visible

PART = 20_000
"""Characters that are shown at first, and more of them each time that is asked for."""

_THEME = Theme(
    # Colours that stand out on light and dark alike; rich's own inline code is on black.
    {
        "markdown.code": "bold cyan",
        "markdown.code_block": "cyan",
        "markdown.h1": "bold underline",
        "markdown.h2": "bold underline",
        "markdown.h1.border": "dim",
        "markdown.block_quote": "dim",
        "markdown.link": "underline",
        "markdown.link_url": "underline",
    }
)


def part_of(content: str, parts: int) -> str:
    """Cut off what is not shown yet, at the end of a line where one is near."""
    most = PART * parts
    if len(content) <= most:
        return content
    end = content.rfind("\n", most - PART // 2, most)
    return content[: end + 1 if end > 0 else most]


def as_written(text: str, width: int) -> list[Strip]:
    """Set text verbatim, broken where a line is full."""
    return _lines(Text(visible(text).expandtabs(4)), width)


def as_markdown(text: str, width: int, *, dark: bool) -> list[Strip]:
    """Set text as Markdown: headings, lists, tables, code in its colours; a line that ends stays ended."""
    from palace_cli.tui.markdown import WholeMarkdown

    made = WholeMarkdown(visible(text), "ansi_dark" if dark else "ansi_light")
    return _lines(made, width) if made.fits(width) else as_written(text, width)


def as_lines(lines: Iterable[Text], width: int) -> list[Strip]:
    """Set text of our own, a line each."""
    return _lines(Text("\n").join(lines), width)


def as_lines_at(lines: Sequence[Text], at: int, width: int) -> tuple[list[Strip], int]:
    """Set text of our own, and say where one of its lines begins."""
    before = as_lines([*lines[:at], Text()], width)
    return as_lines(lines, width), len(before) - 1


def _lines(shown: RenderableType, width: int) -> list[Strip]:
    console = Console(
        file=StringIO(),
        width=max(width, 4),
        force_terminal=True,
        color_system="truecolor",
        theme=_THEME,
        markup=False,
        emoji=False,
        highlight=False,
        no_color=False,
        legacy_windows=False,
    )
    options = console.options.update(highlight=False)
    return [Strip(line) for line in console.render_lines(shown, options, pad=False)]
