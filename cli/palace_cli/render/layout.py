"""The two shapes of a view: a table, and a list of named values."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE, HEADING


def table(*headers: str, numbers: Iterable[str] = (), elastic: Iterable[str] = ()) -> Table:
    """Make an empty table without lines.

    Columns named in ``numbers`` align right; those named in ``elastic`` give way on a narrow terminal.
    """
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=HEADING)
    right, yielding = set(numbers), set(elastic)
    for header in headers:
        made.add_column(header, justify="right" if header in right else "left", no_wrap=header not in yielding)
    return made


def named_values(rows: Iterable[tuple[str, str]]) -> Table:
    """Lay out values beside their names; rows without a value are left out."""
    made = Table.grid(padding=(0, 2, 0, 0))
    made.add_column(no_wrap=True)
    made.add_column(overflow="fold")
    for name, value in rows:
        if value:
            made.add_row(Text(name, style=ASIDE), Text(one_line(value)))
    return made


def cell(text: str, style: str = "") -> Text:
    """Make a cell of remembered text: one line, cut with "…" where there is no room."""
    return Text(one_line(text), style=style, no_wrap=True, overflow="ellipsis")
