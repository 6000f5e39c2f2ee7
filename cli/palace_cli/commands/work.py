"""``palace work``: what coding agents decided, tried, fixed and changed."""

from __future__ import annotations

from datetime import datetime

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from palace.models import WorkEntry, WorkHere, WorkHistory
from palace_cli import options
from palace_cli.clock import shown
from palace_cli.command import Answer, Palace, answers, subcommand
from palace_cli.options import argument, option, since
from palace_cli.render.layout import grid
from palace_cli.render.visible import one_line
from palace_cli.styles import ASIDE, HEADING, POINTER

app = typer.Typer(help="See what coding agents decided, tried, fixed and changed.")
NOTHING = "nothing found; try a part of it (a file's name, a program, words of an error), or palace work here"
NOTHING_HERE = "nothing found in this project; palace mine files the sessions of coding agents"


def history_view(history: WorkHistory) -> RenderableType:
    """Return a view of a history, oldest first."""
    more = [Text(f"{history.more:,} older entries are left out", style=ASIDE)] if history.more else []
    return Group(*more, _entries(history.entries))


def here_view(here: WorkHere) -> Group:
    """Return a view of the latest work in a folder's project, its open failures, and its last failure."""
    parts = here.parts.items()
    return Group(*(each for name, found in parts for each in (Text(name, style=HEADING), _entries(found))))


def _entries(entries: tuple[WorkEntry, ...]) -> Table:
    rows = grid(10, 8, None, 0)
    for each in entries:
        at = str(shown(each.said_at).date()) if each.said_at else ""
        text = Text(one_line(each.text))
        for behind in (each.error if each.kind != "edit" else None, each.fixed_by and f"after {each.fixed_by}"):
            text.append(f"\n{one_line(behind)}" if behind else "", style=ASIDE)
        rows.add_row(Text(at, style=ASIDE), Text(each.kind), text, Text(str(each.pointer), style=POINTER))
    return rows


@app.callback(invoke_without_command=True)
@answers(history_view, is_group=True)
def work(
    palace: Palace,
    *,
    file: str | None = option("--file", "A file; absolute, or relative to its project.", "PATH"),
    command: str | None = option("--command", "A command line.", "COMMAND"),
    error: str | None = option("--error", "An error message, or output that contains one.", "TEXT"),
    symbol: str | None = option("--symbol", "The name of a function, class or similar.", "NAME"),
    wing: options.Wing = None,
    since: datetime | None = since("--since", "Only entries from then on."),
    limit: int = option("--limit", "Most entries, the newest.", "N", default=20, min=1, max=1000),
) -> Answer:
    """Show what coding agents decided, tried, fixed and changed earlier about a file, a command, an error or a symbol.

    The entries are in order of time, with pointers; with several options, those of each. Commands and errors are
    compared without folders, times and names of machines; the beginning of a command or most words of an error are
    enough.

    \b
    palace work --file palace/db/rows.py
    palace work --command "make check"
    palace work --error "KeyError: 'salt'"
    """
    found = palace.work(file=file, command=command, error=error, symbol=symbol, wing=wing, since=since, limit=limit)
    return Answer(found, remarks=() if found.entries else (NOTHING,))


@subcommand(app, "here", here_view)
def here(
    palace: Palace, folder: str = argument("[FOLDER]", "A folder of the project; by default this one.", default=".")
) -> Answer:
    """Show the latest decisions, fixes and edits in a folder's project, its open failures and its last one.

    \b
    palace work here
    """
    found = palace.work_here(folder)
    return Answer(found, remarks=() if found.parts else (NOTHING_HERE,))
