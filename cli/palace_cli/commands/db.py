"""``palace db``: the database server and its schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer
from rich.text import Text

from palace_cli import options, output
from palace_cli.opening import administration
from palace_cli.render.server import server_view

app = typer.Typer(help="Start, stop, examine and upgrade the database.")
app.callback(invoke_without_command=True)(options.help_when_alone)


Owner = Annotated[bool, typer.Option("--owner", help="As the role that owns the tables.")]


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
    """Start the embedded server; every other command does so by itself."""
    output.present(administration(user).start(), server_view, as_json=as_json)


@app.command("stop")
def stop(user: options.User = None, as_json: options.Json = False) -> None:
    """Stop the embedded server; nothing is lost."""
    output.present(Stopping(administration(user).stop()), stopping_view, as_json=as_json)


@app.command("status")
def status(user: options.User = None, as_json: options.Json = False) -> None:
    """Show which server the palace is on and whether it runs."""
    output.present(administration(user).status(), server_view, as_json=as_json)


@app.command("url")
def url(owner: Owner = False, user: options.User = None, as_json: options.Json = False) -> None:
    """Print the database's address, for psql; for pg_dump add --owner."""
    output.present(Address(administration(user).url(owner=owner)), lambda address: Text(address.url), as_json=as_json)


@app.command("upgrade")
def upgrade(user: options.User = None, as_json: options.Json = False) -> None:
    """Bring the schema to the revision this program needs."""
    revision = administration(user).upgrade()
    output.present(Upgrade(revision), lambda done: Text(f"schema revision {done.revision}"), as_json=as_json)


def stopping_view(stopping: Stopping) -> Text:
    """Say whether there was a server to stop."""
    return Text("stopped" if stopping.stopped else "was not running")
