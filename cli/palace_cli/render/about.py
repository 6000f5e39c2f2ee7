"""A page about somebody or something: a heading a kind, a line a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from palace.models import About, AboutKind
from palace.models.about import YOU
from palace_cli.clock import shown
from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE, HEADING, POINTER


def about_view(page: About) -> Group:
    """Show what is known, each line with its drawer and the day, then what is not."""
    others = f", also called {', '.join(page.entity.aliases[:5])}" if page.entity and page.entity.aliases else ""
    kind = f" ({page.entity.type})" if page.entity and page.name != YOU else ""
    title = Text(one_line(f"{page.name}{kind}{others if kind else ''}"), style=HEADING)
    gaps: list[RenderableType] = ["", Text(one_line(page.gaps), style=ASIDE)] if page.gaps else []
    return Group(title, *(part for each in page.kinds for part in _kind(each)), *gaps)


def _kind(kind: AboutKind) -> Iterator[RenderableType]:
    yield ""
    yield Text(kind.title, style=HEADING)
    rows = Table.grid(padding=(0, 2, 0, 0))
    rows.add_column(overflow="fold")
    rows.add_column(no_wrap=True)
    rows.add_column(no_wrap=True)
    for line in kind.lines:
        day = f"{shown(line.said_at):%Y-%m-%d}" if line.said_at else "undated"
        text = Text(f"  {one_line(line.text)}")
        rows.add_row(text, Text(day, style=ASIDE), Text(str(line.pointer), style=POINTER))
    yield rows
    if kind.left_out:
        yield Text(f"  {kind.left_out:,} more: --limit shows them", style=ASIDE)
