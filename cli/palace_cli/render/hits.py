"""What recall found, for a person."""

from __future__ import annotations

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from palace.records import Drawer, Hit, Recollection
from palace_cli.render.drawer import said, speaker, whereabouts
from palace_cli.render.excerpt import excerpt, preview

LINES = 4
"""How many lines of the terminal a passage with its context fills, about."""


def recollection_view(recollection: Recollection, *, width: int) -> Group:
    """Show the hits, best first, each with its pointer, its place, the passage and why it was found."""
    blocks = [_hit(hit, width) for hit in recollection.hits]
    return Group(*(part for block in blocks for part in (block, ""))) if blocks else Group()


def _hit(hit: Hit, width: int) -> Group:
    drawer = hit.drawer
    return Group(
        Text(str(drawer.pointer), style="bold cyan") + Text(f"  {whereabouts(drawer)}", style="bold"),
        Text(said(drawer), style="dim"),
        *_neighbours(hit.before, width),
        Padding(_passage(hit, width), (0, 0, 0, 2), expand=False),
        *_neighbours(hit.after, width),
        Text(why(hit), style="dim"),
    )


def _passage(hit: Hit, width: int) -> Text:
    shown = excerpt(hit.drawer.content, hit.passage, limit=LINES * (width - 2))
    return Text.assemble((shown.before, "dim"), shown.passage, (shown.after, "dim"))


def _neighbours(drawers: tuple[Drawer, ...], width: int) -> list[Text]:
    return [Text(f"  {speaker(drawer)}: {preview(drawer.content, limit=width)}", style="dim") for drawer in drawers]


def why(hit: Hit) -> str:
    """Say why a drawer was found: the fused score, each arm's own score and rank, its place when it was reranked.

    And where the same was said again, by pointer.
    """
    arms = (f"{arm.arm} {arm.score:.2f} (#{arm.rank})" for arm in hit.arms)
    reranked = () if hit.reranked is None else (f"reranked #{hit.reranked}",)
    again = (f"said again in {', '.join(str(drawer.pointer) for drawer in hit.again)}",) if hit.again else ()
    return " · ".join((f"score {hit.score:.2f}", *arms, *reranked, *again))
