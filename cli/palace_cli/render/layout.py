"""The two layouts of views: a table of records, and a list of named values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from rich.table import Table
from rich.text import Text

from palace_cli.render.figures import moment, money
from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE, HEADING

Columns = Mapping[str, Any]
"""The columns of a table: headers, each with the name of a field or a function that returns the value."""


def table(*headers: str, numbers: Iterable[str] = (), elastic: Iterable[str] = ()) -> Table:
    """Return an empty table without borders.

    Columns named in ``numbers`` are right-aligned; those in ``elastic`` are cut on a narrow terminal.
    """
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=HEADING)
    right, yielding = set(numbers), set(elastic)
    for header in headers:
        made.add_column(header, justify="right" if header in right else "left", no_wrap=header not in yielding)
    return made


def records(
    rows: Iterable[Any], columns: Columns, *, numbers: Iterable[str] = (), elastic: Iterable[str] = ()
) -> Table:
    """Return a table with one row per record; ids are written without thousands separators."""
    made = table(*columns, numbers=numbers, elastic=elastic)
    for row in rows:
        values = (_value(row, get) for get in columns.values())
        made.add_row(*(value if isinstance(value, Text) else cell(written_value(value)) for value in values))
    return made


def grid(*widths: int | None) -> Table:
    """Return an empty table without headers; each column has so many columns at least, or wraps where that is None."""
    made = Table.grid(padding=(0, 2, 0, 0))
    for width in widths:
        made.add_column(no_wrap=width is not None, min_width=width, overflow="fold" if width is None else "ellipsis")
    return made


def record(row: Any, columns: Columns) -> Table:
    """Return the values of one record beside the headers of the columns."""
    return named_values({name: _value(row, get) for name, get in columns.items()})


def named_values(rows: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Table:
    """Return a list of values beside their names; empty values are left out."""
    made = grid(0, None)
    for name, value in rows.items() if isinstance(rows, Mapping) else rows:
        if shown := written_value(value):
            made.add_row(Text(name, style=ASIDE), Text(one_line(shown)))
    return made


def written_value(value: Any) -> str:
    """Return a value as text by its type: numbers with commas, seconds, money, times; "" for None and False."""
    if value is None or value is False:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.1f} s"
    if isinstance(value, Decimal):
        return money(value)
    if isinstance(value, datetime):
        return moment(value)
    return str(value)


def cell(text: str, style: str = "") -> Text:
    """Return a table cell of remembered text: one line, cut with "…" if there is no room."""
    return Text(one_line(text), style=style, no_wrap=True, overflow="ellipsis")


def _value(row: Any, get: str | Callable[[Any], Any]) -> Any:
    if get == "id":
        return str(row.id)
    return getattr(row, get) if isinstance(get, str) else get(row)
