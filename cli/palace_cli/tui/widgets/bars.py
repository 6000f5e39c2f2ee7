"""Why this hit: a bar for each signal, as long as its share of the score."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from palace.records import Hit
from palace_cli.render.hits.why import in_words

MOST_BARS = 5
"""Signals that are shown, the largest first."""
NAMES = 11
"""Columns of their names."""
SHARES = 5
"""Columns of their shares."""


class WhyBars(Static):
    """The signals of one hit."""

    def __init__(self) -> None:
        super().__init__(id="why", markup=False)
        self._hit: Hit | None = None

    def show(self, hit: Hit | None) -> None:
        """Show why a hit was found; None for no hit."""
        self._hit = hit
        self._draw()

    def on_resize(self) -> None:
        """Draw the bars for another width."""
        self._draw()

    def _draw(self) -> None:
        hit = self._hit
        if hit is None:
            self.update(Content(""))
            return
        lines = [Content.styled(in_words(hit), "dim"), *bars_of(hit, max(self.size.width, NAMES + SHARES + 4))]
        self.update(Content("\n").join(lines))


def bars_of(hit: Hit, width: int) -> list[Content]:
    """Draw a bar for each of the largest signals, with its share of the score in hundredths."""
    if not hit.parts or hit.score <= 0:
        return []
    longest = max(abs(part.share) for part in hit.parts)
    room = width - NAMES - SHARES - 1
    lines = []
    for part in hit.parts[:MOST_BARS]:
        bar = "█" * max(1, round(room * abs(part.share) / longest))
        share = f"{round(100 * part.share / hit.score):d}%".rjust(SHARES)
        colour = "$success" if part.share > 0 else "$error"
        sign = bar if part.share > 0 else bar.replace("█", "░")
        lines.append(Content.assemble(part.signal[:NAMES].ljust(NAMES), (sign.ljust(room + 1), colour), share))
    return lines
