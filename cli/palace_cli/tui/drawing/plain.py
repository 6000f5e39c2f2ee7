"""No colours: what one would tell by them is bold, faint or in reverse."""

from __future__ import annotations

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

STANDS_OUT = 0.2
"""How much brighter or darker than what is around it, from 0 to 1, a background is that is shown in reverse."""


class Plain(LineFilter):
    """Takes every colour out of what is drawn, the last of the filters."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Draw segments in the colours of the terminal."""
        around = background.rich_color.get_truecolor()
        brightness = Color(*around).brightness
        return [
            Segment(text, _plain(style, brightness) if style else None, control) for text, style, control in segments
        ]


@lru_cache(2048)
def _plain(style: Style, around: float) -> Style:
    below = style.bgcolor
    stands_out = below is not None and abs(Color.from_rich_color(below).brightness - around) > STANDS_OUT
    return Style(
        bold=style.bold,
        dim=style.dim,
        italic=style.italic,
        underline=style.underline,
        strike=style.strike,
        reverse=bool(style.reverse) != stands_out,
        meta=style.meta or None,
    )
