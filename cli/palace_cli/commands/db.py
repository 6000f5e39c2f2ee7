"""``palace db``: the database server and its schema."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from palace.models import Backup, RestoreSummary, ServerStatus
from palace_cli import diagnostics, options
from palace_cli.command import Administration, administered, subcommand
from palace_cli.options import argument, flag
from palace_cli.render.server import backup_view, restore_view, server_view
from palace_cli.render.visible import one_line

app = typer.Typer(help="Start, stop, examine, upgrade, back up and restore the database.")
app.callback(invoke_without_command=True)(options.help_when_alone)


File = Annotated[Path, argument("FILE", "The backup.")]


@dataclass(frozen=True, slots=True)
class Stopping:
    """The result of ``palace db stop``."""

    stopped: bool
    """False when no server was running."""


@dataclass(frozen=True, slots=True)
class Address:
    """The address of the database."""

    url: str


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The schema revision after an upgrade."""

    revision: str


@subcommand(app, "start", server_view, opens=administered)
def start(administration: Administration) -> ServerStatus:
    """Start the embedded server; every other command does so by itself.

    \b
    palace db start
    """
    return administration.start()


@subcommand(app, "stop", lambda done: "stopped" if done.stopped else "was not running", opens=administered)
def stop(administration: Administration) -> Stopping:
    """Stop the embedded server; nothing is lost.

    \b
    palace db stop
    """
    return Stopping(administration.stop())


@subcommand(app, "status", server_view, opens=administered)
def status(administration: Administration) -> ServerStatus:
    """Show which server the palace is on and whether it runs.

    \b
    palace db status
    """
    return administration.status()


@subcommand(app, "url", lambda found: one_line(found.url), opens=administered)
def url(administration: Administration, owner: bool = flag("--owner", "As the role that owns the tables.")) -> Address:
    """Print the database's address, for psql; for pg_dump add --owner.

    \b
    palace db url
    palace db url --owner
    """
    return Address(administration.url(owner=owner))


@subcommand(app, "upgrade", lambda done: f"schema revision {done.revision}", opens=administered)
def upgrade(administration: Administration) -> Upgrade:
    """Bring the schema to the revision this program needs.

    \b
    palace db upgrade
    """
    return Upgrade(administration.upgrade())


@subcommand(app, "backup", backup_view, opens=administered)
def backup(
    administration: Administration, file: File, force: bool = flag("--force", "Replace FILE if it is there.")
) -> Backup:
    """Write the whole palace, of every user, to FILE.

    Mining and recall go on meanwhile. On a shared server this takes PALACE_DATABASE_OWNER_URL.

    \b
    palace db backup today.backup
    palace db backup today.backup --force
    """
    with diagnostics.progress() as progress:
        return administration.backup(file, force=force, progress=progress)


@subcommand(app, "restore", restore_view, opens=administered)
def restore(administration: Administration, file: File) -> RestoreSummary:
    """Fill an empty palace from a backup.

    A palace that holds anything is left alone. A backup of an older version is migrated.

    \b
    palace db restore today.backup
    """
    with diagnostics.progress() as progress:
        return administration.restore(file, progress=progress)
