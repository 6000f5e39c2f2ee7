"""The hits: each with its pointer, speaker, time and excerpt, and why it was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from palace.models import Hit
from palace_cli.render.drawer import excerpt, said, whereabouts
from palace_cli.render.hits import in_words
from palace_cli.render.memory import kind_of
from palace_cli.styles import ASIDE, HEADING
from palace_cli.tui.keys import key

MOST_BARS = 5
"""Signals that are drawn at most, the largest first."""
LEAST_SHARE = 0.005
"""The smallest share of the score that is drawn."""
NAMES = 11
"""Columns of a signal's name."""
SHARES = 5
"""Columns of a signal's share."""
QUESTION = "question"
"""The name for the share of a hit that replaced the question it answers."""


class WhyBars(Static):
    """Draws the signals of one hit."""

    def __init__(self) -> None:
        super().__init__(id="why", markup=False)
        self._hit: Hit | None = None

    def on_mount(self) -> None:
        self._draw()

    def show(self, hit: Hit | None) -> None:
        self._hit = hit
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        hit = self._hit
        self.set_class(hit is None, "-none")
        if hit is None:
            self.update(Content(""))
            return
        lines = [Content.styled(in_words(hit), ASIDE), *bars_of(hit, max(self.size.width, NAMES + SHARES + 4))]
        self.update(Content("\n").join(lines))


def bars_of(hit: Hit, width: int) -> list[Content]:
    """Draw a bar for each of the largest signals, with its share of the score in percent."""
    if not hit.parts or hit.score <= 0:
        return []
    longest = max(abs(part.share) for part in hit.parts)
    room = width - NAMES - SHARES - 1
    lines = []
    drawn = [part for part in hit.parts if abs(part.share) >= LEAST_SHARE * hit.score]
    for part in drawn[:MOST_BARS]:
        bar = "█" * max(1, round(room * abs(part.share) / longest))
        share = f"{round(100 * part.share / hit.score):d}%".rjust(SHARES)
        colour = "$primary" if part.share > 0 else "$error"
        sign = bar if part.share > 0 else bar.replace("█", "░")
        name = QUESTION if part.signal == "place" and hit.question is not None else part.signal
        lines.append(Content.assemble(name[:NAMES].ljust(NAMES), (sign.ljust(room + 1), colour), share))
    return lines


NARROWEST = 16
"""The fewest columns of an excerpt."""


class HitsList(OptionList):
    """Lists the hits, best first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("j", "cursor_down", "Down", "hits.down", "Go to the next hit."),
        key("k", "cursor_up", "Up", "hits.up", "Go to the hit before."),
        key("enter", "select", "Open", "hits.open", "Go to where it stands.", show=True),
        key("escape", "screen.to_box", "Back", "hits.leave", "Go back to the search box.", show=True),
    ]

    @dataclass
    class Seen(Message):
        """The cursor came to a hit."""

        hit: Hit

    @dataclass
    class Chosen(Message):
        """A hit was chosen: go to its place."""

        hit: Hit

    def __init__(self) -> None:
        super().__init__(id="hits", markup=False)
        self.hits: Sequence[Hit] = ()
        self._drawn_for = 0

    def show(self, hits: Sequence[Hit]) -> None:
        """Show hits; the cursor stays on its drawer, if that is among them."""
        before = self.hit
        self.hits = hits
        self._draw()
        self.go_to(str(before.drawer.pointer) if before else None)

    @property
    def hit(self) -> Hit | None:
        at = self.highlighted
        return self.hits[at] if at is not None and at < len(self.hits) else None

    def go_to(self, pointer: str | None) -> None:
        """Move the cursor to the hit of a drawer, or to the first hit."""
        places = [place for place, hit in enumerate(self.hits) if str(hit.drawer.pointer) == pointer]
        self.highlighted = (places or [0])[0] if self.hits else None

    def on_resize(self) -> None:
        if self.hits and self.outer_size.width != self._drawn_for:
            at = self.highlighted
            self._draw()
            self.highlighted = at

    def on_focus(self) -> None:
        if self.hit is not None:
            self.post_message(self.Seen(self.hit))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if self.hit is not None:
            self.post_message(self.Seen(self.hit))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_index < len(self.hits):
            self.post_message(self.Chosen(self.hits[event.option_index]))

    def action_cursor_up(self) -> None:
        if self.highlighted in {0, None}:
            self.call_next(self.run_action, "screen.to_box")
        else:
            super().action_cursor_up()

    def _draw(self) -> None:
        self._drawn_for = self.outer_size.width
        # The same width with and without a scroll bar.
        width = max(self.outer_size.width - 3, NARROWEST)
        self.clear_options()
        self.add_options([Option(_drawn(hit, width)) for hit in self.hits])


def _drawn(hit: Hit, width: int) -> Content:
    """Draw a hit; its parts are free of control characters."""
    drawer = hit.drawer
    return Content("\n").join(
        (
            Content.styled(str(drawer.pointer), HEADING),
            Content(whereabouts(drawer)).truncate(width, ellipsis=True),
            Content.styled(said(drawer, memory=hit.memory), ASIDE).truncate(width, ellipsis=True),
            *([Content.styled(kind_of(hit.memory), ASIDE).truncate(width, ellipsis=True)] if hit.memory else []),
            Content.from_rich_text(excerpt(hit, width=width)),
        )
    )
