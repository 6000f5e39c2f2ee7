"""Connected clients as `palace doctor` looks at them: what a client's configuration names has to be there to be run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from palace.errors import BadRequest
from palace.records import Check, Verdict
from palace_cli.connect.answers import ClientState
from palace_cli.connect.clients import CLIENTS
from palace_cli.connect.standing import state_of


def check_connections() -> Iterator[Check]:
    """Check the clients that are connected for this person; what is not connected is not amiss."""
    try:
        states = [state_of(client) for client in CLIENTS]
    except BadRequest as problem:
        yield Check("clients", Verdict.WARNING, str(problem))
        return
    connected = [state for state in states if state.server or state.hooks]
    amiss = [check for state in states if (check := _amiss(state))]
    names = ", ".join(state.title for state in states if state.server and _is_this(state.program))
    if names and find_spec("mcp") is None:
        finding = f"{names} cannot start the server: the protocol's library is not installed"
        amiss.append(Check("clients", Verdict.PROBLEM, finding, "pip install 'memory-palace-pg[mcp]'"))
    yield from amiss
    if not amiss:
        named = ", ".join(state.client for state in connected)
        yield Check("clients", Verdict.OK, f"connected: {named}" if named else "none is connected")


def _is_this(program: str) -> bool:
    """Whether a client is told to run the program of this installation, whose libraries are known here."""
    return not program.startswith("/") or Path(program).parent == Path(sys.executable).parent


def _amiss(state: ClientState) -> Check | None:
    """Say what is wrong with a client, if anything is."""
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
