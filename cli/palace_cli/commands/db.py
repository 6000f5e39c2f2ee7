"""``palace db``: the database server and its schema."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from palace_cli import diagnostics, options, output
from palace_cli.opening import administration
from palace_cli.render.server import backup_view, restore_view, server_view
from palace_cli.render.visible import one_line

app = typer.Typer(help="Start, stop, examine, upgrade, back up and restore the database.")
app.callback(invoke_without_command=True)(options.help_when_alone)


Owner = Annotated[bool, typer.Option("--owner", help="As the role that owns the tables.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]
Force = Annotated[bool, typer.Option("--force", help="Replace FILE if it is there.")]


@dataclass(frozen=True, slots=True)
class Stopping:
    """What ``palace db stop`` found."""

    stopped: bool
    """False when no server was running."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the database is."""

    url: str


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The schema revision after an upgrade."""

    revision: str


@app.command("start")
def start(user: options.User = None, as_json: options.Json = False) -> None:
    """Start the embedded server; every other command does so by itself.

    \b
    palace db start
    """
    output.present(administration(user).start(), server_view, as_json=as_json)


@app.command("stop")
def stop(user: options.User = None, as_json: options.Json = False) -> None:
    """Stop the embedded server; nothing is lost.

    \b
    palace db stop
    """
    output.present(Stopping(administration(user).stop()), stopping_view, as_json=as_json)


@app.command("status")
def status(user: options.User = None, as_json: options.Json = False) -> None:
    """Show which server the palace is on and whether it runs.

    \b
    palace db status
    """
    output.present(administration(user).status(), server_view, as_json=as_json)


@app.command("url")
def url(owner: Owner = False, user: options.User = None, as_json: options.Json = False) -> None:
    """Print the database's address, for psql; for pg_dump add --owner.

    \b
    palace db url
    palace db url --owner
    """
    output.present(
        Address(administration(user).url(owner=owner)), lambda found: Text(one_line(found.url)), as_json=as_json
    )


@app.command("upgrade")
def upgrade(user: options.User = None, as_json: options.Json = False) -> None:
    """Bring the schema to the revision this program needs.

    \b
    palace db upgrade
    """
    revision = administration(user).upgrade()
    output.present(Upgrade(revision), lambda done: Text(f"schema revision {done.revision}"), as_json=as_json)


@app.command("backup")
def backup(file: File, force: Force = False, user: options.User = None, as_json: options.Json = False) -> None:
    """Write the whole palace, of every user, to FILE.

    Mining and recall go on meanwhile. On a shared server this takes PALACE_DATABASE_OWNER_URL.

    \b
    palace db backup today.backup
    palace db backup today.backup --force
    """
    with diagnostics.progress() as progress:
        done = administration(user).backup(file, force=force, progress=progress)
    output.present(done, backup_view, as_json=as_json)


@app.command("restore")
def restore(file: File, user: options.User = None, as_json: options.Json = False) -> None:
    """Fill an empty palace from a backup.

    A palace that holds anything is left alone. A backup of an older version is migrated.

    \b
    palace db restore today.backup
    """
    with diagnostics.progress() as progress:
        done = administration(user).restore(file, progress=progress)
    output.present(done, restore_view, as_json=as_json)


def stopping_view(stopping: Stopping) -> Text:
    """Say whether there was a server to stop."""
    return Text("stopped" if stopping.stopped else "was not running")
