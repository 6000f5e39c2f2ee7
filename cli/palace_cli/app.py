"""Assembles the command line."""

from __future__ import annotations

import atexit
import gc
from typing import Annotated

import typer

import palace
from palace_cli import options, output
from palace_cli.commands import (
    activity,
    browse,
    chat,
    costs,
    db,
    doctor,
    embeddings,
    entities,
    export,
    forget,
    graph,
    import_,
    jobs,
    ls,
    mine,
    move,
    note,
    outbox,
    rebuild,
    recall,
    recent,
    relations,
    rename,
    restore,
    runs,
    scrub,
    settings,
    show,
    status,
    timeline,
    worker,
)
from palace_cli.guard import GuardedGroup

app = typer.Typer(
    name="palace",
    cls=GuardedGroup,
    help="Long-term memory for people and agents, in one Postgres.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _palace(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        output.write_line(f"palace {palace.__version__}")
        raise typer.Exit
    options.help_when_alone(context)


app.command("mine")(mine.mine)
app.command("note")(note.note)
app.command("recall")(recall.recall)
app.command("recent")(recent.recent)
app.command("ls")(ls.ls)
app.command("show")(show.show)
app.command("timeline")(timeline.timeline)
app.command("relations")(relations.relations)
app.command("graph")(graph.graph)
app.command("status")(status.status)
app.command("move")(move.move)
app.command("rename")(rename.rename)
app.command("forget")(forget.forget)
app.command("restore")(restore.restore)
for verb in (chat.chat, browse.browse, runs.runs, runs.undo, activity.activity):
    app.command(verb.__name__)(verb)
app.command("export")(export.export)
app.command("import")(import_.import_)
app.command("worker")(worker.worker)
for group in (db, embeddings, entities, jobs, outbox, settings):
    app.add_typer(group.app, name=group.__name__.rpartition(".")[2])
for last in (costs.costs, rebuild.rebuild, scrub.scrub, doctor.doctor):
    app.command(last.__name__)(last)


def main() -> None:
    """Run the command line and leave with its exit code; ``entry`` calls it for the ``palace`` program."""
    # Importing makes objects by the hundred thousand that live to the end. Looking through them for garbage again and
    # again took 30 % of a cold recall.
    gc.set_threshold(100_000, 50, 50)
    atexit.register(gc.freeze)
    app(prog_name="palace")
