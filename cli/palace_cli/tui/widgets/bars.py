"""Why this hit: a bar for each signal, as long as its share of the score."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from palace.records import Hit
from palace_cli.render.hits.why import in_words
from palace_cli.terminal.styles import ASIDE

MOST_BARS = 5
"""Signals that are shown, the largest first."""
LEAST_SHARE = 0.005
"""What is less of the score is not drawn."""
NAMES = 11
"""Columns of their names."""
SHARES = 5
"""Columns of their shares."""
QUESTION = "question"
"""What a hit has that took the place of the question it answers."""


class WhyBars(Static):
    """The signals of one hit."""

    def __init__(self) -> None:
        super().__init__(id="why", markup=False)
        self._hit: Hit | None = None

    def on_mount(self) -> None:
        """There is no hit yet."""
        self._draw()

    def show(self, hit: Hit | None) -> None:
        """Show why a hit was found; None for no hit."""
        self._hit = hit
        self._draw()

    def on_resize(self) -> None:
        """Draw the bars for another width."""
        self._draw()

    def _draw(self) -> None:
        hit = self._hit
        self.set_class(hit is None, "-none")
        if hit is None:
            self.update(Content(""))
            return
        likely = "" if hit.confidence is None else f"\nlikely answers: {hit.confidence:.0%}"
        lines = [Content.styled(in_words(hit) + likely, ASIDE), *bars_of(hit, max(self.size.width, NAMES + SHARES + 4))]
        self.update(Content("\n").join(lines))


def bars_of(hit: Hit, width: int) -> list[Content]:
    """Draw a bar for each of the largest signals, with its share of the score in hundredths."""
    if not hit.parts or hit.score <= 0:
        return []
    longest = max(abs(part.share) for part in hit.parts)
    room = width - NAMES - SHARES - 1
    lines = []
    told = [part for part in hit.parts if abs(part.share) >= LEAST_SHARE * hit.score]
    for part in told[:MOST_BARS]:
        bar = "█" * max(1, round(room * abs(part.share) / longest))
        share = f"{round(100 * part.share / hit.score):d}%".rjust(SHARES)
        colour = "$success" if part.share > 0 else "$error"
        sign = bar if part.share > 0 else bar.replace("█", "░")
        name = QUESTION if part.signal == "place" and hit.question is not None else part.signal
        lines.append(Content.assemble(name[:NAMES].ljust(NAMES), (sign.ljust(room + 1), colour), share))
    return lines
