"""Checks of connected clients, for `palace doctor`, and remarks after connecting one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from palace.errors import BadRequest
from palace.models import Check, Verdict
from palace_cli.connect.clients import CLIENTS, Client
from palace_cli.connect.contents import server_path
from palace_cli.connect.jsonc import value_at
from palace_cli.connect.program import is_confined, is_server, server_words
from palace_cli.connect.states import ClientState, contents_of, state_of

if TYPE_CHECKING:
    from palace.config.settings import Settings


def check_connections() -> Iterator[Check]:
    """Check the clients that are connected for this user; unconnected ones are no problem."""
    try:
        states = [state_of(client) for client in CLIENTS]
    except BadRequest as problem:
        yield Check("clients", Verdict.WARNING, str(problem))
        return
    amiss = [check for state in states if (check := _amiss(state))]
    # The libraries of other installations are unknown here.
    ours = [s for s in states if not s.program.startswith("/") or Path(s.program).parent == Path(sys.executable).parent]
    names = ", ".join(state.title for state in ours if state.server)
    if names and find_spec("mcp") is None:
        finding = f"{names} cannot start the server: the protocol's library is not installed"
        amiss.append(Check("clients", Verdict.PROBLEM, finding, "pip install 'memory-palace-pg[mcp]'"))
    yield from amiss
    if not amiss:
        connected = ", ".join(state.client for state in states if state.server or state.hooks)
        yield Check("clients", Verdict.OK, f"connected: {connected}" if connected else "none is connected")


def notices(client: Client, root: Path | None, settings: Settings) -> tuple[str, ...]:
    """Return what is left to do after connecting a client, and what may keep it from working."""
    notes = [client.to_do]
    if client.events and (settings.database_url or not settings.worker_starts):
        notes.append(
            "what is said is filed by a worker, and none starts by itself here: run `palace worker`, or have it run"
            " with `palace worker --install`"
        )
    if find_spec("mcp") is None:
        notes.append("the server cannot start: the protocol's library is missing, pip install 'memory-palace-pg[mcp]'")
    data = [each for _, each in contents_of(client, root, [])]
    servers = [value_at(each, server_path(client, each)) for each in data]
    if any(is_server(each) and not is_confined(server_words(each)) for each in servers):
        notes.append(
            "the server's tools look at everything of yours, whatever the project:"
            f" `palace connect {client.name} --wing NAME` confines them to one wing"
        )
    path, off = client.hooks_off
    if path and any(value_at(each, path) is off for each in data):
        notes.append(f"{client.title} runs no hooks: {'.'.join(path)} says so, and was left as it is")
    plug_ins = [value_at(each, ("enabledPlugins",)) for each in data]
    if any(isinstance(each, dict) and any(name.startswith("palace@") for name in each) for each in plug_ins):
        notes.append("the plug-in palace is there as well, and runs the same hooks: keep one of the two")
    if root is not None:
        notes.append(
            "everybody who works here has it, and the program is looked for by the name palace; a client started from a"
            " desktop may not find it: then connect without --project"
        )
        if state_of(client).server:
            notes.append("it is connected for you as well, so everything happens twice here: undo one of the two")
    return tuple(notes)


def _amiss(state: ClientState) -> Check | None:
    again = f"palace connect {state.client}"
    if state.problem and state.is_found:
        return Check("clients", Verdict.WARNING, state.problem, f"mend the file, then {again}")
    if not state.is_runnable:
        finding = f"{state.title} is told to run {state.program}, which is not there or cannot be run"
        return Check("clients", Verdict.PROBLEM, finding, again)
    if state.lacking and (state.server or state.hooks):
        finding = f"{state.title} lacks {', '.join(([] if state.server else ['the server']) + list(state.lacking))}"
        return Check("clients", Verdict.WARNING, finding, again)
    return None
