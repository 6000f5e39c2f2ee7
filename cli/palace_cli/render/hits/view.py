"""What recall found, for a person.

What is remembered stands two columns in, but for names, and is all that does: no text can pass for a hit.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from palace.records import Drawer, Hit, Recollection
from palace_cli.render.drawer import said, speaker, whereabouts
from palace_cli.render.excerpt import excerpt, preview
from palace_cli.render.hits.why import in_numbers, in_words

INDENT = 2


def recollection_view(
    recollection: Recollection, *, width: int, now: datetime | None = None, verbose: bool = False
) -> Group:
    """Show the hits, best first, each with its pointer, its place, what was said and why it was found.

    ``now`` is what dates are told from ("3 days ago"), this moment unless given; ``verbose`` shows the numbers behind
    the reasons.
    """
    hits, told_from = recollection.hits, now or datetime.now(UTC)
    blocks = [_hit(hit, hits[:place], width, told_from, verbose) for place, hit in enumerate(hits)]
    return Group(*(part for block in blocks for part in (block, ""))) if blocks else Group()


def _hit(hit: Hit, better: Sequence[Hit], width: int, now: datetime, verbose: bool) -> Group:
    drawer = hit.drawer
    return Group(
        Text(str(drawer.pointer), style="bold cyan") + Text(f"  {whereabouts(drawer)}", style="bold"),
        Text(said(drawer, now) + (f", earlier than {hit.newer}" if hit.newer else ""), style="dim"),
        *(_neighbour("asked" if drawer == hit.question else "before", drawer, width) for drawer in hit.asked_before()),
        Padding(excerpt(hit, width=width - INDENT), (0, 0, 0, INDENT), expand=False),
        *(_neighbour("after", drawer, width) for drawer in hit.after),
        Text(in_words(hit, better), style="dim"),
        *([Text(in_numbers(hit), style="dim")] if verbose else []),
    )


def _neighbour(where: str, drawer: Drawer, width: int) -> Text:
    """Show a neighbour on one line, flush left, where no line of a hit's text begins."""
    head = f"{where} {drawer.pointer}  {speaker(drawer)}: "
    shown = head + preview(drawer.content, limit=max(width - len(head), 1))
    return Text(shown, style="dim", no_wrap=True, overflow="ellipsis")
