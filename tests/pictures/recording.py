"""A recording of the terminal as one SVG: its screens one after the other, as text with rectangles behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from xml.sax.saxutils import escape

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from palace_cli.render.svg import safe

SECONDS = 3
"""How long a screen stands."""
WIDTH, HEIGHT, BASE = 8.4, 18, 13.5
"""Pixels of a cell, and where in it a letter stands."""
MARGIN = 12
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"

Screen = Sequence[Sequence[Segment]]
"""The lines of a terminal, each in pieces of one style."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands in a line in one style."""

    column: int
    text: str
    style: Style | None

    @property
    def cells(self) -> int:
        """How many columns it takes."""
        return cell_len(self.text)


def recording_svg(title: str, screens: Sequence[Screen], *, ground: str, ink: str) -> str:
    """Draw screens of one size in the colours of a theme; who wants no motion sees the first.

    The same screens give the same bytes.
    """
    rows = len(screens[0])
    columns = sum(piece.cells for piece in _pieces(screens[0][0]))
    width, height = columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN
    box = f"0 0 {width:.1f} {height:.1f}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" xml:space="preserve">',
        f"<title>{safe(title)}</title>",
        f"<style>{_style(len(screens), ground, ink)}</style>",
        f'<rect class="ground" x="0" y="0" width="{width:.1f}" height="{height:.1f}"/>',
    ]
    for number, screen in enumerate(screens):
        lines += [f'<g class="screen at{number}">', *_drawn(screen, (ink.lower(), ground.lower())), "</g>"]
    return "".join(f"{line}\n" for line in [*lines, "</svg>"])


def _style(screens: int, ground: str, ink: str) -> str:
    whole, share = screens * SECONDS, 100 / screens
    late = "".join(f".at{number}{{animation-delay:{number * SECONDS}s}}" for number in range(screens))
    return (
        f"text{{font:14px {FONT};white-space:pre;fill:{ink}}}.ground{{fill:{ground}}}.strong{{font-weight:600}}"
        ".slanted{font-style:italic}.lined{text-decoration:underline}"
        f"@keyframes turn{{0%,{share:.2f}%{{visibility:visible}}{share + 0.01:.2f}%,100%{{visibility:hidden}}}}"
        f".screen{{visibility:hidden;animation:turn {whole}s step-end infinite}}{late}"
        "@media (prefers-reduced-motion:reduce){.screen{animation:none}.at0{visibility:visible}}"
    )


def _drawn(screen: Screen, plain: tuple[str, str]) -> Iterator[str]:
    for row, line in enumerate(screen):
        pieces = list(_pieces(line))
        top = MARGIN + row * HEIGHT
        for piece in pieces:
            behind = _colours(piece.style, plain)[1]
            if behind != plain[1]:
                left, width = MARGIN + piece.column * WIDTH, piece.cells * WIDTH
                yield f'<rect x="{left:.1f}" y="{top}" width="{width:.1f}" height="{HEIGHT}" fill="{behind}"/>'
        for piece in pieces:
            if piece.text.strip():
                yield _text(piece, top + BASE, plain)


def _text(piece: Piece, base: float, plain: tuple[str, str]) -> str:
    text = piece.text.rstrip()
    left = MARGIN + piece.column * WIDTH
    style = piece.style or Style()
    kinds = {"strong": style.bold, "slanted": style.italic, "lined": style.underline}
    named = " ".join(kind for kind, is_so in kinds.items() if is_so)
    kind = f' class="{named}"' if named else ""
    colour = _colours(piece.style, plain)[0]
    fill = f' style="fill:{colour}"' if colour != plain[0] else ""
    length = cell_len(text) * WIDTH
    return f'<text{kind} x="{left:.1f}" y="{base:.1f}" textLength="{length:.1f}"{fill}>{escape(text)}</text>'


def _pieces(line: Sequence[Segment]) -> Iterator[Piece]:
    """Give the pieces of a line, those of one style together, each with its column."""
    joined = list(Segment.simplify(line))
    columns = accumulate((segment.cell_length for segment in joined), initial=0)
    for column, segment in zip(columns, joined, strict=False):
        yield Piece(column, segment.text, segment.style)


def _colours(style: Style | None, plain: tuple[str, str]) -> tuple[str, str]:
    """Return the colours of letters and of what is behind them; ``plain`` where a style names none."""
    ink = style.color.get_truecolor().hex if style and style.color else plain[0]
    behind = style.bgcolor.get_truecolor().hex if style and style.bgcolor else plain[1]
    return (behind, ink) if style and style.reverse else (ink, behind)
