"""Text as lines of a terminal: verbatim, or as the Markdown that it may be. Slow enough to be done in a thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

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
    from rich.markdown import Markdown

    made = Markdown(visible(text), code_theme="ansi_dark" if dark else "ansi_light", hyperlinks=False)
    for token in _every(made.parsed):
        token.content = visible(token.content)
        if token.type == "softbreak":
            token.type = "hardbreak"
    return _lines(made, width)


def as_lines(lines: Iterable[Text], width: int) -> list[Strip]:
    """Set text of our own, a line each."""
    return _lines(Text("\n").join(lines), width)


def _every(tokens: Iterable[Any]) -> Iterator[Any]:
    for token in tokens:
        yield token
        yield from _every(token.children or ())


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
