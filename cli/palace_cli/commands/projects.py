"""``palace projects``: which wing belongs to a folder, and what else is recalled there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from palace.models import Project, SourceKind
from palace_cli import completion, diagnostics, options, output
from palace_cli.command import Palace, answers
from palace_cli.opening import open_palace
from palace_cli.options import argument, option
from palace_cli.render.layout import cell, named_values, table
from palace_cli.render.visible import one_line

app = typer.Typer(help="See which wing belongs to a folder; say what else is recalled there.")
app.callback(invoke_without_command=True)(options.help_when_alone)

Folder = Annotated[str, argument("FOLDER", "A folder of the project, or its key as `list` shows it.")]
OneWing = Annotated[
    str,
    argument("WING", 'The wing, by name or number ("Efoil rebuild", W-001).', completion.places(1)),
]
Wings = Annotated[
    list[str] | None,
    argument("[WING]...", "Other wings, by name or number.", completion.places(1)),
]
Sources = Annotated[
    list[str] | None,
    option(
        "--source", "A kind of source: tools, mail or chats; may be repeated.", "KIND", completion.words(*SourceKind)
    ),
]
Create = Annotated[bool, option("--create", "Make the wing where there is none.")]


@dataclass(frozen=True, slots=True)
class Dropped:
    """Whether anything was known of a project."""

    dropped: bool


def projects_view(found: tuple[Project, ...]) -> Table:
    shown = table("project", "wing", "also recalled", "sources", elastic=("project", "wing", "also recalled"))
    for each in found:
        others = ", ".join(wing.name for wing in each.wings)
        shown.add_row(cell(each.key), cell(each.wing.name), cell(others), ", ".join(each.sources))
    return shown


def project_view(found: Project) -> Table:
    return named_values(
        [
            ("project", one_line(found.key)),
            ("wing", one_line(f"{found.wing.name} ({found.wing.pointer})")),
            ("also recalled", one_line(", ".join(wing.name for wing in found.wings))),
            ("sources", ", ".join(found.sources)),
        ]
    )


def dropped_view(found: Dropped) -> Text:
    return Text("dropped: its wing stays" if found.dropped else "nothing was known of it")


@app.command("list")
def list_(user: options.User = None, as_json: options.Json = False) -> None:
    """List projects, their wings, and what else is recalled there.

    \b
    palace projects list
    """
    with open_palace(user) as palace:
        found, unrecalled = palace.projects.list(), palace.projects.unrecalled()
    if found or as_json:
        output.present(found, projects_view, as_json=as_json)
    else:
        diagnostics.remark(
            "there are no projects yet: mining a coding agent's sessions makes them, and so does palace projects wing"
        )
    diagnostics.note(map(str, unrecalled))


@app.command("wing")
@answers(project_view)
def wing(palace: Palace, folder: Folder, wing: OneWing, *, create: Create = False) -> Project:
    """Give a folder's project another wing; what was filed stays.

    From then on its sessions are filed there, and what stands there is recalled in it.

    \b
    palace projects wing ~/work/api "Efoil rebuild"
    """
    return palace.projects.assign(folder, wing, create=create)


@app.command("allow")
@answers(project_view)
def allow(palace: Palace, folder: Folder, wings: Wings = None, *, sources: Sources = None) -> Project:
    """Have other wings, or further sources, recalled in a project.

    What tools returned, mail and chats are left out in all wings of a project unless they are allowed.

    \b
    palace projects allow ~/work/api "Old project"
    palace projects allow ~/work/api --source tools
    """
    return palace.projects.allow(folder, wings=wings or (), sources=sources or ())


@app.command("deny")
@answers(project_view)
def deny(palace: Palace, folder: Folder, wings: Wings = None, *, sources: Sources = None) -> Project:
    """Take back what was allowed; the project's own wing stays.

    \b
    palace projects deny ~/work/api "Old project"
    palace projects deny ~/work/api --source tools
    """
    return palace.projects.deny(folder, wings=wings or (), sources=sources or ())


@app.command("drop")
@answers(dropped_view)
def drop(palace: Palace, folder: Folder) -> Dropped:
    """Drop what is known of a project; its wing stays as it is.

    Nothing is recalled there then, until its sessions are mined again: they get a wing of their own.

    \b
    palace projects drop ~/work/api
    """
    return Dropped(palace.projects.drop(folder))
