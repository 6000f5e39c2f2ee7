"""``palace connect``: connect a coding agent's program with this memory."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import typer

from palace.errors import BadRequest, NotFound, PalaceError
from palace.models import MineSummary
from palace.models.intake import name
from palace_cli import completion, diagnostics, options, output
from palace_cli.connect.checks import notices
from palace_cli.connect.clients import CLIENTS, Client, find_client, project_root
from palace_cli.connect.files import Changed, Records
from palace_cli.connect.plan import Plan
from palace_cli.connect.program import SHARED, installed
from palace_cli.connect.sessions import UNCONNECTED, find_sessions
from palace_cli.connect.states import (
    ClientState,
    Connection,
    FileState,
    Level,
    Sessions,
    changes_view,
    connection_view,
    sessions_line,
    state_of,
    states_view,
)
from palace_cli.diagnostics import ExitCode
from palace_cli.opening import is_typed, open_palace, settings_of
from palace_cli.options import argument, flag, option

if TYPE_CHECKING:
    from palace.config.settings import Settings

ONE_WING = "Have the server look at this wing and nothing else, by name or number."
NAMES = ", ".join(client.name for client in CLIENTS)
TRIES = 5
"""How often the files are read again when another program writes at the same time."""


@dataclass(frozen=True, slots=True)
class _Options:
    """The options of the command line."""

    undo: bool
    yes: bool
    user: str | None
    new_user: bool
    wing: str | None
    as_json: bool


def connect(
    client: str | None = argument("[CLIENT]", f"One of {NAMES}.", default=None),
    *,
    project: bool = flag("--project", "Write the files of the project that this is called in, not your own."),
    undo: bool = flag("--undo", "Take out what was put in, and nothing else."),
    mine: bool = flag("--mine", "Also mine the sessions that the client has kept so far."),
    wing: str | None = option("--wing", ONE_WING, "NAME", completes=completion.places(1)),
    yes: options.Yes = False,
    user: options.User = None,
    new_user: options.NewUser = False,
    as_json: options.Json = False,
) -> None:
    """Connect Claude Code, Codex and other agents with this memory.

    Alone, it lists what is found on this machine, what is connected, and what sessions lie there. With a client
    it shows what would change in that client's configuration, asks, and writes: a server of tools, and hooks
    where the client has them. What else stands there stays as it is, and --undo takes out what was put in.
    Where nobody can be asked, nothing is written without --yes. Sessions are mined only if you say so. Whether
    what is connected works, `palace doctor` says.

    \b
    palace connect
    palace connect claude-code
    palace connect codex --project --yes
    palace connect cursor --wing "Efoil rebuild" --yes
    palace connect claude-code --undo
    """
    options.exclusive(("--undo", undo), ("--mine", mine))
    options.exclusive(("--undo", undo), ("--wing", wing is not None))
    # A project's files are everybody's: which wings somebody has is for nobody else to say.
    options.exclusive(("--project", project), ("--wing", wing is not None))
    if client is None:
        _list(given=project or undo or mine or yes or wing is not None, as_json=as_json)
        return
    chosen = find_client(client)
    root = project_root(Path.cwd()) if project else None
    connection = _connect(chosen, root, _Options(undo, yes, user, new_user, name("--wing", wing), as_json))
    _require_done(connection, as_json=as_json)
    is_new = any(each.state is not FileState.UNCHANGED for each in connection.files)
    kept = None if undo else _find_sessions(chosen, user, with_share=is_new or mine)
    may_ask = is_new and not yes and _is_there(as_json) and (kept is None or kept.new_share != 0)
    if mine or (kept and may_ask and diagnostics.confirm(f"{sessions_line(kept)}. Mine them now?")):
        connection = replace(connection, mined=_mine(chosen, kept, user))
    elif kept and is_new:
        diagnostics.remark(f"{sessions_line(kept)}; palace connect {chosen.name} --mine mines them")
    output.present(replace(connection, sessions=kept), connection_view, as_json=as_json)
    if is_new and not undo:
        diagnostics.remark(_next(chosen))
    if connection.mined is not None:
        diagnostics.report_mined(connection.mined)


def _require_user(asked: _Options) -> None:
    """See that whoever is named has a palace, before the name is written down: it may be mistyped."""
    if not (asked.new_user or is_typed(asked.user)):
        return
    try:
        with open_palace(asked.user, new_user=asked.new_user):
            return
    except NotFound:
        if not (_is_there(asked.as_json) and diagnostics.confirm("There is no such user yet. Make one?")):
            raise
    with open_palace(asked.user, new_user=True):
        pass


def _require_done(connection: Connection, *, as_json: bool) -> None:
    if connection.done:
        return
    if as_json:
        output.write_json(connection)
    diagnostics.remark("nothing was written; --yes writes it without asking")
    raise typer.Exit(ExitCode.INCOMPLETE)


def _list(*, given: bool, as_json: bool) -> None:
    if given:
        raise BadRequest(f"name the client to connect: {NAMES}")
    states = [state_of(client, sessions=find_sessions(client.name)) for client in CLIENTS]
    output.present([*states, *_of_project()], states_view, as_json=as_json)
    if any(state.is_found for state in states):
        diagnostics.remark("palace connect CLIENT connects one, and --mine mines the sessions that it has kept")
    for other, title in UNCONNECTED.items():
        if kept := find_sessions(other):
            mined = " ".join(map(quote, kept.folders))
            diagnostics.remark(f"{title}: {sessions_line(kept)}; palace mine {mined} mines them")


def _of_project() -> list[ClientState]:
    """Return the clients that the project is connected to in which this is called."""
    try:
        root = project_root(Path.cwd())
    except PalaceError:
        return []
    states = [state_of(client, root) for client in CLIENTS]
    return [state for state in states if state.server or state.hooks]


def _connect(client: Client, root: Path | None, asked: _Options) -> Connection:
    """Show what would change, ask, and write it; nothing is written if one of the files cannot be read or changed."""
    if root and not client.of_project:
        raise BadRequest(f"{client.title} has no configuration for projects: leave out --project")
    if root is None and not asked.undo:
        _require_user(asked)
    plan = Plan(client, root, Records(_settings().home_folder))
    what = "Take this out of the configuration of {}?" if asked.undo else "Connect {} so?"
    for tried in range(TRIES):
        # In a project nothing says whose memory is read.
        steps = plan.undoing() if asked.undo else plan.connecting(SHARED if root else installed(asked.user, asked.wing))
        changes = tuple(step.change() for step in steps if step.found.data is not None or step.is_needed)
        is_needed = any(step.is_needed for step in steps)
        if is_needed and not tried and not asked.as_json:
            output.present(changes, changes_view, as_json=False)
        agrees = asked.yes or not is_needed
        done = agrees or bool(_is_there(asked.as_json) and diagnostics.confirm(what.format(client.title)))
        try:
            if done:
                plan.carry_out(steps)
        except Changed:
            # What was shown and agreed to is not what would be written now.
            if not asked.yes or tried == TRIES - 1:
                raise
            continue
        told = notices(client, root, _settings()) if done and not asked.undo else ()
        return Connection(client.name, Level.USER if root is None else Level.PROJECT, done, changes, told)
    raise AssertionError


def _settings() -> Settings:
    from palace.config.settings import load_settings

    return load_settings()


def _is_there(as_json: bool) -> bool:
    return not as_json and sys.stdin.isatty()


def _next(client: Client) -> str:
    """Return how to check that it works, and how to revert it."""
    asked = "; palace hook why PROMPT, in a project's folder, what a prompt is given there" if client.events else ""
    return f"palace doctor says whether it works{asked}; palace connect {client.name} --undo takes it out"


def _find_sessions(client: Client, user: str | None, *, with_share: bool) -> Sessions | None:
    """Find a client's sessions, with the share that is not filed if the palace's server runs and can read them."""
    from palace.operations.glance import glance

    kept = find_sessions(client.name)
    with suppress(PalaceError):
        if with_share and kept and kept.sampled and glance(settings_of(user)).drawers:
            with open_palace(user) as palace:
                seen = palace.mine(*kept.sampled, dry_run=True)
            total = seen.drawers_new + seen.drawers_unchanged
            return replace(kept, new_share=seen.drawers_new / total if total else None)
    return kept


def _mine(client: Client, kept: Sessions | None, user: str | None) -> MineSummary | None:
    """Mine what a client has kept; passages are embedded in the background."""
    if kept is None:
        diagnostics.remark(f"{client.title} has kept no sessions: nothing was mined")
        return None
    diagnostics.remark(sessions_line(kept))
    with open_palace(user) as palace, diagnostics.progress() as progress:
        return palace.mine(*kept.folders, background=True, progress=progress)
