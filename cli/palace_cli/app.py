"""Assembles the command line."""

from __future__ import annotations

import atexit
import gc
from typing import Annotated

import typer

import palace
from palace_cli import options, output
from palace_cli.guard import GuardedGroup
from palace_cli.later import LaterGroup

COMMANDS = {
    **{name: name for name in ("mine", "note", "recall", "recent", "chat", "browse", "ls", "show", "timeline")},
    **{name: name for name in ("relations", "graph", "status", "move", "rename", "forget", "restore", "runs")},
    "undo": "runs:undo",
    "activity": "activity",
    "export": "export",
    "import": "import_",
    "worker": "worker",
    **{name: name for name in ("connect", "hook", "mcp")},
    **{name: f"{name}:app" for name in ("db", "embeddings", "entities", "jobs", "outbox", "projects", "settings")},
    **{name: name for name in ("costs", "rebuild", "scrub", "doctor")},
}
"""Where each command stands, as the help lists them: its module, and its name in there where that is another."""


class _Program(GuardedGroup, LaterGroup):
    where = COMMANDS


app = typer.Typer(
    name="palace",
    cls=_Program,
    help="Long-term memory for people and agents, in one Postgres.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _palace(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    quiet: options.Quiet = False,
    no_pager: options.NoPager = False,
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    options.heed(quiet=quiet, no_pager=no_pager)
    if version:
        output.write_line(f"palace {palace.__version__}")
        raise typer.Exit
    if options.is_alone(context):
        from palace_cli.commands.glance import glance

        glance(user, as_json)


def main() -> None:
    """Run the command line and leave with its exit code; ``process`` calls it for the ``palace`` program."""
    # Importing makes objects by the hundred thousand that live to the end. Looking through them for garbage again and
    # again took 30 % of a cold recall.
    gc.set_threshold(100_000, 50, 50)
    atexit.register(gc.freeze)
    app(prog_name="palace")
