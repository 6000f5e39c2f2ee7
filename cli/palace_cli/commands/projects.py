"""``palace projects``: which wing belongs to a folder, and what else is recalled there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer
from rich.table import Table

from palace.models import Project, SourceKind
from palace_cli import completion
from palace_cli.command import Answer, Palace, listing, subcommand
from palace_cli.options import argument, flag, option
from palace_cli.render.layout import Columns, record, records

app = typer.Typer(help="See which wing belongs to a folder; say what else is recalled there.")

Folder = Annotated[str, argument("FOLDER", "A folder of the project, or its key as `list` shows it.")]

Wings = Annotated[
    list[str] | None, argument("[WING]...", "Other wings, by name or number.", completes=completion.places(1))
]
SOURCE = "A kind of source: tools, mail or chats; may be repeated."
Sources = Annotated[
    list[str] | None, option("--source", SOURCE, "KIND", default=..., completes=completion.words(*SourceKind))
]
NOTHING = "there are no projects yet: mining a coding agent's sessions makes them, and so does palace projects wing"


@dataclass(frozen=True, slots=True)
class Dropped:
    """Whether anything was known of a project."""

    dropped: bool


COLUMNS: Columns = {
    "project": "key",
    "wing": lambda each: each.wing.name,
    "also recalled": lambda each: ", ".join(wing.name for wing in each.wings),
    "sources": lambda each: ", ".join(each.sources),
}


def projects_view(found: tuple[Project, ...]) -> Table:
    return records(found, COLUMNS, elastic=("project", "wing", "also recalled"))


def project_view(found: Project) -> Table:
    return record(found, {**COLUMNS, "wing": lambda each: f"{each.wing.name} ({each.wing.pointer})"})


@listing(app, "list", projects_view, nothing=NOTHING)
def list_(palace: Palace) -> Answer:
    """List projects, their wings, and what else is recalled there.

    \b
    palace projects
    """
    return Answer(palace.projects.list(), notes=map(str, palace.projects.unrecalled()))


@subcommand(app, "wing", project_view)
def wing(
    palace: Palace,
    folder: Folder,
    wing: str = argument(
        "WING", 'The wing, by name or number ("Efoil rebuild", W-001).', completes=completion.places(1)
    ),
    *,
    create: bool = flag("--create", "Make the wing where there is none."),
) -> Project:
    """Set the wing of a folder's project; what was filed stays.

    From then on its sessions are filed in that wing, and recall there looks in it.

    \b
    palace projects wing ~/code/api "Efoil rebuild"
    """
    return palace.projects.assign(folder, wing, create=create)


@subcommand(app, "allow", project_view)
def allow(palace: Palace, folder: Folder, wings: Wings = None, *, sources: Sources = None) -> Project:
    """Let recall in a project look in other wings, or further sources.

    What tools returned, mail and chats are left out in all wings of a project unless they are allowed.

    \b
    palace projects allow ~/code/api "Old project"
    palace projects allow ~/code/api --source tools
    """
    return palace.projects.allow(folder, wings=wings or (), sources=sources or ())


@subcommand(app, "deny", project_view)
def deny(palace: Palace, folder: Folder, wings: Wings = None, *, sources: Sources = None) -> Project:
    """Withdraw what was allowed; the project's own wing stays.

    \b
    palace projects deny ~/code/api "Old project"
    palace projects deny ~/code/api --source tools
    """
    return palace.projects.deny(folder, wings=wings or (), sources=sources or ())


@subcommand(app, "drop", lambda found: "dropped: its wing stays" if found.dropped else "nothing was known of it")
def drop(palace: Palace, folder: Folder) -> Dropped:
    """Remove a project; its wing stays as it is.

    Nothing is recalled there then, until its sessions are mined again: they get a wing of their own.

    \b
    palace projects drop ~/code/api
    """
    return Dropped(palace.projects.drop(folder))
